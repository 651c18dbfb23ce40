import { sql } from 'kysely'
import type { ReadModel } from '../../projections/projector/read-model.ts'

/**
 * The read model of the chaos runs: how often and in which order it was given the events of each stream. Deliberately not
 * idempotent: an event applied twice, left out or out of order stays visible in its row for ever.
 */
export const counting = (afterRows: () => Promise<void> = async () => {}): ReadModel => ({
  name: 'chaos',
  version: 1,
  tables: ['chaos'],
  concerns: () => true,
  create: async (db, tables) => {
    await sql`create table ${sql.table(tables['chaos'] ?? '')} (
      stream text primary key, events integer not null, digest text not null)`.execute(db)
  },
  apply: async (db, tables, events) => {
    for (const { stream, id } of events) {
      await sql`
        insert into ${sql.table(tables['chaos'] ?? '')} as c values (${stream}, 1, md5(${id}::text))
        on conflict (stream) do update set events = c.events + 1, digest = md5(c.digest || ${id}::text)`.execute(db)
    }
    await afterRows()
  },
})

/** The same by statements that travel with the checkpoint; without the order. */
export const countingTogether = (): ReadModel => ({
  ...counting(),
  writes: async (_, tables, events) => {
    const counts = new Map<string, number>()
    for (const { stream } of events) counts.set(stream, (counts.get(stream) ?? 0) + 1)
    return [
      (where) => sql`
        insert into ${sql.table(tables['chaos'] ?? '')} as c
        select stream, events, '' from unnest(${[...counts.keys()]}::text[], ${[...counts.values()]}::int[]) e (stream, events)
        where ${where}
        on conflict (stream) do update set events = c.events + excluded.events`,
    ]
  },
})
