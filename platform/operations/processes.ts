import { sql, type Kysely } from 'kysely'
import { isoText, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** A process counts as alive for this long after its last sign of life, seconds. */
const ALIVE_SECONDS = 30
/** Its row is removed after this, seconds. */
const KEPT_SECONDS = 600

/** This process, as its row names it. */
export type ThisProcess = {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly role: string
  readonly version: string
}

/** A service outside that a process cannot reach. */
export type AwayService = {
  readonly name: string
  /** Instant at which the process noticed it, ISO 8601. */
  readonly since: string
}

export type LiveProcess = ThisProcess & {
  /** ISO 8601. */
  readonly started_at: string
  readonly seen_at: string
  readonly away: readonly AwayService[]
}

/** Stores a sign of life, and removes the rows of processes that ended without a word. */
export async function beat(db: Kysely<Db>, one: ThisProcess, away: readonly AwayService[]): Promise<void> {
  const services = JSON.stringify(away)
  await db
    .insertInto('app.processes')
    .values({ ...one, away: services })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: NOW, away: services }))
    .execute()
  await db
    .deleteFrom('app.processes')
    .where('seen_at', '<', sql<Date>`now() - make_interval(secs => ${KEPT_SECONDS})`)
    .execute()
}

/** Removes the row of a process that stops. */
export async function endProcess(db: Kysely<Db>, id: string): Promise<void> {
  await db.deleteFrom('app.processes').where('id', '=', id).execute()
}

/** Processes that are alive, the oldest first. */
export async function liveProcesses(db: Kysely<Db>, most: number): Promise<readonly LiveProcess[]> {
  return db
    .selectFrom('app.processes')
    .select(['id', 'host', 'pid', 'role', 'version'])
    .select((eb) => [
      isoText(eb.ref('started_at')).as('started_at'),
      isoText(eb.ref('seen_at')).as('seen_at'),
      sql<readonly AwayService[]>`away`.as('away'),
    ])
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${ALIVE_SECONDS})`)
    .orderBy('started_at')
    .orderBy('id')
    .limit(most)
    .execute()
}
