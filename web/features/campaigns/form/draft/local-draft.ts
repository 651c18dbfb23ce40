import { z } from '../../../../../api/contract/zod.ts'
import type { CampaignType } from '../../../../../domain/campaign/content/options.ts'
import { campaignForm, type CampaignFormValues } from '../form-schema.ts'

/** A new campaign that was never saved, in this browser. */
export type Draft = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly values: CampaignFormValues
}

const LONGEST_MS = 30 * 86_400_000
const stored = z.object({ at: z.number(), values: z.unknown() })

/** Nobody is offered what somebody else typed, nor what was meant for another account. */
export const draftKey = (person: string, account: string | null, type: CampaignType) =>
  `DSP_DRAFT ${person} ${account ?? ''} ${type}`

/** Null when there is none; one that is too old, or that the form could not hold any more, is dropped. */
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
    // The browser's room is full. A draft is a help, not a promise: typing goes on.
  }
}

export const dropDraft = (key: string) => localStorage.removeItem(key)

/** Wrong or missing values are what drafts are for; another shape is from another version of the form. */
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
