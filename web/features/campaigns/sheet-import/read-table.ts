import type { CellValue } from 'read-excel-file/browser'
import { readFileTable } from '@/lib/read-table'

/** Rows of cells, as text. */
export type Table = readonly (readonly string[])[]

export const MOST_BYTES = 5_000_000
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
export const SHEET_TYPES = ['.csv', '.tsv', '.xlsx', 'text/csv', EXCEL]
/** More than any file of campaigns has: a sheet is refused for its own reasons then. */
const MOST_ROWS = 100_000
/** Bytes of an Excel file that is unpacked: a page has no more memory for it. */
const MOST_UNPACKED = 100_000_000

const isNamedExcel = ({ name, type }: File) => /\.xlsx$/i.test(name) || type === EXCEL

/** Reads a CSV file, or the first sheet of an Excel file, whatever its name is; null when it is neither. */
export async function readTable(file: File): Promise<Table | null> {
  try {
    const { rows, fault } = await readFileTable(file, MOST_ROWS)
    if (fault === 'workbook') return await readExcel(file)
    return fault === null && !isNamedExcel(file) ? rows : null
  } catch {
    return null
  }
}

async function readExcel(file: File): Promise<Table | null> {
  const [{ readSheet }, { unzipSync }] = await Promise.all([import('read-excel-file/browser'), import('fflate')])
  let unpacked = 0
  const sizes = { filter: ({ originalSize }: { readonly originalSize: number }) => ((unpacked += originalSize), false) }
  unzipSync(new Uint8Array(await file.arrayBuffer()), sizes)
  if (unpacked > MOST_UNPACKED) return null
  const rows = await readSheet(file)
  return rows.map((row) => row.map(textOf))
}

/** Dates of a spreadsheet have no zone: they are days. */
const textOf = (cell: CellValue | null): string => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? ''))
