import type { Kysely, KyselyPlugin } from 'kysely'
import type { Db, Sealed, SealedJson } from '#migrations/db'

/**
 * Columns that are stored sealed under the data key, each bound to its row (fine print 94): personal values that no statement searches,
 * sorts or compares. `id` is the column that names the row; null where several do, of a table whose rows are kept for a day: those are
 * removed instead of being sealed again. A column of JSON is sealed whole, and holds a string then.
 */
export const SEALED_COLUMNS = {
  'app.answers': { id: null, texts: [], json: ['answer'] },
  'app.mails': { id: 'id', texts: ['address'], json: ['data'] },
  'app.registration_requests': { id: 'id', texts: [], json: ['form'] },
  'identity.invoice_parties': { id: 'document_id', texts: [], json: ['parties'] },
  'identity.legal_entities': {
    id: 'space_id',
    texts: ['legal_entity_name', 'tin_number', 'address_line_1', 'address_line_2', 'city', 'postal_code', 'invoice_email'],
    json: [],
  },
  'identity.people': { id: 'id', texts: ['phone'], json: [] },
} as const satisfies Readonly<Record<string, SealedTable>>

export type SealedTable = { readonly id: string | null; readonly texts: readonly string[]; readonly json: readonly string[] }
export type SealedTableName = keyof typeof SEALED_COLUMNS

/** Seals texts and opens them again. `place` is the column and its row. */
export type ColumnSeal = {
  readonly seal: (text: string, place: string) => string
  /** Throws a ConfigFault for what was sealed under a key that is not there. */
  readonly open: (stored: string, place: string) => string
}

/** Comes with the builder of a database and its transactions, so that every statement's values meet the same keys. Changes no statement. */
export class SealedColumns implements KyselyPlugin {
  readonly seal: ColumnSeal
  constructor(seal: ColumnSeal) {
    this.seal = seal
  }
  transformQuery: KyselyPlugin['transformQuery'] = ({ node }) => node
  transformResult: KyselyPlugin['transformResult'] = ({ result }) => Promise.resolve(result)
}

/** Stored form of a value: a text, or an object of a column of JSON. */
type Stored<Value> = Value extends null ? null : Value extends string ? Sealed : SealedJson
type Opened<Value> = Value extends Sealed ? string : Value extends SealedJson ? unknown : Value

/** Values of sealed columns of a row, as they are stored. Null and the empty text stay as they are. */
export function sealRow<const Row extends object>(db: Kysely<Db>, table: SealedTableName, id: string, row: Row) {
  const { seal } = sealOf(db)
  const stored = Object.entries(row).map(([column, value]) => {
    if (value === null || value === '') return [column, value]
    if (typeof value === 'string') return [column, seal(value, placeOf(table, column, id))]
    return [column, sealedJson(seal, JSON.stringify(value), placeOf(table, column, id))]
  })
  return Object.fromEntries(stored) as { readonly [K in keyof Row]: Stored<Row[K]> }
}

/** A row as it was read, with the values of its sealed columns opened. Its other columns stay as they are. */
export function openRow<Row extends object>(db: Kysely<Db>, table: SealedTableName, id: string, row: Row) {
  const { open } = sealOf(db)
  const { texts, json }: SealedTable = SEALED_COLUMNS[table]
  const opened = { ...row } as Record<string, unknown>
  for (const column of texts)
    if (typeof opened[column] === 'string') opened[column] = open(opened[column], placeOf(table, column, id))
  // A column of JSON that is not sealed holds an object.
  for (const column of json)
    if (typeof opened[column] === 'string') opened[column] = JSON.parse(open(opened[column], placeOf(table, column, id)))
  return opened as { readonly [K in keyof Row]: Opened<Row[K]> }
}

/** Names a value to its seal. */
export const placeOf = (table: SealedTableName, column: string, id: string): string => `${table}.${column} ${id}`

/** JSON, given as a text, as a column of JSON stores it. Without a key it stays JSON that PostgreSQL can read. */
export function sealedJson(seal: ColumnSeal['seal'], text: string, place: string): string {
  const stored = seal(text, place)
  return stored === text ? text : JSON.stringify(stored)
}

function sealOf(db: Kysely<Db>): ColumnSeal {
  const found = db.getExecutor().plugins.find((plugin) => plugin instanceof SealedColumns)
  if (found === undefined)
    throw new Error('this database was not opened by createKysely, so nothing in it can be sealed or opened')
  return found.seal
}
