import { sql, type Kysely, type Transaction } from 'kysely'
import type { EventStore } from '../../eventstore/event-store.ts'
import { liveGeneration } from './generations.ts'
import { shardOf, tablesOf, type Generation, type Memory, type ReadModel } from './read-model.ts'
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
 * compares, and takes everything back. Null where there is no live one of this version, or where it is behind.
 */
export async function compareWithLive(
  db: Kysely<never>,
  store: EventStore,
  model: ReadModel,
  building: Generation,
): Promise<Comparison | null> {
  const found: Comparison[] = []
  const enough = new Error('what was done for the sake of a comparison is taken back')
  const transaction = db.transaction().setIsolationLevel('repeatable read')
  await transaction
    .execute(async (trx) => {
      await unhurried(trx)
      const live = await liveGeneration(trx, model.name)
      if (live !== null && live.version === model.version && newest(building) <= oldest(live)) {
        await bringTo(live, trx, store, model, building)
        found.push({ generation: live.generation, differences: await differences(trx, model, live, building) })
      }
      throw enough
    })
    .catch((error: unknown) => {
      if (error !== enough) throw error
    })
  return found[0] ?? null
}

const newest = ({ positions }: Generation) => positions.reduce((most, position) => (position > most ? position : most))
const oldest = ({ positions }: Generation) => positions.reduce((least, position) => (position < least ? position : least))

/** Applies to the building rows what the live ones have of each stream beyond them. */
async function bringTo(
  live: Generation,
  trx: Transaction<never>,
  store: EventStore,
  model: ReadModel,
  building: Generation,
): Promise<void> {
  const positionIn = ({ positions }: Generation, stream: string) => positions[shardOf(stream, positions.length)] ?? 0n
  const memory: Memory = new Map()
  const goal = newest(live)
  for (let at = oldest(building); at < goal;) {
    const { events, upTo } = await store.readAll(at, 1000)
    if (upTo <= at) throw cannotBeRead(model, goal)
    const missing = events.filter(
      ({ stream, position }) => position > positionIn(building, stream) && position <= positionIn(live, stream),
    )
    if (missing.some(model.concerns)) await model.apply(trx, tablesOf(model, building.generation), missing, memory)
    at = upTo
  }
}

/** What the live one has passed is certain; should the reader not say so yet, the rows stay as they are for now. */
export const cannotBeRead = ({ name }: ReadModel, goal: bigint) =>
  new Error(`${name} cannot be read up to ${goal} now; try again`)

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
