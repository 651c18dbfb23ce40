import type { CellValue } from 'read-excel-file/browser'

/** Rows of cells, as text. */
export type Table = readonly (readonly string[])[]

export const MOST_BYTES = 5_000_000
export const SHEET_TYPES = ['.csv', '.xlsx', 'text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']

const isExcel = ({ name, type }: File) => /\.xlsx$/i.test(name) || type === SHEET_TYPES[3]

/** Reads a CSV file or the first sheet of an Excel file; null when it is neither. */
export async function readTable(file: File): Promise<Table | null> {
  try {
    return isExcel(file) ? await readExcel(file) : await readCsv(file)
  } catch {
    return null
  }
}

async function readExcel(file: File): Promise<Table> {
  const { readSheet } = await import('read-excel-file/browser')
  const rows = await readSheet(file)
  return rows.map((row) => row.map(textOf))
}

async function readCsv(file: File): Promise<Table> {
  const { default: papa } = await import('papaparse')
  // Spreadsheets of other languages separate by semicolons, which is found out; a mark of the byte order is skipped.
  const { data } = papa.parse<string[]>(await file.text(), { skipEmptyLines: 'greedy' })
  return data
}

/** Dates of a spreadsheet have no zone: they are days. */
const textOf = (cell: CellValue | null): string => (cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell ?? ''))
