/** How long API keys and service credentials work (fine print 86). */

const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Days. `standard` is the most that a white-label allows which sets nothing; `min` and `max` bound what it may set. */
export const KEY_DAYS = { min: 1, max: 366, standard: 90 } as const
/** How long a key still works after its rotation, hours. */
export const OVERLAP_HOURS = 24
/** How long before the end of a key its holder gets a mail, days. */
export const NOTICE_DAYS = 7

/** Instants, ISO 8601. */
export type KeyLife = { readonly created_at: string; readonly expires_at: string }
/** End of a new key: its days, or an instant in place of them. */
export type WantedEnd = { readonly days?: number | undefined; readonly expires_at?: string | undefined }

export const isKeyDays = (days: number): boolean => Number.isInteger(days) && days >= KEY_DAYS.min && days <= KEY_DAYS.max

const inDays = (now: string, days: number): number => Date.parse(now) + days * DAY_MS

/** The instant at which a new key ends; null where it is no instant after now and within `most` days, or where both or none are given. */
export function endOfKey({ days, expires_at }: WantedEnd, now: string, most: number): string | null {
  if ((days === undefined) === (expires_at === undefined)) return null
  const end = days === undefined ? Date.parse(expires_at ?? '') : inDays(now, days)
  return end > Date.parse(now) && end <= inDays(now, most) ? new Date(end).toISOString() : null
}

/** The ends after a rotation: `next` of the new key, which lives as long as the old one was made for, and `old`, which never grows. */
export function endsOfRotation(
  { created_at, expires_at }: KeyLife,
  now: string,
  most: number,
): { readonly next: string; readonly old: string } {
  const life = Date.parse(expires_at) - Date.parse(created_at)
  const next = Math.min(Date.parse(now) + life, inDays(now, most))
  const old = Math.min(Date.parse(expires_at), Date.parse(now) + OVERLAP_HOURS * HOUR_MS)
  return { next: new Date(next).toISOString(), old: new Date(old).toISOString() }
}
