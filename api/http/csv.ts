import type { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import { streamed } from './streamed.ts'

type Row = readonly (string | number)[]

/** Lines of CSV. Cells that a spreadsheet would read as a formula are marked as text. */
const linesOf = (rows: readonly Row[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { escape_formulas: true, record_delimiter: 'windows' },
  )

/** Without it, spreadsheets read UTF-8 as an older encoding. */
const BYTE_ORDER_MARK = '\ufeff'

/** A CSV file with a header row, from batches of rows: at most one batch is in memory. */
export const streamCsv = (header: readonly string[], batches: AsyncIterable<readonly Row[]>): Readable =>
  streamed(partsOf(header, batches))

async function* partsOf(header: readonly string[], batches: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  // With the first batch: until it is read, a failure is answered as one.
  let begun: readonly Row[] = [header]
  const marked = () => (begun.length > 0 ? BYTE_ORDER_MARK : '')
  for await (const batch of batches) {
    if (batch.length > 0 || begun.length > 0) yield marked() + linesOf([...begun, ...batch])
    begun = []
  }
  if (begun.length > 0) yield marked() + linesOf(begun)
}

/** Answers with a CSV file to save. */
export const sendCsv = (reply: FastifyReply, name: string, csv: Readable): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .headers({ 'Content-Disposition': `attachment; filename="${name}"`, 'X-Content-Type-Options': 'nosniff' })
    .send(csv)
