import { readIdentifier, type ColumnKind, type IdentifierKind } from './identifiers.ts'

/** What the first rows of a file say about it. */
export type Recognised = {
  /** Position of the column with the identifiers, from 0; null when no column holds any. */
  readonly column: number | null
  readonly kind: ColumnKind
  /** Whether the first row names the columns. */
  readonly header: boolean
}

/** Most cells of a row: reading costs time for each. */
export const MOST_COLUMNS = 1000

/** Rows that decide. */
export const SAMPLE_ROWS = 50

/** Names of columns, in lower case without marks. */
const NAMES: Readonly<Record<IdentifierKind, readonly string[]>> = {
  device: ['deviceid', 'device', 'idfa', 'gaid', 'aaid', 'ifa', 'advertisingid', 'adid', 'maid'],
  phone: ['phone', 'phonenumber', 'msisdn', 'mobile', 'mobilenumber', 'tel', 'telephone'],
}

/** Longest cell that is read as the name of a column or as a number, characters. */
const LONGEST = 200

const nameOf = (cell: string): string =>
  cell
    .slice(0, LONGEST)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** The column that a row of names calls by the name of an identifier; null without one. */
function named(row: readonly string[]): { readonly column: number; readonly kind: IdentifierKind } | null {
  for (const [column, cell] of row.entries())
    for (const kind of ['device', 'phone'] as const) if (NAMES[kind].includes(nameOf(cell))) return { column, kind }
  return null
}

const isIdentifier = (cell: string): boolean => readIdentifier(cell, 'any').kind !== 'rejected'
/** Also a number with a + or 00, which is no name of a column. */
const looksLike = (cell: string): boolean => isIdentifier(cell) || /^\s*[+\d][\d\s().-]{4,}$/.test(cell.slice(0, LONGEST))

/** Recognises the column of the identifiers in the first rows of a file, by its name or else by its values. */
export function recognise(rows: readonly (readonly string[])[]): Recognised {
  const [first = [], ...others] = rows.slice(0, SAMPLE_ROWS)
  const byName = named(first)
  const header = byName !== null || (!first.some(looksLike) && others.some((row) => row.some(looksLike)))
  const sample = header ? others : [first, ...others]
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const counts = Array.from({ length: width }, (_, at) => sample.filter((row) => isIdentifier(row[at] ?? '')).length)
  const most = counts.reduce((highest, count) => Math.max(highest, count), 0)
  const column = byName?.column ?? (most === 0 ? (width === 1 ? 0 : null) : counts.indexOf(most))
  if (column === null) return { column, kind: 'any', header }
  const kinds = new Set(
    sample.flatMap((row) => {
      const read = readIdentifier(row[column] ?? '', 'any')
      return read.kind === 'rejected' ? [] : [read.kind]
    }),
  )
  const [only] = [...kinds]
  return {
    column,
    kind: kinds.size === 1 && only !== undefined ? only : kinds.size === 0 ? (byName?.kind ?? 'any') : 'any',
    header,
  }
}

/** The separator of a file by its first line: the most frequent of comma, semicolon and tab. */
export function separatorOf(line: string): ',' | ';' | '\t' {
  const count = (mark: string) => line.split(mark).length
  const best = ([',', ';', '\t'] as const).toSorted((a, b) => count(b) - count(a))[0]
  return best ?? ','
}
