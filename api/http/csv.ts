import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'

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
export function streamCsv(header: readonly string[], batches: AsyncIterable<readonly Row[]>): Readable {
  // Pages are read when the client takes them, and count for the same account as the call.
  const asCaller = AsyncLocalStorage.snapshot()
  const pages = batches[Symbol.asyncIterator]()
  return Readable.from(
    (async function* () {
      // With the first batch: until it is read, a failure is answered as one.
      let begun: readonly Row[] = [header]
      const marked = () => (begun.length > 0 ? BYTE_ORDER_MARK : '')
      for await (const batch of inContext(pages, asCaller)) {
        if (batch.length > 0 || begun.length > 0) yield marked() + linesOf([...begun, ...batch])
        begun = []
      }
      if (begun.length > 0) yield marked() + linesOf(begun)
    })(),
  )
}

type Run = ReturnType<typeof AsyncLocalStorage.snapshot>

async function* inContext<T>(items: AsyncIterator<T>, run: Run): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await run(() => items.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // A client that goes away: what the source holds is given back.
    await run(async () => items.return?.())
  }
}

/** Answers with a CSV file to save. */
export const sendCsv = (reply: FastifyReply, name: string, csv: Readable): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .headers({ 'Content-Disposition': `attachment; filename="${name}"`, 'X-Content-Type-Options': 'nosniff' })
    .send(csv)
