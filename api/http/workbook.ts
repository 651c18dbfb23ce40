import writeExcelFile from 'write-excel-file/node'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The value of a cell; null leaves it empty. */
export type CellValue = string | number | null

type Workbook = {
  /** Name of the only sheet. */
  readonly sheet: string
  readonly columns: readonly { readonly title: string; readonly width: number }[]
  readonly rows: readonly (readonly CellValue[])[]
}

/** Characters that XML cannot hold: a file with one of them would not open. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Texts are typed as texts: a spreadsheet never reads one as a formula. */
const cell = (value: CellValue) =>
  value === null
    ? null
    : typeof value === 'number'
      ? { value, type: Number }
      : { value: value.replaceAll(UNWRITABLE, ''), type: String }

/** A workbook with a header row, which stays in view. */
export const workbookOf = ({ sheet, columns, rows }: Workbook): Promise<Buffer> =>
  writeExcelFile(
    [
      columns.map(({ title }) => ({ value: title, type: String, fontWeight: 'bold' as const })),
      ...rows.map((row) => row.map(cell)),
    ],
    { sheet, stickyRowsCount: 1, columns: columns.map(({ width }) => ({ width })) },
  ).toBuffer()
