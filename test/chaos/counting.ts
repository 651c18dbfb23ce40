import { sql, type Kysely } from 'kysely'
import type { ReadModel, Tables, Write } from '../../projections/projector/read-model.ts'

/**
 * The read models of the chaos runs: how often and in which order they were given the events of each stream. Deliberately not
 * idempotent: an event applied twice, left out or out of order stays visible in its row for ever.
 */
export const counting = (afterRows: () => Promise<void> = async () => {}): ReadModel => ({
  name: 'chaos',
  version: 1,
  tables: ['chaos'],
  concerns: () => true,
  create: (db, tables) => createTable(db, tableOf(tables, 'chaos')),
  apply: async (db, tables, events) => {
    const table = tableOf(tables, 'chaos')
    for (const { stream, id } of events) {
      await sql`
        insert into ${sql.table(table)} as c values (${stream}, 1, md5(${id}::text))
        on conflict (stream) do update set events = c.events + 1, digest = md5(c.digest || ${id}::text)`.execute(db)
    }
    await afterRows()
  },
})

/** The same by statements that travel with the checkpoint, as small pages of the product's read models do. */
export const countingTogether = (): ReadModel => ({
  ...counting(),
  name: 'chaos-together',
  tables: ['chaos_together'],
  create: async (db, tables) => {
    await createTable(db, tableOf(tables, 'chaos_together'))
    await sql`
      create or replace function chaos_digest(digest text, ids text[]) returns text language plpgsql immutable as $$
      declare id text;
      begin
        foreach id in array ids loop digest := md5(digest || id); end loop;
        return digest;
      end $$`.execute(db)
  },
  apply: async (db, tables, events) => {
    for (const event of events) await countTogether(tableOf(tables, 'chaos_together'), [event])(sql`true`).execute(db)
  },
  writes: async (_, tables, events) => [countTogether(tableOf(tables, 'chaos_together'), events)],
})

/** Both ways in which rows get there. */
export const CHAOS_MODELS: readonly ReadModel[] = [counting(), countingTogether()]

type Counted = { readonly stream: string; readonly id: string }

function countTogether(table: string, events: readonly Counted[]): Write {
  const ids = new Map<string, string[]>()
  for (const { stream, id } of events) ids.set(stream, [...(ids.get(stream) ?? []), id])
  const counted = JSON.stringify([...ids].map(([stream, all]) => ({ stream, ids: all })))
  return (where) => sql`
    insert into ${sql.table(table)} as c
    select stream, cardinality(ids), chaos_digest('', ids) from json_to_recordset(${counted}::json) e (stream text, ids text[])
    where ${where}
    on conflict (stream) do update set events = c.events + excluded.events,
      digest = chaos_digest(c.digest, (select e.ids from json_to_recordset(${counted}::json) e (stream text, ids text[])
                                       where e.stream = excluded.stream))`
}

const tableOf = (tables: Tables, base: string): string => tables[base] ?? ''

async function createTable(db: Kysely<never>, table: string): Promise<void> {
  await sql`create table ${sql.table(table)} (stream text primary key, events integer not null, digest text not null)`.execute(db)
}
