import writeExcelFile from 'write-excel-file/node'

/** The value of a cell; null leaves it empty. */
export type CellValue = string | number | null

export type Cell = CellValue | { readonly value: CellValue; readonly format?: string; readonly isBold?: boolean }

/** A workbook of one sheet. */
export type Sheet = {
  readonly name: string
  /** Of the columns, characters. */
  readonly widths: readonly number[]
  readonly rows: readonly (readonly Cell[])[]
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

/** The file of a workbook. */
export const writeWorkbook = ({ name, widths, rows, stickyRows }: Sheet): Promise<Buffer> =>
  writeExcelFile(
    rows.map((row) => row.map(cellOf)),
    { sheet: name, stickyRowsCount: stickyRows, columns: widths.map((width) => ({ width })) },
  ).toBuffer()
