import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'

type Row = readonly (string | number)[]

/** Lines of CSV. Cells that a spreadsheet would read as a formula are marked as text. */
const linesOf = (rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { escape_formulas: true, record_delimiter: 'windows' },
  )

/** A CSV file with a header row, from batches of rows: at most one batch is in memory. */
export function streamCsv(header: readonly string[], batches: AsyncIterable<readonly Row[]>): Readable {
  return Readable.from(
    (async function* () {
      yield linesOf([header])
      for await (const batch of batches) if (batch.length > 0) yield linesOf(batch)
    })(),
  )
}
