import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { RenderInvoice } from '#commands/invoice/document'
import { TooMany } from '#commands/refused'
import type { FileSettings, ReadFile } from '#commands/audience/read-file'
import { askerNow } from '../database/lanes.ts'
import { createTurns, Left } from '../database/turns.ts'
import { readInThread, type ReaderOrders } from './audience-reader.ts'
import type { Sheet } from './workbook.ts'

/** Files that are made at once; one core is left to calls. */
const FILES_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1))
/** Files of an account that wait. */
const MOST_WAITING = 16
const RETRY_SECONDS = 5
/** Audiences that one thread reads by turns, chunk by chunk. */
const AUDIENCES = 256
/** A thread costs memory: it ends when it has nothing to do for this long. */
const IDLE_MS = 30_000

/** Work that would keep the event loop from answering calls. */
export type Threads = {
  /** The file of a workbook. */
  readonly workbook: (sheet: Sheet) => Promise<Buffer>
  readonly invoice: RenderInvoice
  /** The same as `readAudienceFile`. */
  readonly readAudience: (chunks: AsyncIterable<Buffer>, settings: FileSettings) => Promise<ReadFile>
}

/**
 * Threads of this process, started when they are needed. Accounts have their turns: one with many files delays another by one at
 * most. What a client no longer waits for is left out.
 */
export function createThreads(): Threads & { readonly close: () => Promise<void> } {
  const filename = import.meta.url.endsWith('.js')
    ? new URL('./thread.js', import.meta.url).href
    : new URL('./thread-from-source.mjs', import.meta.url).href
  const shared = { filename, minThreads: 0, idleTimeout: IDLE_MS, execArgv: [] }
  const files = new Piscina({ ...shared, maxThreads: FILES_AT_ONCE })
  const audiences = new Piscina({ ...shared, maxThreads: 1, concurrentTasksPerWorker: AUDIENCES })
  const turns = createTurns(FILES_AT_ONCE)

  async function made(name: string, of: unknown): Promise<Buffer> {
    const { account, gone } = askerNow()
    if (turns.waiting(account) >= MOST_WAITING) throw new TooMany(RETRY_SECONDS)
    const giveBack = await turns.take(account, gone)
    try {
      const bytes: Uint8Array = await files.run(of, { name, ...(gone === undefined ? {} : { signal: gone }) })
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    } catch (error) {
      throw gone?.aborted === true ? new Left() : error
    } finally {
      giveBack()
    }
  }

  return {
    workbook: (sheet) => made('workbook', sheet),
    invoice: (document) => made('invoice', document),
    readAudience: (chunks, settings) =>
      readInThread(chunks, settings, (orders: ReaderOrders) =>
        audiences.run(orders, { name: 'audience', transferList: [orders.port] }),
      ),
    close: async () => void (await Promise.all([files.destroy(), audiences.destroy()])),
  }
}
