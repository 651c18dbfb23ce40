import type { CellValue, Sheet } from '#platform/threads/workbook'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Table = {
  readonly name: string
  readonly columns: readonly { readonly title: string; readonly width: number }[]
  readonly rows: readonly (readonly CellValue[])[]
}

/** A sheet with a header row, which stays in view. */
export const sheetOf = ({ name, columns, rows }: Table): Sheet => ({
  name,
  widths: columns.map(({ width }) => width),
  rows: [columns.map(({ title }) => ({ value: title, isBold: true })), ...rows],
  stickyRows: 1,
})
