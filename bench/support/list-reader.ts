import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createBirpc } from 'birpc'

/** A save that is followed into the list; `acknowledged` is milliseconds since the epoch. */
export type Saved = {
  readonly acknowledged: number
  readonly position: bigint
  readonly name: string
  readonly budget: number
  /** The access token of its account's user. */
  readonly token: string
}

export type ListReading = {
  /** Resolves with the milliseconds from the acknowledgement of a save to an answer of list/v2 that shows it. */
  readonly seen: (saved: Saved) => Promise<number>
}
export type ListReader = ListReading & { readonly stop: () => Promise<void> }

/**
 * Reads the list from a separate process: in the writing process, an answer would wait until the current saves
 * are sent.
 */
export function startListReader({ port }: { readonly port: number }): ListReader {
  const reader = fork(fileURLToPath(new URL('list-reading.ts', import.meta.url)), [String(port)], {
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  })
  const calls = createBirpc<ListReading, object>(
    {},
    { post: (message) => reader.send(message), on: (listener) => reader.on('message', listener) },
  )
  reader.once('exit', () => calls.$close(new Error('the reader of the list has ended')))
  return {
    seen: (saved) => calls.seen(saved),
    stop: async () => {
      const ended = once(reader, 'exit')
      reader.disconnect()
      await ended
    },
  }
}
