import { stringify } from 'csv-stringify/sync'

/** A CSV file with a header row. Cells that a spreadsheet would take for a formula are marked as text. */
export const createCsv = (header: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  stringify([[...header], ...rows.map((row) => [...row])], { escape_formulas: true, record_delimiter: 'windows' })
