import { sql, type Kysely, type RawBuilder } from 'kysely'
import { placeOf, SEALED_COLUMNS, sealedJson, type SealedTable, type SealedTableName } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { columnSealOf, keyMarkOf, openText, ROWS, sealText, textMarkOf, type DataKey } from './data-key.ts'

/** Rows sealed in one transaction: calls that change one of them wait for its end. */
const AT_ONCE = 500

/** Seals what is stored under the present key: what was stored before there was one, and what an earlier key sealed. */
export async function sealStored(db: Kysely<Db>, dataKey: DataKey): Promise<void> {
  const { seal, open } = dataKey
  const mark = keyMarkOf(dataKey)
  if (mark === null) return
  await db.transaction().execute(async (tx) => {
    // The second of several processes that start at once finds everything sealed.
    await sql`lock table app.secrets, app.signing_keys in exclusive mode`.execute(tx)
    for (const { name, value } of await tx.selectFrom('app.secrets').select(['name', 'value']).execute()) {
      const next = sealText(dataKey, openText(dataKey, value, ROWS.secret(name)), ROWS.secret(name))
      await tx.updateTable('app.secrets').set({ value: next }).where('name', '=', name).execute()
    }
    for (const { kid, key } of await tx.selectFrom('app.signing_keys').select(['kid', 'key']).execute()) {
      const next = sealText(dataKey, openText(dataKey, key, ROWS.signing(kid)), ROWS.signing(kid))
      await tx.updateTable('app.signing_keys').set({ key: next }).where('kid', '=', kid).execute()
    }
  })
  while ((await sealPeople(mark)) === AT_ONCE);
  await sealColumns(db, dataKey)

  async function sealPeople(start: Buffer): Promise<number> {
    return db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ readonly person_id: string; readonly key: Buffer }>`
        select person_id, key from identity.person_keys
        where key is not null and substring(key from 1 for ${start.length}) <> ${start}
        order by person_id limit ${AT_ONCE} for update`.execute(tx)
      for (const { person_id, key } of rows)
        await tx
          .updateTable('identity.person_keys')
          .set({ key: seal(open(key, ROWS.person(person_id)), ROWS.person(person_id)) })
          .where('person_id', '=', person_id)
          .execute()
      return rows.length
    })
  }
}

type Row = Readonly<Record<string, string | null>>

/**
 * Seals what sealed columns hold under the present key: what was stored before there was one, and what an earlier key sealed (fine print
 * 94). Each row is sealed whole or not at all, and a start that ended in between goes on where it was.
 */
async function sealColumns(db: Kysely<Db>, dataKey: DataKey): Promise<void> {
  const mark = textMarkOf(dataKey)
  if (mark === null) return
  for (const table of Object.keys(SEALED_COLUMNS) as SealedTableName[]) {
    const { id, json }: SealedTable = SEALED_COLUMNS[table]
    if (id === null) {
      await removeUnsealed(db, { table, columns: json, mark })
      continue
    }
    // By pages of the primary key: a search from the start for each page would read the sealed rows again and again.
    for (let after: string | null = ''; after !== null;) after = await sealPage(db, dataKey, { table, id, mark, after })
  }
}

/** Removes rows that are kept for a day, and that the present key did not seal: losing an answer costs little (fine print 17). */
const removeUnsealed = (
  db: Kysely<Db>,
  { table, columns, mark }: { readonly table: SealedTableName; readonly columns: readonly string[]; readonly mark: string },
) =>
  db.transaction().execute(async (tx) => {
    const isPlain = columns.map((column) => sql`not starts_with(${sql.ref(column)} #>> '{}', ${mark})`)
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`delete from ${sql.table(table)} where ${sql.join(isPlain, sql` or `)}`.execute(tx)
  })

/** Seals the next rows, and returns the id of the last one; null when there are no more. */
function sealPage(
  db: Kysely<Db>,
  dataKey: DataKey,
  {
    table,
    id,
    mark,
    after,
  }: { readonly table: SealedTableName; readonly id: string; readonly mark: string; readonly after: string },
): Promise<string | null> {
  const { texts, json }: SealedTable = SEALED_COLUMNS[table]
  const columns = [...texts, ...json]
  const isJson = (column: string) => json.includes(column)
  const textOf = (column: string) => (isJson(column) ? sql`${sql.ref(column)} #>> '{}'` : sql.ref(column))
  const isPlain = (column: string) => sql`(${textOf(column)} <> '' and not starts_with(${textOf(column)}, ${mark}))`
  const list = (parts: readonly RawBuilder<unknown>[], separator = sql`, `) => sql.join([...parts], separator)
  const { seal, open } = columnSealOf(dataKey)

  /** The text that a column of a row holds, sealed under the present key. */
  function sealed(row: Row, column: string): string | null {
    const stored = row[column] ?? null
    if (stored === null || stored === '') return stored
    const place = placeOf(table, column, row['id'] ?? '')
    const text = open(stored, place)
    return isJson(column) ? sealedJson(seal, text, place) : seal(text, place)
  }

  return db.transaction().execute(async (tx) => {
    // The second of several processes that start at once waits for the rows and then finds them sealed.
    const { rows } = await sql<Row>`
      select ${sql.ref(id)} as id, ${list(columns.map((column) => sql`${textOf(column)} as ${sql.ref(column)}`))}
      from ${sql.table(table)} where ${sql.ref(id)} > ${after} and (${list(columns.map(isPlain), sql` or `)})
      order by ${sql.ref(id)} limit ${AT_ONCE} for update`.execute(tx)
    if (rows.length > 0)
      await sql`
        update ${sql.table(table)} t
        set ${list(columns.map((column) => sql`${sql.ref(column)} = s.${sql.ref(column)}${isJson(column) ? sql`::jsonb` : sql``}`))}
        from unnest(${rows.map((row) => row['id'])}::text[],
          ${list(columns.map((column) => sql`${rows.map((row) => sealed(row, column))}::text[]`))})
          as s (id, ${list(columns.map((column) => sql.ref(column)))})
        where t.${sql.ref(id)} = s.id`.execute(tx)
    return rows.length < AT_ONCE ? null : (rows.at(-1)?.['id'] ?? null)
  })
}
