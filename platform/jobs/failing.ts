import { sql, type Kysely } from 'kysely'
import { beginning } from '#domain/kit/text'
import type { Failing } from '#commands/sweep'
import { anyOf, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { MOST_OF_ERROR } from './job-store.ts'

/** From this failure in a row on an item waits, and operators see it as given up, though it is still tried. */
const PARKED_AFTER = 4
/** Pauses of an item that waits: from the first they double to the longest, seconds. */
const FIRST_PAUSE = 5
const LONGEST_PAUSE = 600

/** The kind of job under which the failing items of a sweep are kept. */
export const failingKind = (sweep: string): string => `sweep ${sweep}`

/** Kinds of which an item is given up: what it is about waits, and all others go on. */
export async function failingSweeps(db: Kysely<Db>): Promise<readonly string[]> {
  const found = db
    .selectFrom('app.jobs')
    .select('kind')
    .distinct()
    .where('dead_at', 'is not', null)
    .where('kind', 'like', 'sweep %')
  return (await found.orderBy('kind').execute()).map(({ kind }) => kind)
}

/**
 * Items of sweeps that failed, among the durable jobs: so the list, the retry, the figures and the alert of those that were given up are
 * theirs too. No worker takes them; their sweep does.
 */
export const createFailing = (db: Kysely<Db>): Failing => ({
  async keys(sweep) {
    const rows = await db.selectFrom('app.jobs').select('key').where('kind', '=', failingKind(sweep)).execute()
    return rows.map(({ key }) => key)
  },

  async waiting(sweep) {
    const found = db.selectFrom('app.jobs').select('key').where('kind', '=', failingKind(sweep)).where('run_at', '>', NOW)
    return (await found.execute()).map(({ key }) => key)
  },

  async failed(sweep, key, error) {
    const reason = beginning(error instanceof Error ? error.message : String(error), MOST_OF_ERROR)
    await sql`
      insert into app.jobs as j (kind, key, payload, tries, error, run_at)
      values (${failingKind(sweep)}, ${key}, '{}', 1, ${reason}, now())
      on conflict (kind, key) do update set tries = j.tries + 1, error = excluded.error,
        dead_at = case when j.tries + 1 >= ${PARKED_AFTER} then coalesce(j.dead_at, now()) end,
        run_at = now() + make_interval(secs => case when j.tries + 1 < ${PARKED_AFTER} then 0
          else least(${LONGEST_PAUSE}, ${FIRST_PAUSE} * 2.0 ^ (least(j.tries + 1, 30) - ${PARKED_AFTER})) end)`.execute(db)
  },

  async succeeded(sweep, keys) {
    await db.deleteFrom('app.jobs').where('kind', '=', failingKind(sweep)).where('key', '=', anyOf(keys)).execute()
  },
})
