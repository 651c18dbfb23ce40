import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { timed } from '../database/copy-in.ts'

/** A table and the columns that are written to it. */
export type Table = { readonly name: string; readonly columns: readonly string[] }

/** A part of a partitioned table, which no migration makes. */
export type Partition = { readonly name: string; readonly parent: string; readonly bound: string }

/** Schemas of what is primary. Read models are in `public`, and built from the log again. */
const SCHEMAS = ['app', 'es', 'facts', 'identity']

/** Tables that a running product fills again: how far read models are, who leads, snapshots of the log, and reserved limits. */
const LEFT_OUT = ['app.reservations', 'es.dead_letters', 'es.generations', 'es.leases', 'es.snapshots', 'es.subscriptions']

/** Begins a transaction that sees the database as it is now, however long it takes. */
export async function beginSnapshot(client: PoolClient): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  await withoutLimits(client)
}

/** Begins the transaction of a restore. */
export async function beginRestore(client: PoolClient): Promise<void> {
  await client.query('begin')
  await withoutLimits(client)
}

const withoutLimits = (client: PoolClient) =>
  client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')

/** The tables of a backup, each after those that its rows refer to; their names and columns are quoted where SQL needs it. */
export async function tablesOf(client: PoolClient): Promise<readonly Table[]> {
  const { rows } = await client.query<Table & { readonly needs: readonly string[] }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select distinct format('%I.%I', tn.nspname, t.relname) from pg_constraint f
        join pg_class t on t.oid = f.confrelid join pg_namespace tn on tn.oid = t.relnamespace
        where f.conrelid = c.oid and f.contype = 'f' and t.oid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname || '.' || c.relname <> all($2)
    order by 1`,
    [SCHEMAS, LEFT_OUT],
  )
  return inOrder(rows)
}

/** Tables after those that they need. */
export function inOrder(tables: readonly (Table & { readonly needs: readonly string[] })[]): readonly Table[] {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const ordered = new Map<string, Table>()
  const add = (name: string, asked: readonly string[]): void => {
    const table = byName.get(name)
    if (table === undefined || ordered.has(name)) return
    if (asked.includes(name)) throw new Error(`tables refer to each other: ${[...asked, name].join(', ')}`)
    for (const needed of table.needs) add(needed, [...asked, name])
    ordered.set(name, { name, columns: table.columns })
  }
  for (const { name } of tables) add(name, [])
  return [...ordered.values()]
}

export async function partitionsOf(client: PoolClient): Promise<readonly Partition[]> {
  const { rows } = await client.query<Partition>(
    `select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', pn.nspname, p.relname) as parent,
      pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
    where c.relispartition and c.relkind in ('r', 'p') and n.nspname = any($1)
    order by p.relispartition, 1`,
    [SCHEMAS],
  )
  return rows
}

/** How far the log is: the number of its events, and the position of the newest; null for an empty log. */
export async function logOf(client: PoolClient): Promise<{ readonly events: number; readonly head: string | null }> {
  const { rows } = await client.query<{ events: number; head: string | null }>(
    'select count(*)::float8 as events, max(position)::text as head from es.events',
  )
  return rows[0] ?? { events: 0, head: null }
}

/** Hashes of the stored files that the snapshot refers to. */
export async function blobsOf(client: Pick<PoolClient, 'query'>): Promise<readonly string[]> {
  const { rows } = await client.query<{ sha256: string }>(
    'select distinct b.sha256 from app.file_blobs b join app.files f on f.id = b.file_id where f.stored order by 1',
  )
  return rows.map(({ sha256 }) => sha256)
}

/** Sends the rows of a table in PostgreSQL's binary format; resolves with their number. */
export async function sendTable(
  client: PoolClient,
  { name, columns }: Table,
  write: (rows: Readable) => Promise<void>,
): Promise<number> {
  const stream = copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout (format binary)`)
  await timed(client, stream, () => write(stream), { unlimited: true })
  return stream.rowCount
}

/** Fills a table with rows that `sendTable` sent; resolves with their number. */
export async function fillTable(client: PoolClient, { name, columns }: Table, rows: Readable): Promise<number> {
  const stream = copyFrom(`copy ${name} (${columns.join(', ')}) from stdin (format binary)`)
  await timed(client, stream, () => pipeline(rows, stream), { unlimited: true })
  return stream.rowCount
}

/** Makes the partitions, and empties what migrations have filled. Rows come in as they were: nothing follows from them. */
export async function openForRows(client: PoolClient, tables: readonly Table[], partitions: readonly Partition[]): Promise<void> {
  for (const { name, parent, bound } of partitions) await client.query(`create table ${name} partition of ${parent} ${bound}`)
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`)
  for (const { name } of tables.toReversed()) {
    const { rows } = await client.query(`select from ${name} limit 1`)
    // The log and security events refuse a delete, and are empty.
    if (rows.length > 0) await client.query(`delete from ${name}`)
  }
}

/** Numbers go on after those of the rows. */
export async function closeForRows(client: PoolClient, tables: readonly Table[]): Promise<void> {
  for (const { name } of tables) {
    await client.query(`alter table ${name} enable trigger user`)
    const { rows } = await client.query<{ column: string; sequence: string }>(
      `select quote_ident(a.attname) as column, pg_get_serial_sequence($1, a.attname) as sequence from pg_attribute a
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and pg_get_serial_sequence($1, a.attname) is not null`,
      [name],
    )
    for (const { column, sequence } of rows)
      await client.query(`select setval($1, greatest(coalesce(max(${column}), 0), 1), max(${column}) is not null) from ${name}`, [
        sequence,
      ])
  }
}

/** Whether the product ever ran on this database. A restore that was interrupted leaves tables without rows: it may be repeated. */
export async function isUsed(client: Pick<PoolClient, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(`select to_regclass('es.events') is not null as made`)
  if (rows[0]?.made !== true) return false
  const { rows: found } = await client.query<{ used: boolean }>(
    `select exists (select from es.events) or exists (select from identity.people) or exists (select from es.subscriptions) as used`,
  )
  return found[0]?.used === true
}
