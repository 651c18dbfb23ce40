import { TooMany } from '#commands/refused'

const DAY_MS = 86_400_000

/** The account has sent its events of this UTC day. */
export const tooManyToday = (now: string): TooMany => new TooMany(Math.ceil((DAY_MS - (Date.parse(now) % DAY_MS)) / 1000))
