import { recognise, SAMPLE_ROWS, type Recognised } from '#domain/audience/columns'
import { readIdentifier, type ColumnKind, type ReadIdentifier } from '#domain/audience/identifiers'
import { numbering } from '#commands/formats/phone/numbering'
import type { TableFault } from '#commands/formats/table/reader'
import { readFileTable } from '@/lib/read-table'

/** A chosen file, with the column that was recognised and can be changed. */
export type ChosenFile = {
  readonly file: File
  readonly sample: Sample
  /** Position from 0; null until one is chosen. */
  readonly column: number | null
  readonly kind: ColumnKind
  /** Whether phone numbers with +, 00 or in the national form count too. */
  readonly anyForm: boolean
}

export type Sample = Recognised & {
  /** Why the file is no table; null for one. */
  readonly fault: TableFault | null
  /** Rows behind the header. */
  readonly rows: readonly (readonly string[])[]
  /** Names of the columns; empty texts without a header. */
  readonly columns: readonly string[]
  /** What the server will read a cell as. `anyForm`: also phone numbers with +, 00 or in the national form. */
  readonly read: (cell: string, column: number, kind: ColumnKind, anyForm: boolean) => ReadIdentifier
}

/** The first rows of a file, as the server will read them for an account of this country. Loads the numbering plans of all countries. */
export async function readSample(file: Blob, country: string | null): Promise<Sample> {
  const { rows, fault } = await readFileTable(file, SAMPLE_ROWS + 1)
  const recognised = recognise(rows, { numbering, country, kind: null })
  const width = Math.max(0, ...rows.map((row) => row.length))
  const header = recognised.header ? (rows[0] ?? []) : []
  return {
    ...recognised,
    fault,
    rows: recognised.header ? rows.slice(1) : rows,
    columns: Array.from({ length: width }, (_, at) => header[at] ?? ''),
    read: (cell, column, kind, anyForm) =>
      readIdentifier(cell, kind, { numbering, country, anyForm, national: recognised.national.includes(column) }),
  }
}
