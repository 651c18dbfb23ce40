import { addDays, endOfDay, format } from 'date-fns'
import type { NewSecret } from './secret-dialog.tsx'

/** Lifetimes of secrets (fine print 86), as a select holds them. */

/** Days that are offered, where they are allowed. */
const OFFERED = [7, 30, 60, 90, 180]
/** The choice of a date in place of a number of days. */
export const BY_DATE = 'date'

/** What is offered where at most so many days are allowed, that most among it. */
export const lifetimesWithin = (most: number): readonly number[] => [...OFFERED.filter((days) => days < most), most]

const dayOf = (instant: number | Date): string => format(instant, 'yyyy-MM-dd')

/** The dates that may be chosen, of which each ends a secret at its last moment. Null where a day is too long. */
export function datesWithin(most: number, now: number): { readonly min: string; readonly max: string } | null {
  return most < 2 ? null : { min: dayOf(now), max: dayOf(addDays(now, most - 1)) }
}

/** The end of a secret, as calls take it. */
export const endOf = ({
  days,
  expires_at: day,
}: Pick<NewSecret, 'days' | 'expires_at'>): { days: number } | { expires_at: string } =>
  days === BY_DATE ? { expires_at: endOfDay(new Date(`${day}T00:00:00`)).toISOString() } : { days: Number(days) }
