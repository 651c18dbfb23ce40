import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'
import type { InvoiceDocument } from '#commands/invoice/document'
import { createBirpc } from 'birpc'
import type { ReadFile } from '#commands/audience/read-file'
import type { ReaderCalls, ReaderOrders, StoreCalls } from './audience-reader.ts'
import type { MediaOrders } from './media-thread.ts'
import type { PackedSheet } from './workbook.ts'
import type { Archive } from './zip.ts'

// Tasks of a thread. Each loads what it needs at its first use.

giveWay()

/** Lets calls, which other threads answer, have the processor first. Only Linux has a priority for each thread. */
function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Elsewhere threads are equal.
  }
}

export async function workbook(sheet: PackedSheet): Promise<Uint8Array> {
  const { writeWorkbook } = await import('./workbook.ts')
  return writeWorkbook(sheet)
}

export async function zip(archive: Archive): Promise<Uint8Array> {
  const { writeZip } = await import('./zip.ts')
  return writeZip(archive)
}

export async function invoice(document: InvoiceDocument): Promise<Uint8Array> {
  const { renderInvoice } = await import('../invoice/pdf.ts')
  return renderInvoice(document)
}

/** Inspects an uploaded file. */
export async function media(orders: MediaOrders): Promise<unknown> {
  const { inspectMedia } = await import('./media-thread.ts')
  return inspectMedia(orders)
}

/** Reads a file whose chunks come over the port, until its caller leaves. */
export async function audience({ port, key, ...reading }: ReaderOrders): Promise<void> {
  const { readAudienceFile } = await import('#commands/audience/read-file')
  const chunks = createChunks()
  let leave: () => void = () => {}
  const left = new Promise<void>((resolve) => (leave = resolve))
  const caller = createBirpc<StoreCalls, ReaderCalls>(
    { write: (chunk) => chunks.write(chunk), end: () => chunks.end(), leave },
    { post: (message) => port.postMessage(message), on: (listener) => port.on('message', listener), timeout: -1 },
  )
  const settings = { ...reading, key: Buffer.from(key), store: caller.store }
  chunks.begin(readAudienceFile(chunks.read, settings))
  await left
  chunks.abandon()
  port.close()
}

/** Hands chunks over one by one: the next is accepted once the reader has taken the one before. */
function createChunks() {
  let reading: Promise<ReadFile> = Promise.reject(new Error('no reader'))
  reading.catch(() => {})
  let give: (chunk: Buffer | null) => void = () => {}
  let fail: (error: Error) => void = () => {}
  let wanted: () => void = () => {}
  let wants = new Promise<void>((resolve) => (wanted = resolve))

  async function* read(): AsyncGenerator<Buffer> {
    for (;;) {
      const next = new Promise<Buffer | null>((resolve, reject) => {
        give = resolve
        fail = reject
      })
      wanted()
      const chunk = await next
      if (chunk === null) return
      yield chunk
    }
  }

  async function hand(chunk: Buffer | null): Promise<void> {
    wants = new Promise((resolve) => (wanted = resolve))
    give(chunk)
    // A reader that fails wants no more.
    await Promise.race([wants, reading.then(() => {})])
  }

  return {
    read: read(),
    begin: (work: Promise<ReadFile>) => {
      reading = work
      reading.catch(() => {})
    },
    async write(chunk: Uint8Array): Promise<void> {
      await wants
      await hand(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    },
    async end(): Promise<ReadFile> {
      await wants
      give(null)
      return reading
    },
    /** The caller has gone. */
    abandon: () => fail(new Error('the file ended early')),
  }
}
