import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore, StoredEvent } from '../../eventstore/event-store.ts'
import { asideOf, isAside, type AsideStreams } from './aside.ts'
import type { Build } from './build.ts'
import { liveGeneration } from './generations.ts'
import { cannotBeRead } from './patience.ts'
import { newest, oldest, shardOf, tablesOf, type Generation, type Memory, type ReadModel } from './read-model.ts'
import { unhurried } from './unhurried.ts'

/** Rows of one table that two generations do not have alike. */
export type Difference = { readonly table: string; readonly missing: number; readonly extra: number; readonly changed: number }

export type Comparison = {
  /** The live generation that it was. */
  readonly generation: number
  readonly differences: readonly Difference[]
}

/**
 * Compares a generation with the live one, whole rows as text: byte for byte. Both at exactly the same events, and with nobody
 * waiting: a transaction that keeps its view of the live rows brings the building ones to where those are, shard by shard,
 * compares, and takes everything back. Null where there is no live one of this version, or where it lacks what the building one
 * has. Throws `NotYet` where the log cannot be read as far now.
 */
export async function compareWithLive(db: Kysely<never>, store: EventStore, build: Build): Promise<Comparison | null> {
  const { model } = build
  const building = build.generation()
  const found: Comparison[] = []
  const enough = new Error('what was done for the sake of a comparison is taken back')
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  await transaction
    .execute(async (trx) => {
      await unhurried(trx)
      const live = await liveGeneration(trx, model.name)
      if (live !== null && live.version === model.version) {
        const aside = await asideOf(trx, live)
        if (leadsTo(build, live, aside)) {
          await bringTo(live, aside, trx, store, build)
          found.push({ generation: live.generation, differences: await differences(trx, model, live, building) })
        }
      }
      throw enough
    })
    .catch((error: unknown) => {
      if (error !== enough) throw error
    })
  return found[0] ?? null
}

export const positionIn = ({ positions }: Generation, stream: string) => positions[shardOf(stream, positions.length)] ?? 0n

/** Whether the building rows have nothing that the live ones lack, stream by stream. What is taken up again meanwhile lacks nothing any more. */
function leadsTo(build: Build, live: Generation, aside: AsideStreams): boolean {
  const building = build.generation()
  const behind =
    building.positions.length === live.positions.length
      ? building.positions.every((position, shard) => position <= (live.positions[shard] ?? 0n))
      : newest(building) <= oldest(live)
  const own = build.aside()
  return (
    behind &&
    [...aside].every(
      ([stream, { position }]) => own.get(stream)?.position === position || positionIn(building, stream) < position,
    ) &&
    [...build.inherited].every((stream) => aside.has(stream))
  )
}

/** Applies to the building rows what the live ones have of each stream beyond them. */
async function bringTo(
  live: Generation,
  aside: AsideStreams,
  trx: Transaction<never>,
  store: EventStore,
  build: Build,
): Promise<void> {
  const { model } = build
  const building = build.generation()
  const own = build.aside()
  const lacks = (event: StoredEvent) => event.position > positionIn(building, event.stream) && !isAside(own, event)
  const shows = (event: StoredEvent) => event.position <= positionIn(live, event.stream) && !isAside(aside, event)
  const memory: Memory = new Map()
  const goal = newest(live)
  for (let at = oldest(building); at < goal;) {
    const { events, upTo } = await store.readAll(at, 1000)
    if (upTo <= at) throw cannotBeRead(model, goal)
    const missing = events.filter((event) => lacks(event) && shows(event))
    if (missing.some(model.concerns)) await model.apply(trx, tablesOf(model, building.generation), missing, memory)
    at = upTo
  }
}

async function differences(
  trx: Transaction<never>,
  model: ReadModel,
  live: Generation,
  building: Generation,
): Promise<readonly Difference[]> {
  const result: Difference[] = []
  for (const table of model.tables) {
    const [a, b] = [live, building].map(({ generation }) => sql.table(tablesOf(model, generation)[table] ?? ''))
    const keys = await keysOf(trx, tablesOf(model, building.generation)[table] ?? '')
    const { rows } = await sql<Omit<Difference, 'table'>>`
      select count(*) filter (where b.key is null)::int as missing, count(*) filter (where a.key is null)::int as extra,
             count(*) filter (where a.row <> b.row)::int as changed
      from (select ${keyText(keys)} as key, md5(t::text) as row from ${a} t) a
      full join (select ${keyText(keys)} as key, md5(t::text) as row from ${b} t) b on a.key = b.key
      where a.row is distinct from b.row`.execute(trx)
    const { missing = 0, extra = 0, changed = 0 } = rows[0] ?? {}
    if (missing + extra + changed > 0) result.push({ table, missing, extra, changed })
  }
  return result
}

const keysOf = async (trx: Transaction<never>, table: string): Promise<readonly string[]> => {
  const { rows } = await sql<{ column: string }>`
    select a.attname as column from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary order by array_position(i.indkey, a.attnum)`.execute(trx)
  return rows.map(({ column }) => column)
}

const keyText = (keys: readonly string[]) =>
  sql`concat_ws(E'\\x1f', ${sql.join(keys.map((key) => sql`${sql.ref(`t.${key}`)}::text`))})`
