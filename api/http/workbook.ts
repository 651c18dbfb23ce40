import type { Cell, CellValue, Sheet } from '#platform/threads/workbook'

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Table = {
  readonly name: string
  readonly columns: readonly { readonly title: string; readonly width: number }[]
  readonly rows: Iterable<readonly CellValue[]>
}

/** A sheet with a header row, which stays in view. */
export const sheetOf = ({ name, columns, rows }: Table): Sheet => ({
  name,
  widths: columns.map(({ width }) => width),
  rows: withHeader(
    columns.map(({ title }) => title),
    rows,
  ),
  stickyRows: 1,
})

function* withHeader(titles: readonly string[], rows: Table['rows']): Generator<readonly Cell[]> {
  yield titles.map((value) => ({ value, isBold: true }))
  yield* rows
}
