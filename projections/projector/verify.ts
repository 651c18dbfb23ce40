import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore, Position, StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { startBuild } from './build.ts'
import { withinLog } from './flip.ts'
import { liveGeneration } from './generations.ts'
import { isParked, parkedStreams, type ParkedStreams } from './parked.ts'
import { tablesOf, type Generation, type ReadModel } from './read-model.ts'
import { abortable, catchUpWithLive, fill, withBuilding, type BuildOptions } from './rebuild.ts'

/** A row that differs: only in the live generation, only in what the log gives, or in both with other values in these columns. */
export type DifferentRow = {
  /** Values of its primary key. */
  readonly key: readonly string[]
  readonly kind: 'only-live' | 'only-log' | 'changed'
  readonly columns: readonly string[]
}

/** Number of rows of one table that differ between the live generation and a fresh build, and the first hundred of them. */
export type Difference = {
  readonly table: string
  readonly missing: number
  readonly extra: number
  readonly changed: number
  readonly rows: readonly DifferentRow[]
}
const MOST_ROWS = 100

/** `changed`: the live generation was replaced, or a stream was parked or retried, while this one was built. */
export type Verified =
  | { readonly kind: 'compared'; readonly differences: readonly Difference[] }
  | { readonly kind: 'none-live' }
  | { readonly kind: 'other-version'; readonly version: number }
  | { readonly kind: 'changed' }

/**
 * Builds a generation, compares its rows with the live ones at the same position, and drops it. Nothing waits for it: a
 * repeatable-read transaction keeps one view of the live rows, applies what the build lacks, compares, and is rolled back.
 * Streams that are parked in the live generation are left out from the same events on. An event that cannot be applied ends it
 * with that error.
 */
export async function verify(
  db: Kysely<Db>,
  store: EventStore,
  model: ReadModel,
  { onProgress, signal }: BuildOptions = {},
): Promise<Verified> {
  const before = await liveGeneration(db, model.name)
  if (before === null) return { kind: 'none-live' }
  if (before.version !== model.version) return { kind: 'other-version', version: before.version }
  const parked = await parkedStreams(db, before)
  return withBuilding(db, model, async (building) => {
    const log = withoutParked(abortable(store, signal), parked)
    const filled = await fill({ db, store: log, model, onProgress }, building)
    const build = startBuild({ db, store: log, model, onProgress, parkAtMost: 0 }, filled)
    await catchUpWithLive(db, log, build)
    const result: { verified: Verified } = { verified: { kind: 'changed' } }
    const rollback = new Error('the comparison is rolled back')
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (trx) => {
        const live = await liveGeneration(trx, model.name)
        const next = build.generation()
        if (live !== null && live.generation === before.generation && live.position >= next.position) {
          const parkedNow = await parkedStreams(trx, live)
          if (sameUpTo(next.position, parked, parkedNow)) {
            const missing = await readBetween(model, store, next.position, await withinLog(store, live.position))
            const applied = missing.filter((event) => !isParked(parkedNow, event))
            if (applied.length > 0) await model.apply(trx, tablesOf(model, next.generation), applied, new Map())
            result.verified = { kind: 'compared', differences: await differences(trx, model, live, next) }
          }
        }
        throw rollback
      })
      .catch((error: unknown) => {
        if (error !== rollback) throw error
      })
    return result.verified
  })
}

/** Whether the same streams are parked from the same events on, as far as the build has come. */
const sameUpTo = (position: Position, before: ParkedStreams, now: ParkedStreams): boolean =>
  [...before].every(([stream, since]) => now.get(stream) === since) &&
  [...now].every(([stream, since]) => before.get(stream) === since || since > position)

function withoutParked(store: EventStore, parked: ParkedStreams): EventStore {
  if (parked.size === 0) return store
  async function* scan(after: Position) {
    for await (const { events, upTo } of store.scan(after))
      yield { events: events.filter((event) => !isParked(parked, event)), upTo }
  }
  return { ...store, scan }
}

async function readBetween(
  model: ReadModel,
  store: EventStore,
  after: Position,
  goal: Position,
): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for (let at = after; at < goal;) {
    const page = await store.readAll(at, 1000)
    if (page.upTo <= at) throw new Error(`${model.name} cannot be read up to ${goal} now; try again`)
    for (const event of page.events) if (event.position <= goal) events.push(event)
    at = page.upTo
  }
  return events
}

/** Rows are compared as jsonb: the order of keys within a JSON column does not matter. */
async function differences(
  trx: Transaction<Db>,
  model: ReadModel,
  live: Generation,
  building: Generation,
): Promise<readonly Difference[]> {
  const result: Difference[] = []
  for (const table of model.tables) {
    const [a, b] = [live, building].map(({ generation }) => sql.table(tablesOf(model, generation)[table] ?? ''))
    const keys = await keysOf(trx, tablesOf(model, building.generation)[table] ?? '')
    const compared = sql`
      (select ${keyText(keys)} as key, ${keyValues(keys)} as keys, md5(to_jsonb(t)::text) as hash, t.ctid from ${a} t) a
      full join (select ${keyText(keys)} as key, ${keyValues(keys)} as keys, md5(to_jsonb(t)::text) as hash, t.ctid from ${b} t) b
        on a.key = b.key
      where a.hash is distinct from b.hash`
    const { rows } = await sql<Omit<Difference, 'table' | 'rows'>>`
      select count(*) filter (where b.key is null)::int as missing, count(*) filter (where a.key is null)::int as extra,
             count(*) filter (where a.hash <> b.hash)::int as changed
      from ${compared}`.execute(trx)
    const { missing = 0, extra = 0, changed = 0 } = rows[0] ?? {}
    if (missing + extra + changed === 0) continue
    const named = await sql<DifferentRow>`
      select coalesce(d.a_keys, d.b_keys) as key,
        case when d.a is null then 'only-log' when d.b is null then 'only-live' else 'changed' end as kind,
        array(select n.key from jsonb_each((select to_jsonb(t) from ${a} t where t.ctid = d.a)) n
              where d.b is not null
                and n.value is distinct from (select to_jsonb(t) from ${b} t where t.ctid = d.b) -> n.key order by n.key) as columns
      from (select a.keys as a_keys, b.keys as b_keys, a.ctid as a, b.ctid as b from ${compared}
            order by coalesce(a.key, b.key) limit ${MOST_ROWS}) d`.execute(trx)
    result.push({ table, missing, extra, changed, rows: named.rows })
  }
  return result
}

/** Primary key columns of a table. */
const keysOf = async (trx: Transaction<Db>, table: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ column: string }>`
    select a.attname as column from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary order by array_position(i.indkey, a.attnum)`.execute(trx)
  return rows.map(({ column }) => column)
}

const keyValues = (keys: readonly string[]) =>
  sql`array[${sql.join(keys.map((key) => sql`${sql.ref(`t.${key}`)}::text`))}]::text[]`

const keyText = (keys: readonly string[]) =>
  sql`concat_ws(E'\\x1f', ${sql.join(keys.map((key) => sql`${sql.ref(`t.${key}`)}::text`))})`
