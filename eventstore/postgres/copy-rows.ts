import { CompiledQuery, sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** How a column is written: a scalar as text, any value as JSON, or a list of texts as an array. */
export type CopiedAs = 'value' | 'json' | 'texts'

/** Columns by name; those that are left out get their defaults. */
export type CopyColumns = Readonly<Record<string, CopiedAs>>

/** The rows of one COPY in its text format. */
export type CopyData = { readonly columns: readonly string[]; readonly chunks: readonly Buffer[] }

export type CopyText<Row> = {
  readonly add: (row: Row) => void
  readonly end: () => CopyData
}

/** Characters of a message: so many that messages cost nothing. */
const CHUNK = 64_000

/** Collects rows, whose properties are named like the columns, as text outside of the heap: there it would be most of the garbage. */
export function createCopyText<Columns extends CopyColumns>(
  columns: Columns,
): CopyText<{ readonly [Name in keyof Columns]: unknown }> {
  const cells = Object.entries(columns)
  const names = Object.keys(columns)
  const chunks: Buffer[] = []
  let lines: string[] = []
  let characters = 0
  function flush(): void {
    if (lines.length > 0) chunks.push(Buffer.from(`${lines.join('\n')}\n`))
    lines = []
    characters = 0
  }
  return {
    add(row) {
      const line = cells.map(([name, as]) => cellOf(row[name], as)).join('\t')
      lines.push(line)
      characters += line.length
      if (characters >= CHUNK) flush()
    },
    end() {
      flush()
      return { columns: names, chunks }
    },
  }
}

/**
 * Adds rows by COPY, on a connection of `createKysely`. A key that exists already is an error. The server reads a copied row in a
 * third of the time that it takes for a row within JSON.
 */
export async function copyRows(db: Kysely<Db>, table: string, data: CopyData): Promise<void> {
  if (data.chunks.length === 0) return
  const names = sql.join(data.columns.map((name) => sql.ref(name)))
  const { sql: text } = sql`copy ${sql.table(table)} (${names}) from stdin`.compile(db)
  // The pool sends the chunks: the only parameter of a COPY.
  await db.executeQuery(CompiledQuery.raw(text, [data.chunks]))
}

function cellOf(value: unknown, as: CopiedAs): string {
  if (value === null || value === undefined) return String.raw`\N`
  if (as === 'json') return escaped(JSON.stringify(value))
  if (as === 'texts') return escaped(arrayOf(value as readonly string[]))
  if (typeof value === 'string') return escaped(value)
  // Numbers and flags are written as in JSON.
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join()}}`

const SPECIAL = /[\\\n\r\t]/
const SPECIALS = /[\\\n\r\t]/g
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Few texts have a character to escape: the search costs less than the replacement. */
const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replaceAll(SPECIALS, (character) => ESCAPES[character] ?? character) : text
