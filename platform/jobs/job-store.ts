import { sql, type Kysely } from 'kysely'
import type { Job, JobStore } from '#commands/jobs/job'
import { inSeconds, isoText, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { beginning } from '#domain/kit/text'

/** How long dead jobs are kept for their operator, days. */
const KEPT_DAYS = 30
/** Characters of the last error that are kept. */
export const MOST_OF_ERROR = 500

/** The table of jobs in PostgreSQL, for one worker. */
export function createJobStore(db: Kysely<Db>, worker: string): JobStore {
  // Nothing is stored of a worker that lost its lease: another one has the job ("ends nothing of a job that another worker has
  // taken"). The tries tell two leases of one worker apart.
  const held = ({ kind, key, tries }: Job) =>
    sql<boolean>`kind = ${kind} and key = ${key} and leased_by = ${worker} and tries = ${tries}`
  return {
    async take(wanted) {
      // One part for each kind, with its limit as a value: the planner then reads the index instead of sorting all that are due.
      const parts = wanted.map(
        ({ kind, most, leaseSeconds }) => sql`
          select kind, key, ${leaseSeconds}::int as seconds from (
            select kind, key from app.jobs
            where kind = ${kind} and dead_at is null and run_at <= now() and (leased_until is null or leased_until <= now())
            order by run_at limit ${most}
            -- Two workers at once get different jobs, and neither waits ("two workers never hold the same job").
            for update skip locked) as due_of_kind`,
      )
      const { rows } = await sql<Job>`
        with due as materialized (${sql.join(parts, sql` union all `)})
        update app.jobs j
        set tries = j.tries + 1, leased_by = ${worker}, leased_until = now() + make_interval(secs => due.seconds)
        from due where j.kind = due.kind and j.key = due.key
        returning j.kind, j.key, j.payload, j.tries, extract(epoch from now() - j.created_at)::float8 as age`.execute(db)
      return rows
    },
    async renew(jobs, leaseSeconds) {
      await sql`
        update app.jobs j set leased_until = now() + make_interval(secs => ${leaseSeconds})
        from unnest(${jobs.map(({ kind }) => kind)}::text[], ${jobs.map(({ key }) => key)}::text[],
          ${jobs.map(({ tries }) => tries)}::int[]) as r(kind, key, tries)
        where j.kind = r.kind and j.key = r.key and j.tries = r.tries and j.leased_by = ${worker}`.execute(db)
    },
    async remove(job) {
      await db.deleteFrom('app.jobs').where(held(job)).execute()
    },
    async postpone(job, afterMs, reason) {
      await db
        .updateTable('app.jobs')
        .set({
          run_at: inSeconds(afterMs / 1000),
          tries: reason === null ? 0 : job.tries,
          error: cut(reason),
          leased_by: null,
          leased_until: null,
        })
        .where(held(job))
        .execute()
    },
    async bury(job, reason) {
      await db
        .updateTable('app.jobs')
        .set({ dead_at: NOW, error: cut(reason), leased_by: null, leased_until: null })
        .where(held(job))
        .execute()
    },
  }
}

const cut = (reason: string | null) => (reason === null ? null : beginning(reason, MOST_OF_ERROR))

/** A failing item of a sweep is tried every ten minutes: one that was not tried for so long is no longer due. Hours. */
const ITEM_KEPT_HOURS = 1

/** Removes jobs that stayed dead, and failing items of sweeps that are no longer due. Their subjects purge the rows that are then without a job. */
export async function purgeJobs(db: Kysely<Db>): Promise<void> {
  await db
    .deleteFrom('app.jobs')
    .where('dead_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
    .execute()
  await db
    .deleteFrom('app.jobs')
    .where('kind', 'like', 'sweep %')
    .where('run_at', '<', sql<Date>`now() - make_interval(hours => ${ITEM_KEPT_HOURS})`)
    .execute()
}

export type JobFigures = {
  readonly kind: string
  readonly due: number
  readonly running: number
  /** Due later: after a failed try, or by plan. */
  readonly waiting: number
  readonly dead: number
  /** Seconds that the oldest due job has been due; 0 without one. */
  readonly oldest: number
  /** Age of the oldest job that is due, runs or failed so far, seconds; 0 without one. Those that wait by plan are none. */
  readonly unfinished: number
}

/** Figures of each of these kinds, also of those without a job, and of the failing items of sweeps. */
export async function jobFigures(db: Kysely<Db>, kinds: readonly string[]): Promise<readonly JobFigures[]> {
  const { rows } = await sql<JobFigures>`
    with found as (
      select kind, run_at, tries, created_at, case when dead_at is not null then 'dead' when leased_until > now() then 'running'
        when run_at <= now() and kind not like 'sweep %' then 'due' else 'waiting' end as state
      from app.jobs
    )
    select k.kind, count(*) filter (where state = 'due')::int as due, count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'dead')::int as dead,
      coalesce(extract(epoch from now() - min(run_at) filter (where state = 'due')), 0)::float8 as oldest,
      coalesce(extract(epoch from now() - min(case when tries = 0 then run_at else created_at end)
        filter (where state in ('due', 'running') or (state = 'waiting' and tries > 0))), 0)::float8 as unfinished
    from (select unnest(${kinds}::text[]) union select kind from found where kind like 'sweep %') as k(kind)
    left join found using (kind) group by k.kind`.execute(db)
  return rows
}

/** Jobs for an operator: those of one kind, with one key, or all for null. */
export type JobFilter = { readonly kind: string | null; readonly key: string | null }

export type ListedJob = {
  readonly kind: string
  readonly key: string
  readonly payload: unknown
  readonly tries: number
  readonly error: string | null
  /** ISO 8601. */
  readonly created: string
  readonly next: string
  readonly dead: boolean
  readonly running: boolean
}

/** Jobs that are not finished, the newest first. */
export async function listJobs(
  db: Kysely<Db>,
  { kind, dead, most }: { readonly kind: string | null; readonly dead: boolean; readonly most: number },
): Promise<readonly ListedJob[]> {
  const { rows } = await sql<ListedJob>`
    select kind, key, payload, tries, error, to_json(created_at) #>> '{}' as created, to_json(run_at) #>> '{}' as next,
      dead_at is not null as dead, coalesce(leased_until > now(), false) as running
    from app.jobs where (${kind}::text is null or kind = ${kind}) and (dead_at is not null or not ${dead})
    order by created_at desc, kind, key limit ${most}`.execute(db)
  return rows
}

export type FailedJob = {
  readonly kind: string
  readonly key: string
  readonly tries: number
  readonly error: string | null
  /** ISO 8601. */
  readonly created_at: string
  /** When it was given up; null while it is still repeated. */
  readonly dead_at: string | null
  /** The next try; null for a job that was given up. */
  readonly next_at: string | null
}

/** A page of jobs that were given up or whose last try failed, those given up first, the newest first, and how many there are. */
export async function failedJobs(
  db: Kysely<Db>,
  { kind, page, size }: { readonly kind: string | null; readonly page: number; readonly size: number },
): Promise<{ readonly rows: readonly FailedJob[]; readonly total: number }> {
  const found = db
    .selectFrom('app.jobs')
    .where((eb) => eb.or([eb('dead_at', 'is not', null), eb('error', 'is not', null)]))
    .$if(kind !== null, (failed) => failed.where('kind', '=', kind))
  const rows = await found
    .select(['kind', 'key', 'tries', 'error'])
    .select((eb) => [
      isoText(eb.ref('created_at')).as('created_at'),
      isoText(eb.ref('dead_at')).as('dead_at'),
      isoText(sql<Date | null>`case when dead_at is null then run_at end`).as('next_at'),
    ])
    .orderBy(sql`dead_at is null`)
    .orderBy(sql`coalesce(dead_at, created_at)`, 'desc')
    .orderBy('kind')
    .orderBy('key')
    .limit(size)
    .offset(page * size)
    .execute()
  const { total } = await found.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Removes a job that was given up; false when there is none. */
export async function discardJob(
  db: Kysely<Db>,
  { kind, key }: { readonly kind: string; readonly key: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('app.jobs')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('dead_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Makes jobs due now, dead ones and those that wait, with all their tries; those under way are left alone. Returns how many. */
export async function retryJobs(db: Kysely<Db>, { kind, key }: JobFilter): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('app.jobs')
    .set({ run_at: NOW, tries: 0, error: null, dead_at: null, created_at: NOW, leased_by: null, leased_until: null })
    .where(sql<boolean>`(leased_until is null or leased_until <= now())`)
    .$if(kind !== null, (found) => found.where('kind', '=', kind))
    .$if(key !== null, (found) => found.where('key', '=', key))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
