import { revisionSnapshot } from '#contract/audit'
import { getCampaign, updateCampaign } from '#contract/campaign'
import type { Campaign } from '#contract/campaign-body'
import { equal, type Json } from '#domain/kit/json-changes'
import { AppError, NO_ANSWER } from '@/data/app-error'
import { call } from '@/data/client'

/** The fields that a list can change without the form, as on the wire. */
const QUICK_FIELDS = [
  'name',
  'budget',
  'campaign_start_at',
  'campaign_end_at',
  'manual_cpx',
  'user_cpx',
  'targeting',
  'placement',
  'freq_and_scheduling_on',
  'frequency_cap',
  'scheduling',
] as const
type QuickField = (typeof QUICK_FIELDS)[number]
export type QuickValues = Partial<Pick<Campaign, QuickField>>

export type FieldsSave = {
  readonly id: string
  /** The revision that the user saw. */
  readonly revision: number
  /** Values of the changed fields there. */
  readonly was: QuickValues
  readonly fields: QuickValues
}

type LastChange = { readonly author: string; readonly authorId: string | null; readonly at: string }

const CHANGED_SINCE = 140
export const isChangedSince = (error: unknown): boolean => error instanceof AppError && error.code === CHANGED_SINCE

/** The fields to be changed hold other values than the user saw. */
export class FieldsChanged extends Error {
  override readonly name = 'FieldsChanged'
  readonly newest: Campaign
  /** Null where the log is not readable. */
  readonly last: LastChange | null
  constructor(newest: Campaign, last: LastChange | null) {
    super('the fields were changed since')
    this.newest = newest
    this.last = last
  }
}

const SAVE_TIMEOUT_MS = 15_000

/** Saves fields at exactly this revision; another one is refused with 140. */
export async function saveAt({ id, revision, fields }: Omit<FieldsSave, 'was'>): Promise<Campaign> {
  const callOff = new AbortController()
  const late = new AppError({ code: NO_ANSWER, key: 'no_answer', message: '', status: 0 })
  const timer = setTimeout(() => callOff.abort(late), SAVE_TIMEOUT_MS)
  const body = { id, revision, ...fields }
  const saved = await call(updateCampaign, { body, signal: callOff.signal }).finally(() => clearTimeout(timer))
  if (!('id' in saved)) throw new Error('a save answered like a dry run')
  return saved
}

/** Attempts on a campaign that others keep changing. */
const MOST_ATTEMPTS = 3

/**
 * Saves fields that still hold what the user saw. A concurrent save of other fields does not matter: the fields are saved on top of
 * it, as the form merges them. Throws `FieldsChanged` when a concurrent save changed one of these fields.
 */
export async function saveFields(save: FieldsSave): Promise<Campaign> {
  for (let attempt = 1, { revision } = save; ; attempt++) {
    try {
      return await saveAt({ ...save, revision })
    } catch (error) {
      if (!isChangedSince(error) || attempt === MOST_ATTEMPTS) throw error
      const newest = await newerThan(save.id, revision)
      if (newest === null) throw error
      const changed = changedFields(save.was, newest)
      if (changed.length > 0) throw new FieldsChanged(newest, await lastChange(save.id, changed[0] ?? 'name'))
      revision = newest.revision
    }
  }
}

/** The fields of `was` that a campaign holds with another value. */
const changedFields = (was: QuickValues, newest: QuickValues): readonly QuickField[] =>
  QUICK_FIELDS.filter((field) => field in was && !equal(jsonOf(was[field]), jsonOf(newest[field])))

const jsonOf = (value: QuickValues[QuickField]): Json => value ?? null

/** A refusal reports a newer revision shortly before it can be read. */
const READ_ATTEMPTS = 6
const READ_INTERVAL_MS = 250

async function newerThan(id: string, revision: number): Promise<Campaign | null> {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, READ_INTERVAL_MS))
    const newest = await call(getCampaign, { params: { id } })
    if (newest.revision !== revision) return newest
  }
  return null
}

/** Returns who last changed a field, and when; null when the log cannot be read. */
async function lastChange(id: string, field: QuickField): Promise<LastChange | null> {
  try {
    const query = { 'page-num': 1, 'page-size': 1, field }
    const { data } = await call(revisionSnapshot, { params: { id }, query })
    const [newest] = data
    return newest === undefined ? null : { author: newest.author, authorId: newest.author_id, at: newest.commit_date }
  } catch {
    return null
  }
}
