import {
  sql,
  type GeneratedAlways,
  type InsertType,
  type Insertable,
  type Kysely,
  type OperationNodeSource,
  type RawBuilder,
  type Selectable,
} from 'kysely'
import { createCopyText, type CopiedAs, type CopyText } from '#eventstore/postgres/copy-rows'
import type { Db, Generated, Int8 } from '#migrations/db'

/**
 * Tables of read models, each declared once: from its columns come its DDL, the type of its rows, the statements that write them,
 * and the type of its view `rm_…`.
 */

/** A column. `T` is its type as in `Db`: of the values that are read and written. */
export type Column<T = unknown> = {
  /** Its type and constraints in SQL. */
  readonly definition: RawBuilder<unknown>
  /** How a value is written; null for one that the database computes. */
  readonly as: CopiedAs | 'bigint' | null
  readonly type?: T
}

type Columns = Readonly<Record<string, Column>>

type Plain<T> = Column<T> & {
  readonly orNull: Column<T | null>
  /** With a default, an expression of SQL. */
  readonly or: (value: string) => Column<Generated<T>>
}

const columnOf = <T>(type: string, as: Column['as'] = 'value'): Plain<T> => ({
  definition: sql.raw(`${type} not null`),
  as,
  orNull: { definition: sql.raw(type), as },
  or: (value) => ({ definition: sql.raw(`${type} not null default ${value}`), as }),
})

export const column = {
  /** Text in the order of its bytes: ids, instants, words of programs. */
  id: <T extends string = string>() => columnOf<T>('text collate "C"'),
  text: <T extends string = string>() => columnOf<T>('text'),
  texts: <T extends string = string>() => columnOf<readonly T[]>('text[]', 'texts'),
  ids: <T extends string = string>() => columnOf<readonly T[]>('text[] collate "C"', 'texts'),
  flag: columnOf<boolean>('boolean'),
  small: <T extends number = number>() => columnOf<T>('smallint'),
  int: columnOf<number>('integer'),
  /** 64 bits: amounts in micros, positions of the log. */
  big: columnOf<Int8>('bigint', 'bigint'),
  /** JSON that is read as it was written. */
  json: <T>() => columnOf<T>('json', 'json'),
  /** JSON that statements look into. */
  jsonb: <T>() => columnOf<T>('jsonb', 'json'),
  /** A column that the database computes. */
  computed: (definition: string): Column<GeneratedAlways<string>> => ({ definition: sql.raw(definition), as: null }),
}

export type Table<C extends Columns = Columns> = {
  readonly columns: C
  readonly key: readonly string[]
  /** Storage parameters. */
  readonly storage?: string
  /** Whether the primary key is made with the indexes: for tables that `load` only adds to. */
  readonly keyedLast?: boolean
  /** Indexes, each as it follows the name of the table. */
  readonly indexes?: readonly string[]
}

export const table = <const C extends Columns>(columns: C, options: Omit<Table<C>, 'columns'>): Table<C> => ({
  columns,
  ...options,
})

/** The tables of a read model by base name. */
export type TableSet = Readonly<Record<string, Table>>

type TypeOf<C> = C extends Column<infer T> ? T : never
type Written<C extends Columns> = {
  readonly [N in keyof C as [InsertType<TypeOf<C[N]>>] extends [never] ? never : N]: InsertType<TypeOf<C[N]>>
}

/** The columns of a table as the query builder reads them. */
type Shape<T extends Table> = { [N in keyof T['columns']]: TypeOf<T['columns'][N]> }
/** A row with all its columns, as it is written. */
export type RowOf<T extends Table> = { readonly [N in keyof Written<T['columns']>]: Exclude<Written<T['columns']>[N], undefined> }
/** A row with all its columns, as it is read. */
export type StoredOf<T extends Table> = Readonly<Selectable<Shape<T>>>
/** A new row. Columns with a default may be left out. */
export type NewRowOf<T extends Table> = Insertable<Shape<T>>
/** The views of read models as members of `Db`. */
export type Views<S extends TableSet> = { [N in keyof S & string as `rm_${N}`]: Shape<S[N]> }

