import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import type { ReadModel, Tables } from '#projections/projector/read-model'

/**
 * The read model of the chaos runs: number and order of the events per stream. Deliberately not idempotent: an event that is
 * applied twice, lost or out of order stays visible in its row.
 */
export const counting = (afterRows: () => Promise<void> = async () => {}): ReadModel => ({
  name: 'chaos',
  version: 1,
  tables: ['chaos'],
  concerns: () => true,
  create: (db, tables) => createTable(db, tableOf(tables)),
  apply: async (db, tables, events) => {
    const table = tableOf(tables)
    for (const { stream, id } of events) {
      await sql`
        insert into ${sql.table(table)} as c values (${stream}, 1, md5(${id}::text))
        on conflict (stream) do update set events = c.events + 1, digest = md5(c.digest || ${id}::text)`.execute(db)
    }
    await afterRows()
  },
})

const tableOf = (tables: Tables): string => tables['chaos'] ?? ''

async function createTable(db: Kysely<Db>, table: string): Promise<void> {
  await sql`create table ${sql.table(table)} (stream text primary key, events integer not null, digest text not null)`.execute(db)
}
