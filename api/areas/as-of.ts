import { mayEver } from '#domain/kit/access'
import { readInstant } from '#domain/campaign/content/dates'
import { refused, Refused } from '#commands/refused'
import type { Wanted } from '#projections/past/past'
import { ChangedTooOften, MOST_FOLDED } from '#projections/past/then'
import type { Call } from '#api/http/call'
import { personOf } from '#api/http/person'
import type { Core, Needs } from './services.ts'

/** When a call is answered for: `now` of the kit is that moment then, and `asOf` says so. */
export type Moment = { readonly asOf?: string }

/** The moment that a call asks for; null for now. 3 for callers who may not read the log, 11 for what is no instant. */
export function momentOf(
  call: Pick<Call, 'identity'> & { readonly query: { readonly as_of?: string | undefined } },
  now: () => string,
): string | null {
  const asked = call.query.as_of
  if (asked === undefined) return null
  if (!mayEver(personOf(call), 'log.read')) throw refused(3)
  const at = readInstant(asked, 'end', 0)
  if (at === undefined) throw refused(11, [{ path: 'as_of', code: 11, message: 'Invalid date format' }])
  const instant = now()
  return at < instant ? at : instant
}

/**
 * Answers a call as of the moment that it asks for (running.md "For auditors"): by the same code, over the read models of then.
 * The caller's rights are those of now.
 */
export async function asOf<K extends Core & Needs<'db' | 'past'>, T>(
  kit: K,
  call: Parameters<typeof momentOf>[0],
  wanted: Wanted,
  read: (kit: K & Moment) => Promise<T>,
): Promise<T> {
  const at = momentOf(call, kit.now)
  if (at === null) return read(kit)
  return kit
    .past(at, wanted, (db) => read({ ...kit, db, now: () => at, asOf: at }))
    .catch((error: unknown) => {
      if (!(error instanceof ChangedTooOften)) throw error
      const message = `More than ${MOST_FOLDED} have changed since: ask for one account, or for a later moment`
      throw new Refused({ code: 2, faults: [{ path: 'as_of', code: 2, message }] })
    })
}
