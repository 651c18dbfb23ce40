import { FEED_AUTHORS, type FeedQuery } from '#contract/audit-feed'
import { z } from '#contract/zod'
import { EVENT_KINDS } from '#domain/audit/event-kinds'
import { isDay } from '@/lib/date-range'

/** The filters of the audit page are its address: a link asks the same question. */

export const AUDIT_TABS = ['changes', 'security', 'proof'] as const

const id = z.catch(z.optional(z.string().check(z.maxLength(100))), undefined)
const list = z.catch(z.optional(z.string().check(z.maxLength(1000), z.regex(/^[\w.,-]+$/))), undefined)
const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)

export const auditFilters = z.object({
  /** Id of a person. */
  who: id,
  by: z.catch(z.optional(z.enum(FEED_AUTHORS)), undefined),
  kind: z.catch(z.optional(z.enum(EVENT_KINDS)), undefined),
  account: id,
  subject: id,
  /** Types of events, and paths of fields, separated by commas. */
  type: list,
  field: list,
  /** Days of the user, both included. */
  from: day,
  to: day,
})
export type AuditFilters = z.output<typeof auditFilters>

export const auditSearch = z.extend(auditFilters, { tab: z.catch(z.optional(z.enum(AUDIT_TABS)), undefined) })

const NAMES = [
  'who',
  'by',
  'kind',
  'account',
  'subject',
  'type',
  'field',
  'from',
  'to',
] as const satisfies readonly (keyof AuditFilters)[]

export const NO_FILTERS: AuditFilters = Object.fromEntries(NAMES.map((name) => [name, undefined]))

export const isFiltered = (search: AuditFilters): boolean => NAMES.some((name) => search[name] !== undefined)

/** The filters alone, without empty ones. */
export const filtersOf = (search: AuditFilters): AuditFilters =>
  Object.fromEntries(NAMES.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

export const sameFilters = (a: AuditFilters, b: AuditFilters): boolean => NAMES.every((name) => a[name] === b[name])

/** The filters as the server takes them: days are those of the user. */
export function questionOf({ who, by, kind, account, subject, type, field, from, to }: AuditFilters): FeedQuery {
  return {
    ...(who === undefined ? {} : { actor: who }),
    ...(by === undefined ? {} : { by }),
    ...(kind === undefined ? {} : { kind }),
    ...(account === undefined ? {} : { space: account }),
    ...(subject === undefined ? {} : { subject }),
    ...(type === undefined ? {} : { type }),
    ...(field === undefined ? {} : { field }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
  }
}

/** The instant at which a day of the user begins, or the day so many days after it. */
export function startOf(day: string, after: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + after).toISOString()
}
