import { campaign as campaignSchema, type Campaign } from '#contract/campaign-body'
import { z } from '#contract/zod'
import type { CampaignType } from '#domain/campaign/content/options'
import { campaignForm, type CampaignFormValues } from '../form-schema.ts'

/** Values of a form that were not saved, stored in this browser. */
export type Draft = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly values: CampaignFormValues
  /** The version that the values are edits of; null for a campaign that was never saved. */
  readonly on: Campaign | null
}

const LONGEST_MS = 30 * 86_400_000
/** Most drafts in a browser, of all users and campaigns. Of more, the oldest go. */
export const MOST_DRAFTS = 20
const PREFIX = 'DSP_DRAFT'
const dated = z.object({ at: z.number() })
const stored = z.extend(dated, { values: z.unknown(), on: z.optional(z.nullable(campaignSchema)) })

/**
 * Drafts are separate by user and account: users must not see drafts of others or of another account. `of` is the objective of a new
 * campaign, or `edit` and the id of a stored one.
 */
export const draftKey = (person: string, account: string | null, of: CampaignType | `edit ${string}`) =>
  `${PREFIX} ${person} ${account ?? ''} ${of}`

/** Returns null without a draft. Expired and incompatible drafts are deleted. */
export function readDraft(key: string, now: number): Draft | null {
  const text = localStorage.getItem(key)
  if (text === null) return null
  const read = stored.safeParse(parsed(text))
  if (read.success && now - read.data.at <= LONGEST_MS && fits(read.data.values))
    return { at: read.data.at, values: read.data.values, on: read.data.on ?? null }
  dropDraft(key)
  return null
}

/** Stores a draft. Where the browser has no room for it, the oldest others make way. */
export function keepDraft(key: string, draft: Draft) {
  const text = JSON.stringify(draft)
  let others = otherKeys(key).length
  while (others >= MOST_DRAFTS) others = dropOldest(key)
  for (;;)
    try {
      return localStorage.setItem(key, text)
    } catch {
      // Drafts are best effort.
      if (otherKeys(key).length === 0) return
      dropOldest(key)
    }
}

export const dropDraft = (key: string) => localStorage.removeItem(key)

const otherKeys = (key: string) => Object.keys(localStorage).filter((other) => other.startsWith(`${PREFIX} `) && other !== key)

/** Drops the oldest of the other drafts; one that cannot be read is the oldest. Returns how many are left. */
function dropOldest(key: string): number {
  const timeOf = (other: string) => dated.safeParse(parsed(localStorage.getItem(other) ?? '')).data?.at ?? 0
  const [oldest, ...rest] = otherKeys(key).toSorted((one, other) => timeOf(one) - timeOf(other))
  if (oldest !== undefined) dropDraft(oldest)
  return rest.length
}

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
