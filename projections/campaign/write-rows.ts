import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Write } from '../projector/read-model.ts'

/** A table of rows that are written whole; `columns` and after them `states` are all of its columns, in its order. */
export type Target = {
  readonly table: string
  readonly key: string
  readonly columns: readonly string[]
  /** Columns of JSON text, never empty, that only the fold reads. They travel as lines, which the server need not parse. */
  readonly states: readonly string[]
}

export type WrittenRow = { readonly values: object; readonly states: readonly string[] }

/** Rows per statement. */
const CHUNK = 200

/**
 * Brings the rows of items up to date, a chunk at a time, with the statements that `writesOf` makes of it. While the server takes one chunk
 * the next is made. A row that has this version or a later one stays as it is: a batch seen twice is harmless.
 */
export async function writeRows<Item>(
  db: Kysely<never>,
  items: readonly Item[],
  writesOf: (some: readonly Item[]) => readonly Write[],
): Promise<void> {
  let written: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < items.length; from += CHUNK) {
    const writes = writesOf(items.slice(from, from + CHUNK))
    await written
    written = Promise.all(writes.map((write) => write(sql`true`).execute(db)))
    // A fault reaches whoever waits for the next chunk or the end; until then nobody listens.
    written.catch(() => undefined)
    // The statement leaves with the next turn of the event loop, and making rows would put that off.
    await setImmediate()
  }
  await written
}

/** One statement that brings these rows up to date. */
export const upsert =
  ({ table, key, columns, states }: Target, rows: readonly WrittenRow[]): Write =>
  (where) => {
    const into = sql.table(table)
    const names = [...columns, ...states]
    // JSON text as it is printed has no line break.
    const lines = states.map((_, i) => sql`string_to_table(${rows.map((row) => row.states[i]).join('\n')}::text, E'\\n')`)
    const updates = names.flatMap((name) => (name === key ? [] : [sql`${sql.ref(name)} = excluded.${sql.ref(name)}`]))
    const records = sql`json_populate_recordset(null::${into}, ${JSON.stringify(rows.map(({ values }) => values))}::json)`
    // The record brings an empty column for every state; the lines stand behind them.
    const aliases = [...columns, ...states.map((name) => `no_${name}`), ...states]
    return sql`
    insert into ${into} (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => sql.ref(`r.${name}`)))}
    from rows from (${sql.join([records, ...lines])}) as r(${sql.join(aliases.map((name) => sql.ref(name)))})
    where ${where}
    on conflict (${sql.ref(key)}) do update set ${sql.join(updates)}
    where ${into}.version < excluded.version`
  }

/**
 * For tables of large texts that are written again and again: a row stays whole in its page, uncompressed, and leaves room for its next
 * version there. Then a new version touches no index, its log holds little more than what changed, and the old one is
 * cleared away in passing. Kept out of line, as texts of two kilobytes are by default, each save would leave dead pieces behind,
 * and an index entry for each. What does not fit into a page twice goes out of line all the same.
 */
export async function rewrittenInPlace(db: Kysely<never>, table: string, texts: readonly string[]): Promise<void> {
  await sql`alter table ${sql.table(table)} set (fillfactor = 50, toast_tuple_target = 4064)`.execute(db)
  for (const column of texts)
    await sql`alter table ${sql.table(table)} alter column ${sql.ref(column)} set storage external`.execute(db)
}
