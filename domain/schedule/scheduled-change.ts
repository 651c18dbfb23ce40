import type { ContentKey } from '../campaign/content/content.ts'
import type { CampaignPatch } from '../campaign/content/shape.ts'
import { reject, type Fault, type Rejection } from '../kit/errors.ts'

/** Changes of campaigns that are carried out later (fine print 100). */

/** Fields that a scheduled save may hold: free ones, so that none of them waits for a moderator. */
export const SCHEDULED_FIELDS = [
  'name',
  'budget',
  'budget_type_key',
  'manual_cpx',
  'user_cpx',
  'campaign_start_at',
  'campaign_end_at',
] as const satisfies readonly ContentKey[]

/** Act that is carried out; money in micros. */
export type ScheduledAct =
  | { readonly kind: 'save'; readonly fields: Pick<CampaignPatch, (typeof SCHEDULED_FIELDS)[number]> }
  | { readonly kind: 'run' | 'pause' | 'archive' }
export const ACT_KINDS = ['save', 'run', 'pause', 'archive'] as const satisfies readonly ScheduledAct['kind'][]

/**
 * under_way: due, and a process carries it out; it can no longer be changed. done: carried out, once. refused: it was not possible when it
 * was due.
 */
export const SCHEDULE_STATES = ['waiting', 'under_way', 'done', 'refused', 'cancelled'] as const
export type ScheduleState = (typeof SCHEDULE_STATES)[number]

export type Outcome =
  | { readonly state: 'done'; readonly revision: number }
  | { readonly state: 'refused'; readonly rejection: Rejection }

/** Facts of a scheduled change that the rules need. */
export type ScheduledChange = {
  readonly state: ScheduleState
  /** Raised by every edit: who saw an older one changes nothing. */
  readonly version: number
  readonly act: ScheduledAct
  /** ISO 8601 UTC. */
  readonly dueAt: string
  readonly note: string
  readonly outcome: Outcome | null
}

export type ScheduleStep =
  | {
      readonly type: 'Edit'
      readonly act: ScheduledAct
      readonly dueAt: string
      readonly note: string
      /** The version that the user saw. */
      readonly version: number
    }
  | { readonly type: 'Cancel' }
  /** A process found it due at this version. */
  | { readonly type: 'Begin'; readonly version: number }
  | { readonly type: 'End'; readonly outcome: Outcome }

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Days that a change may lie ahead. */
export const MOST_DAYS_AHEAD = 366
/** Hours after which a change that could not be carried out is refused: its reason may be gone. */
export const LATE_HOURS = 24
/** Changes of one campaign that may wait. */
export const MOST_OF_CAMPAIGN = 20
/** Changes of all campaigns of an account that may wait. */
export const MOST_OF_ACCOUNT = 1000
/** Days after its end for which a change is listed. */
export const KEPT_DAYS = 90
/** Characters of a note. */
export const LONGEST_NOTE = 300

const dueFault = (key: string, message: string, params: Fault['params'] = {}): Fault => ({
  path: 'due_at',
  code: 2,
  message,
  key,
  params,
})

/** The fault of an instant that is not at least a minute ahead, or too far ahead; null for one that fits. */
export function instantFault(dueAt: string, now: string): Fault | null {
  const ahead = Date.parse(dueAt) - Date.parse(now)
  // Not a number for a text that is no instant.
  if (!(ahead >= MINUTE_MS)) return dueFault('scheduleTooSoon', 'The time must be at least one minute ahead')
  if (ahead > MOST_DAYS_AHEAD * DAY_MS)
    return dueFault('scheduleTooFar', `The time must be at most ${MOST_DAYS_AHEAD} days ahead`, { days: MOST_DAYS_AHEAD })
  return null
}

export const isDue = ({ dueAt }: Pick<ScheduledChange, 'dueAt'>, now: string): boolean => Date.parse(dueAt) <= Date.parse(now)

/** The refusal of a change that is due for too long; null while it may be carried out. */
export const lateRefusal = ({ dueAt }: Pick<ScheduledChange, 'dueAt'>, now: string): Rejection | null =>
  Date.parse(now) - Date.parse(dueAt) <= LATE_HOURS * 60 * MINUTE_MS
    ? null
    : reject(2, [dueFault('scheduleTooLate', `It could not be carried out within ${LATE_HOURS} hours`, { hours: LATE_HOURS })])

export const isRejection = (result: ScheduledChange | Rejection): result is Rejection => 'code' in result

/** The change after a step, or its refusal: 134 for one that is no longer waiting, 140 for one that was edited meanwhile. */
export function step(change: ScheduledChange, taken: ScheduleStep, now: string): ScheduledChange | Rejection {
  if (taken.type === 'End')
    return change.state === 'under_way' ? { ...change, state: taken.outcome.state, outcome: taken.outcome } : reject(134)
  if (change.state !== 'waiting') return reject(134)
  switch (taken.type) {
    case 'Cancel':
      return { ...change, state: 'cancelled' }
    case 'Begin':
      if (taken.version !== change.version) return reject(140)
      return isDue(change, now) ? { ...change, state: 'under_way' } : reject(134)
    case 'Edit': {
      if (taken.version !== change.version) return reject(140)
      const fault = instantFault(taken.dueAt, now)
      if (fault !== null) return reject(2, [fault])
      const { act, dueAt, note } = taken
      return { ...change, act, dueAt, note, version: change.version + 1 }
    }
  }
}
