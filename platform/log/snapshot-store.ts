import { sql, type Kysely } from 'kysely'
import type { Snapshot, Snapshots } from '#commands/snapshots'
import type { Db } from '#migrations/db'

/** Snapshots of streams in PostgreSQL, also of a log elsewhere. */
export const createSnapshotStore = (db: Kysely<Db>): Snapshots => ({
  async find(stream, shape) {
    const row = await db
      .selectFrom('es.snapshots')
      .select(sql<Snapshot>`snapshot`.as('snapshot'))
      .where('stream_id', '=', stream)
      .where('shape', '=', shape)
      .executeTakeFirst()
    return row?.snapshot ?? null
  },
  async save(snapshot) {
    const { shape, stream, version } = snapshot
    await sql`
      insert into es.snapshots (stream_id, shape, version, snapshot)
      values (${stream}, ${shape}, ${version}, ${JSON.stringify(snapshot)}::jsonb)
      on conflict (stream_id) do update
      set shape = excluded.shape, version = excluded.version, snapshot = excluded.snapshot
      where es.snapshots.shape <> excluded.shape or es.snapshots.version < excluded.version`.execute(db)
  },
})

/** Names of streams with a snapshot after this one, in order. */
export async function snapshotStreams(db: Kysely<Db>, after: string, most: number): Promise<readonly string[]> {
  const streams = db.selectFrom('es.snapshots').select('stream_id').where('stream_id', '>', after)
  return (await streams.orderBy('stream_id').limit(most).execute()).map(({ stream_id }) => stream_id)
}
