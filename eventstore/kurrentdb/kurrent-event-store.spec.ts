import { expect, test } from 'vitest'
import { someEvents, someStream } from '../../test/support/events.ts'
import type { KurrentClient, Proposed, Recorded } from './kurrent-client.ts'
import { kurrentEventStore } from './kurrent-event-store.ts'

/** A server that stores events as changed by `stored`, and returns them after a delay. */
function laggingClient(lagMs: number, stored: (event: Proposed) => Proposed = (event) => event): KurrentClient {
  const shown: Recorded[] = []
  const unused = () => expect.unreachable('not asked for')
  return {
    append: async (stream, _, events) => {
      const recorded = events.map((event, index) => ({
        ...stored(event),
        stream,
        revision: BigInt(index),
        commit: BigInt(index),
      }))
      setTimeout(() => shown.push(...recorded), lagMs)
      return BigInt(events.length - 1)
    },
    readStream: async () => [...shown],
    readForwards: unused,
    readBackwards: unused,
    subscribe: unused,
    dispose: async () => {},
  }
}

test('an append whose events are read back late is not reported as a repeat', async () => {
  const store = kurrentEventStore(laggingClient(100))
  expect(await store.append({ stream: someStream(), expected: 0, events: someEvents(2) })).toEqual({
    kind: 'appended',
    version: 2,
    position: 2n,
    replayed: false,
  })
})

test('an append whose stored events differ is reported as a repeat', async () => {
  const store = kurrentEventStore(laggingClient(100, (event) => ({ ...event, data: { note: 'of another' } })))
  expect(await store.append({ stream: someStream(), expected: 0, events: someEvents(2) })).toMatchObject({ replayed: true })
})
