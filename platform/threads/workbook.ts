import writeExcelFile from 'write-excel-file/node'
import { yieldToCalls } from '#commands/in-parts'

/** The value of a cell; null leaves it empty. */
export type CellValue = string | number | null

export type Cell = CellValue | { readonly value: CellValue; readonly format?: string; readonly isBold?: boolean }

/** A workbook of one sheet. */
export type Sheet = {
  readonly name: string
  /** Widths of the columns, characters. */
  readonly widths: readonly number[]
  readonly rows: Iterable<readonly Cell[]>
  /** Rows that stay in view. */
  readonly stickyRows: number
}

/** Characters that XML cannot hold: a file with one of them would not open. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Texts are typed as texts: a spreadsheet never reads one as a formula. */
function cellOf(cell: Cell) {
  const { value, format, isBold = false } = typeof cell === 'object' && cell !== null ? cell : { value: cell }
  if (value === null) return null
  const style = { ...(format === undefined ? {} : { format }), ...(isBold ? { fontWeight: 'bold' as const } : {}) }
  return typeof value === 'number'
    ? { value, type: Number, ...style }
    : { value: value.replaceAll(UNWRITABLE, ''), type: String, ...style }
}

/** Rows whose text is made in one go. */
const ROWS_AT_ONCE = 500

/** A sheet on its way to a thread: texts are copied at once, while a hundred thousand rows of objects would hold calls up. */
export type PackedSheet = Omit<Sheet, 'rows'> & { readonly parts: readonly string[] }

/** The sheet to send. Calls are answered between two parts, also while rows are made. */
export async function packed({ rows, ...sheet }: Sheet): Promise<PackedSheet> {
  const parts: string[] = []
  let gathered: (readonly Cell[])[] = []
  for (const row of rows) {
    gathered.push(row)
    if (gathered.length < ROWS_AT_ONCE) continue
    parts.push(JSON.stringify(gathered))
    gathered = []
    await yieldToCalls()
  }
  return { ...sheet, parts: [...parts, JSON.stringify(gathered)] }
}

const rowsOf = (part: string): readonly (readonly Cell[])[] => JSON.parse(part)

/** The file of a workbook. */
export const writeWorkbook = ({ name, widths, parts, stickyRows }: PackedSheet): Promise<Buffer> =>
  writeExcelFile(
    parts.flatMap((part) => rowsOf(part).map((row) => row.map(cellOf))),
    { sheet: name, stickyRowsCount: stickyRows, columns: widths.map((width) => ({ width })) },
  ).toBuffer()