/** A table of one generation. In a statement it stands for its name. */
export type Physical<T extends Table = Table> = T & OperationNodeSource & { readonly name: string }
export type PhysicalSet<S extends TableSet> = { readonly [N in keyof S]: Physical<S[N]> }

export const physical = <T extends Table>(declared: T, name: string): Physical<T> => ({
  ...declared,
  name,
  toOperationNode: () => sql.table(name).toOperationNode(),
})

export async function createTable(db: Kysely<Db>, created: Physical): Promise<void> {
  const columns = Object.entries(created.columns).map(([name, { definition }]) => sql`${sql.ref(name)} ${definition}`)
  const key = created.keyedLast === true ? [] : [sql`primary key (${names(created.key)})`]
  const storage = sql.raw(created.storage === undefined ? '' : `with (${created.storage})`)
  await sql`create table ${created} (${sql.join([...columns, ...key])}) ${storage}`.execute(db)
}

export async function indexTable(db: Kysely<Db>, indexed: Physical): Promise<void> {
  if (indexed.keyedLast === true) await sql`alter table ${indexed} add primary key (${names(indexed.key)})`.execute(db)
  for (const index of indexed.indexes ?? []) await sql`create index on ${indexed} ${sql.raw(index)}`.execute(db)
}

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))

/** Rows per statement. */
const CHUNK = 200

/** Adds rows that all have the same columns. A row whose key exists already stays as it is: applying twice is harmless. */
export const addRows = <T extends Table>(db: Kysely<Db>, into: Physical<T>, rows: readonly NewRowOf<T>[]): Promise<void> =>
  insert(db, into, rows, sql`nothing`)

/**
 * Adds or replaces rows, all but the columns to keep. Where the table has versions, a row with the same version or a later one
 * stays: applying twice is harmless.
 */
export async function upsertRows<T extends Table>(
  db: Kysely<Db>,
  into: Physical<T>,
  rows: readonly RowOf<T>[],
  keep: readonly (keyof T['columns'] & string)[] = [],
): Promise<void> {
  const fixed = new Set<string>([...into.key, ...keep])
  const updates = writtenColumns(into).flatMap((name) =>
    fixed.has(name) ? [] : [sql`${sql.ref(name)} = excluded.${sql.ref(name)}`],
  )
  const guard = 'version' in into.columns && !into.key.includes('version') ? sql`where ${into}.version < excluded.version` : sql``
  await insert(db, into, rows, sql`update set ${sql.join(updates)} ${guard}`)
}

async function insert(db: Kysely<Db>, into: Physical, rows: readonly object[], otherwise: RawBuilder<unknown>): Promise<void> {
  if (rows[0] === undefined) return
  const columns = names(Object.keys(rows[0]))
  const bigs = Object.keys(rows[0]).filter((name) => into.columns[name]?.as === 'bigint')
  for (let from = 0; from < rows.length; from += CHUNK) {
    const values = JSON.stringify(rows.slice(from, from + CHUNK).map((row) => withTexts(row, bigs)))
    await sql`
      insert into ${into} (${columns}) select ${columns} from json_populate_recordset(null::${into}, ${values}::json)
      on conflict (${names(into.key)}) do ${otherwise}`.execute(db)
  }
}

/** JSON has no numbers of 64 bits. */
function withTexts(row: object, bigs: readonly string[]): object {
  if (bigs.length === 0) return row
  const copy: Record<string, unknown> = { ...row }
  for (const name of bigs) if (typeof copy[name] === 'bigint') copy[name] = copy[name].toString()
  return copy
}

const writtenColumns = ({ columns }: Table): readonly string[] =>
  Object.entries(columns).flatMap(([name, { as }]) => (as === null ? [] : [name]))

/** Collects rows of a table for a COPY. */
export function copyOf<T extends Table>(copied: T): CopyText<RowOf<T>> {
  const columns = Object.entries(copied.columns).flatMap(([name, { as }]): [string, CopiedAs][] =>
    as === null ? [] : [[name, as === 'bigint' ? 'value' : as]],
  )
  return createCopyText(Object.fromEntries(columns))
}
