import { z } from '#contract/zod'
import type { CampaignType } from '#domain/campaign/content/options'
import { campaignForm, type CampaignFormValues } from '../form-schema.ts'

/** A new campaign that was never saved, stored in this browser. */
export type Draft = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly values: CampaignFormValues
}

const LONGEST_MS = 30 * 86_400_000
const stored = z.object({ at: z.number(), values: z.unknown() })

/** Drafts are separate by user and account: users must not see drafts of others or of another account. */
export const draftKey = (person: string, account: string | null, type: CampaignType) =>
  `DSP_DRAFT ${person} ${account ?? ''} ${type}`

/** Returns null without a draft. Expired and incompatible drafts are deleted. */
export function readDraft(key: string, now: number): Draft | null {
  const text = localStorage.getItem(key)
  if (text === null) return null
  const read = stored.safeParse(parsed(text))
  if (read.success && now - read.data.at <= LONGEST_MS && fits(read.data.values))
    return { at: read.data.at, values: read.data.values }
  dropDraft(key)
  return null
}

export function keepDraft(key: string, { at, values }: Draft) {
  try {
    localStorage.setItem(key, JSON.stringify({ at, values }))
  } catch {
    // The browser's storage is full. Drafts are best effort, so ignore it.
  }
}

export const dropDraft = (key: string) => localStorage.removeItem(key)

/** Drafts may have wrong or missing values. Other faults mean a different version of the form. */
const SHAPE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union', 'unrecognized_keys'])
const fits = (values: unknown): values is CampaignFormValues =>
  campaignForm.safeParse(values).error?.issues.every(({ code }) => !SHAPE.has(code)) ?? true

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
