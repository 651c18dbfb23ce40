import { TooMany } from '#commands/refused'
import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** A limit on units in progress or done within a sliding window. */
export type Limit = { readonly key: string; readonly limit: number; readonly seconds: number }

/**
 * Limits in PostgreSQL, shared by all processes and kept over restarts, on PostgreSQL's clock. A unit is reserved before the
 * guarded work, in one statement, so that concurrent calls cannot pass together.
 */
export function createLimits(db: Kysely<Db>, newId: () => string) {
  return {
    /** Reserves one unit of each limit, or none and throws TooMany. `release` returns the units; otherwise they expire. */
    async reserve(limits: readonly Limit[]): Promise<{ readonly release: () => Promise<void> }> {
      const id = newId()
      // In a fixed order, so that two calls never deadlock.
      const sorted = [...limits].sort((a, b) => (a.key < b.key ? -1 : 1))
      const { rows } = await sql<{ wait: number }>`
        select app.reserve(${id}, ${sorted.map(({ key }) => key)}, ${sorted.map(({ limit }) => limit)}::int[],
                           ${sorted.map(({ seconds }) => seconds)}::int[]) as wait`.execute(db)
      const wait = rows[0]?.wait ?? 1
      if (wait > 0) throw new TooMany(Math.ceil(wait))
      return { release: async () => void (await db.deleteFrom('app.reservations').where('id', '=', id).execute()) }
    },

    /** Removes expired reservations of unused keys. */
    async purge(): Promise<void> {
      await db
        .deleteFrom('app.reservations')
        .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
        .execute()
    },
  }
}
export type Limits = ReturnType<typeof createLimits>

/** Refusals that a process remembers. */
const REMEMBERED = 10_000

/**
 * Units of one limit that are never given back, counted by key: a caller who was refused is refused again without a statement until
 * the time that the first refusal named.
 */
export function createCounted(limits: Pick<Limits, 'reserve'>, of: (key: string) => Limit, now: () => number = Date.now) {
  const refusedUntil = new Map<string, number>()
  return async function count(key: string): Promise<void> {
    const wait = (refusedUntil.get(key) ?? 0) - now()
    if (wait > 0) throw new TooMany(Math.ceil(wait / 1000))
    try {
      await limits.reserve([of(key)])
    } catch (error) {
      if (refusedUntil.size >= REMEMBERED) refusedUntil.clear()
      if (error instanceof TooMany) refusedUntil.set(key, now() + error.seconds * 1000)
      throw error
    }
  }
}

/** Reads per network and minute that a process answers before it asks PostgreSQL, and the size of each batch it reserves then. */
const FREE_READS = 2000
const BATCH = 500
/** Batches per network and minute, over all processes. */
const BATCHES = 8

/**
 * Limits anonymous reads of files per network. A page of advertisements reads many files, and a read must not cost a write: the
 * first 2,000 a minute are counted in this process only. Beyond them a process reserves batches of 500 reads in PostgreSQL, 8 a
 * minute over all processes. A network thus gets at most 2,000 a minute from each process, and 4,000 more from all together.
 */
export function createReadLimit(limits: Limits, fingerprint: (text: string) => string, now: () => number = Date.now) {
  let minute = 0
  const left = new Map<string, number>()

  /** `units`: how many reads it counts as. */
  return async function count(network: string, units = 1): Promise<void> {
    const current = Math.floor(now() / 60_000)
    if (current !== minute) {
      left.clear()
      minute = current
    }
    const rest = left.get(network) ?? FREE_READS
    if (rest < units) {
      await limits.reserve([{ key: `read ${fingerprint(network)}`, limit: BATCHES, seconds: 60 }])
      left.set(network, BATCH - units)
    } else left.set(network, rest - units)
  }
}
