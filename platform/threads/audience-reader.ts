import type { MessagePort } from 'node:worker_threads'
import { MessageChannel } from 'node:worker_threads'
import { createBirpc } from 'birpc'
import type { FileReading, FileSettings, ReadFile } from '#commands/audience/read-file'
import { bufferOf } from './buffers.ts'

/** Orders of the thread to read a file. */
export type ReaderOrders = FileReading & { readonly port: MessagePort; readonly key: Uint8Array }
/** Calls of the thread. */
export type ReaderCalls = {
  /** Resolves when the reader wants the next chunk. */
  readonly write: (chunk: Uint8Array) => Promise<void>
  readonly end: () => Promise<ReadFile>
  /** Nothing more comes. */
  readonly leave: () => void
}
/** Calls of the thread. */
export type StoreCalls = Pick<FileSettings, 'store'>

/** Sent to the thread at once, bytes: each message takes a while. */
const SENT_AT_ONCE = 256 * 1024

async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    kept.push(chunk)
    size += chunk.length
    if (size < SENT_AT_ONCE) continue
    yield Buffer.concat(kept)
    kept = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(kept)
}

/** Reads a file in a thread, as `readAudienceFile` does; pages are stored by the caller's own thread, which has the connections. */
export async function readInThread(
  chunks: AsyncIterable<Buffer>,
  { key, store, ...reading }: FileSettings,
  start: (orders: ReaderOrders) => Promise<unknown>,
): Promise<ReadFile> {
  const { port1: ours, port2: port } = new MessageChannel()
  let failed: { readonly error: unknown } | null = null
  const calls: StoreCalls = {
    store: async ({ members, rejected }, soFar) => {
      try {
        const page = members.map((one) => ({ bucket: one.bucket, members: bufferOf(one.members) }))
        await store({ members: page, rejected }, soFar)
      } catch (error) {
        // Between threads an error loses its class.
        failed ??= { error }
        throw error
      }
    },
  }
  const thread = createBirpc<ReaderCalls, StoreCalls>(calls, {
    post: (message) => ours.postMessage(message, []),
    on: (listener) => ours.on('message', listener),
    timeout: -1,
  })
  const task = start({ ...reading, port, key })
  const lost = task.then(() => Promise.reject(new Error('the thread that read the file ended')))
  lost.catch(() => {})
  const unlessLost = <T>(answer: Promise<T>) => Promise.race([answer, lost])
  try {
    for await (const chunk of gathered(chunks)) await unlessLost(thread.write(chunk))
    const read = await unlessLost(thread.end())
    return { ...read, sha256: bufferOf(read.sha256) }
  } catch (error) {
    throw failed === null ? error : (failed as { readonly error: unknown }).error
  } finally {
    // A port that closes before the thread listens sends no event; a message before it arrives.
    void thread.leave.asEvent()
    thread.$close()
    ours.close()
    await task.catch(() => {})
  }
}
