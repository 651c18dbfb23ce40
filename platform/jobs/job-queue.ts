import { sql, type Kysely, type OperationNodeSource } from 'kysely'
import { withTrace, type JobKind } from '#commands/jobs/job'
import { anyOf, inSeconds } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { recordedTrace } from '../database/lanes.ts'

type Queued<Field extends string> = {
  readonly kind: JobKind<Field>
  readonly payload: Readonly<Record<Field, string>>
  /** Runs this long after it was queued, at the earliest. */
  readonly afterSeconds?: number | undefined
}

/**
 * Stores a row of a subject and its job in one statement, in the caller's transaction: both are there, or neither. `row` returns the
 * job's `key` for a new row alone, so a row gets one job, whenever it is stored again. Returns whether it was new.
 */
export async function storeWithJob<Field extends string>(
  on: Kysely<Db>,
  row: OperationNodeSource,
  { kind, payload, afterSeconds = 0 }: Queued<Field>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with stored as (${row})
    insert into app.jobs (kind, key, payload, run_at)
    select ${kind.name}, key, ${JSON.stringify(withTrace(kind.write(payload), recordedTrace()))}::jsonb, ${inSeconds(afterSeconds)}
    from stored on conflict do nothing`.execute(on)
  return numAffectedRows === 1n
}

/** Removes jobs whose subject is over, in the caller's transaction. */
export async function removeJobs(
  on: Kysely<Db>,
  { name }: Pick<JobKind<string>, 'name'>,
  keys: readonly string[],
): Promise<void> {
  await on.deleteFrom('app.jobs').where('kind', '=', name).where('key', '=', anyOf(keys)).execute()
}

/** Removes jobs that no worker has taken so far; returns their keys. */
export async function removeUntriedJobs(
  on: Kysely<Db>,
  { name }: Pick<JobKind<string>, 'name'>,
  keys: readonly string[],
): Promise<readonly string[]> {
  const untried = on.deleteFrom('app.jobs').where('kind', '=', name).where('key', '=', anyOf(keys)).where('tries', '=', 0)
  return (await untried.returning('key').execute()).map(({ key }) => key)
}
