import { addDays, endOfDay, format, isValid } from 'date-fns'

/** Lifetimes of secrets (fine print 86), as a select holds them. */

/** A new secret: its name, for how many days it is valid, as a select holds it, and the date in place of them. */
export type NewSecret = { readonly name: string; readonly days: string; readonly expires_at: string }

/** Days that are offered, where they are allowed. */
const OFFERED = [7, 30, 60, 90, 180]
/** The choice of a date in place of a number of days. */
export const BY_DATE = 'date'

/** Lifetimes on offer where at most so many days are allowed, that most among them. */
export const lifetimesWithin = (most: number): readonly number[] => [...OFFERED.filter((days) => days < most), most]

/** The last day at whose end a secret may end that is made now. */
export const latestDay = (most: number, now: number): Date => addDays(now, most - 1)

/** YYYY-MM-DD. */
export const dayOf = (instant: number | Date): string => format(instant, 'yyyy-MM-dd')
const startOf = (day: string): Date => new Date(`${day}T00:00:00`)
/** Whether a value is a day, YYYY-MM-DD. */
export const isDay = (value: unknown): value is string => typeof value === 'string' && value !== '' && isValid(startOf(value))

/** The end of a secret, as calls take it. A day is the user's, and ends the secret at its last moment. */
export const endOf = ({
  days,
  expires_at: day,
}: Pick<NewSecret, 'days' | 'expires_at'>): { days: number } | { expires_at: string } =>
  days === BY_DATE ? { expires_at: endOfDay(startOf(day)).toISOString() } : { days: Number(days) }
