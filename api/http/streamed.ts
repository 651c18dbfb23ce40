import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'

/** Parts of an answer as a stream: they are read when the client takes them, and count for the same account as the call. */
export const streamed = (parts: AsyncIterable<string | Buffer>): Readable =>
  Readable.from(inContext(parts[Symbol.asyncIterator](), AsyncLocalStorage.snapshot()), { objectMode: false })

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
