import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { LogTreeStore, Tile, TileAddress, TreeState } from '#commands/audit/log-port'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Origin of a log without a public address: `.invalid` is reserved for names that resolve nowhere. */
const someOrigin = (): string => `${randomUUID()}.placard.invalid/log`

/**
 * The tree in PostgreSQL, also where the events are in another store. `origin` names the log once, at its first use: a log under a new
 * name would be another log.
 */
export function createLogTreeStore(db: Kysely<Db>, origin: string | null): LogTreeStore {
  let created: Promise<unknown> | null = null
  const create = () =>
    db
      .insertInto('app.log_tree')
      .values({ origin: origin ?? someOrigin() })
      // The first of several processes that start at once names the log.
      .onConflict((conflict) => conflict.column('one').doNothing())
      .execute()

  const readTiles = async (on: Kysely<Db>, addresses: readonly TileAddress[]): Promise<readonly Tile[]> => {
    if (addresses.length === 0) return []
    const { rows } = await sql<{ level: number; index: bigint; hashes: Buffer }>`
      select t.level, t.index, t.hashes from app.log_tiles t
      join unnest(${addresses.map(({ level }) => level)}::smallint[], ${addresses.map(({ index }) => index)}::bigint[])
        as a(level, index) using (level, index)`.execute(on)
    return rows.map(({ level, index, hashes }) => ({ level, index: Number(index), hashes }))
  }

  return {
    async state() {
      created ??= create().catch((error: unknown) => {
        created = null
        throw error
      })
      await created
      return stateOf(await db.selectFrom('app.log_tree').selectAll().executeTakeFirstOrThrow())
    },

    append: ({ from, upTo, eventIds, edges, extend }) =>
      db.transaction().execute(async (tx) => {
        // One builder at a time, and none from where another has been
        // ("the transparency log has every event in the order of positions, with several writers and builders").
        const { numUpdatedRows } = await tx
          .updateTable('app.log_tree')
          .set({ size: from.size + eventIds.length, position: upTo })
          .where('size', '=', BigInt(from.size))
          .where('position', '=', from.position)
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) return false
        if (eventIds.length === 0) return true
        const tiles = extend(await readTiles(tx, edges))
        await sql`
          insert into app.log_tiles (level, index, hashes)
          select * from unnest(${tiles.map(({ level }) => level)}::smallint[], ${tiles.map(({ index }) => index)}::bigint[],
            ${tiles.map(({ hashes }) => hashes)}::bytea[])
          on conflict (level, index) do update set hashes = excluded.hashes`.execute(tx)
        await sql`
          insert into app.log_leaves (event_id, index)
          select id, ${from.size}::bigint + n - 1 from unnest(${[...eventIds]}::uuid[]) with ordinality e(id, n)
          on conflict do nothing`.execute(tx)
        return true
      }),

    tiles: (addresses) => readTiles(db, addresses),

    async indexOf(eventId) {
      const leaf = await db.selectFrom('app.log_leaves').select('index').where('event_id', '=', eventId).executeTakeFirst()
      return leaf === undefined ? null : Number(leaf.index)
    },

    async indexesOf(eventIds) {
      if (eventIds.length === 0) return []
      const { rows } = await sql<{ id: string; index: bigint }>`
        select l.event_id as id, l.index from unnest(${[...eventIds]}::uuid[]) e(id) join app.log_leaves l on l.event_id = e.id`.execute(
        db,
      )
      const found = new Map(rows.map(({ id, index }) => [id, Number(index)]))
      return eventIds.map((id) => found.get(id) ?? null)
    },

    async eventsAt(from, to) {
      const leaves = db.selectFrom('app.log_leaves').select('event_id')
      const rows = await leaves.where('index', '>=', BigInt(from)).where('index', '<', BigInt(to)).orderBy('index').execute()
      return rows.map(({ event_id }) => event_id)
    },

    async checked({ size, position }) {
      await db.updateTable('app.log_tree').set({ checked_size: size, checked_position: position }).execute()
    },

    async faulty(fault) {
      const fault_at = sql<Date>`coalesce(fault_at, now())`
      await db.updateTable('app.log_tree').set({ fault, fault_at, checked_size: 0, checked_position: 0 }).execute()
    },

    async agrees() {
      const over = { checked_size: 0, checked_position: 0, checked_at: NOW }
      await db
        .updateTable('app.log_tree')
        .set({ fault: null, fault_at: null, ...over })
        .execute()
    },
  }
}

type Row = {
  readonly origin: string
  readonly size: bigint
  readonly position: bigint
  readonly checked_size: bigint
  readonly checked_position: bigint
  readonly fault: string | null
}

const stateOf = ({ origin, size, position, checked_size, checked_position, fault }: Row): TreeState => ({
  origin,
  size: Number(size),
  position,
  checked: { size: Number(checked_size), position: checked_position },
  fault,
})
