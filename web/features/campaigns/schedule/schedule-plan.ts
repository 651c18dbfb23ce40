import { MOST_DAYS_AHEAD, type ScheduledAct } from '#domain/schedule/scheduled-change'
import type { PlannedChange, ScheduledFieldsInput } from '#contract/schedules'
import type { ListRow } from '#contract/campaign-list'
import { isDay } from '@/lib/date-range'
import { readChange, EMPTY_FORM, type BulkForm } from '../quick-edit/bulk-change.ts'
import { planOf, type BulkRow, type PlanRefusal } from '../quick-edit/bulk-plan.ts'

/** Effect of the dialog of scheduled changes on one campaign. Pure. */

/** A campaign that a change is scheduled for, from a list or its form. */
export type ScheduleRow = Pick<
  ListRow,
  'id' | 'name' | 'currency' | 'budget' | 'budget_type_key' | 'campaign_start_at' | 'campaign_end_at' | 'timezone_offset_seconds'
>

export const WHATS = ['values', 'run', 'pause', 'archive'] as const
export type What = (typeof WHATS)[number]

/** A day YYYY-MM-DD and a time, as typed. */
export type Moment = { readonly day: string; readonly time: string }

export type ScheduleForm = {
  readonly what: What
  readonly change: BulkForm
  readonly at: Moment
  /** Null without a way back. */
  readonly back: Moment | null
  readonly note: string
}
export const EMPTY_MOMENT: Moment = { day: '', time: '09:00' }
export const EMPTY_SCHEDULE: ScheduleForm = { what: 'values', change: EMPTY_FORM, at: EMPTY_MOMENT, back: null, note: '' }

export type MomentFault = 'day' | 'time' | 'soon' | 'far' | 'back'
export type Planned =
  /** Something is not typed so far, or the bid is being loaded. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'refused'; readonly reason: PlanRefusal | 'same' }
  | { readonly kind: 'planned'; readonly changes: readonly PlannedChange[] }

const TIME = /^([01]?\d|2[0-3])[:.]?([0-5]\d)$/
const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/** The instant of a moment in a zone, seconds east of UTC; or what cannot be read of it. */
export function instantOf({ day, time }: Moment, zone: number): string | { readonly fault: 'day' | 'time' } {
  if (!isDay(day)) return { fault: 'day' }
  const [, hours, minutes] = TIME.exec(time.trim()) ?? []
  if (hours === undefined || minutes === undefined) return { fault: 'time' }
  const local = Date.parse(`${day}T${hours.padStart(2, '0')}:${minutes}:00Z`)
  return new Date(local - zone * 1000).toISOString()
}

/** A moment as the dialog shows an instant in a zone. */
export function momentOf(instant: string, zone: number): Moment {
  const local = new Date(Date.parse(instant) + zone * 1000).toISOString()
  return { day: local.slice(0, 10), time: local.slice(11, 16) }
}

/** Faults of the two times in the zone of a campaign; null for a time that is not typed so far, and for a valid one. */
export function momentFaults(
  { at, back }: Pick<ScheduleForm, 'at' | 'back'>,
  zone: number,
  now: number,
): { readonly at: MomentFault | null; readonly back: MomentFault | null } {
  const first = instantOf(at, zone)
  const second = back === null ? null : instantOf(back, zone)
  const later = second === null || typeof second !== 'string' || typeof first !== 'string' || second > first
  return { at: faultOf(at, first, now), back: back === null ? null : (faultOf(back, second, now) ?? (later ? null : 'back')) }
}

function faultOf({ day }: Moment, instant: ReturnType<typeof instantOf> | null, now: number): MomentFault | null {
  if (day === '' || instant === null) return null
  if (typeof instant !== 'string') return instant.fault
  const ahead = Date.parse(instant) - now
  if (ahead < MINUTE_MS) return 'soon'
  return ahead > MOST_DAYS_AHEAD * DAY_MS ? 'far' : null
}

/** The way back of an act. */
const OPPOSITE = { run: 'pause', pause: 'run' } as const
export const hasWayBack = (what: What): boolean => what !== 'archive'

/** Changes that are scheduled for a campaign. `bid`: its own bid, null until it is loaded. */
export function plannedFor(row: ScheduleRow, form: ScheduleForm, bid: BulkRow['bid']): Planned {
  const zone = row.timezone_offset_seconds ?? 0
  const at = instantOf(form.at, zone)
  const back = form.back === null || !hasWayBack(form.what) ? null : instantOf(form.back, zone)
  if (typeof at !== 'string' || (back !== null && typeof back !== 'string')) return { kind: 'waiting' }
  const { what } = form
  if (what !== 'values') {
    const opposite = what === 'archive' ? null : OPPOSITE[what]
    return {
      kind: 'planned',
      changes: [{ act: what, due_at: at }, ...(back === null || opposite === null ? [] : [{ act: opposite, due_at: back }])],
    }
  }
  const { change } = readChange(form.change)
  if (change === null) return { kind: 'waiting' }
  const plan = planOf({ ...row, zone, bid }, change)
  if (plan.kind === 'waiting') return plan
  if (plan.kind === 'refused') return { kind: 'refused', reason: plan.reason }
  if (plan.kind === 'same') return { kind: 'refused', reason: 'same' }
  const save = (fields: ScheduledFieldsInput, due_at: string): PlannedChange => ({ act: 'save', fields, due_at })
  return { kind: 'planned', changes: [save(plan.fields, at), ...(back === null ? [] : [save(plan.was, back)])] }
}

/** The controls of the dialog for a change that waits; null for fields that it has no controls for. */
export function formOf(
  {
    act,
    fields,
    due_at,
    note,
  }: {
    readonly act: ScheduledAct['kind']
    readonly fields: ScheduledFieldsInput | null
    readonly due_at: string
    readonly note: string
  },
  zone: number,
): { readonly form: ScheduleForm; readonly editable: boolean } {
  const form: ScheduleForm = { ...EMPTY_SCHEDULE, at: momentOf(due_at, zone), note }
  if (act !== 'save') return { form: { ...form, what: act }, editable: true }
  const change = changeOf(fields ?? {}, zone)
  return change === null ? { form, editable: false } : { form: { ...form, change }, editable: true }
}

function changeOf(fields: ScheduledFieldsInput, zone: number): BulkForm | null {
  const names = Object.keys(fields).sort().join(' ')
  const { budget, manual_cpx, user_cpx, campaign_start_at: start, campaign_end_at: end } = fields
  if (names === 'budget' && typeof budget === 'number') return { ...EMPTY_FORM, field: 'budget', typed: String(budget) }
  if (names === 'manual_cpx user_cpx' && manual_cpx === true && typeof user_cpx === 'number')
    return { ...EMPTY_FORM, field: 'bid', typed: String(user_cpx) }
  const field = names === 'campaign_start_at' ? 'start' : names === 'campaign_end_at' ? 'end' : null
  const date = field === 'start' ? start : end
  if (field === null || typeof date === 'number') return null
  if (date === null || date === undefined) return { ...EMPTY_FORM, field, dateHow: 'remove' }
  return { ...EMPTY_FORM, field, day: isDay(date) ? date : momentOf(date, zone).day }
}
