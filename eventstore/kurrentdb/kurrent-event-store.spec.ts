import { WrongExpectedVersionError } from '@eventstore/db-client'
import { v5 } from 'uuid'
import { expect, test } from 'vitest'
import { someEvent, someEvents, someStream } from '#test/support/events'
import type { KurrentClient, Proposed, Recorded } from './kurrent-client.ts'
import { kurrentEventStore } from './kurrent-event-store.ts'
import { idOf } from './kurrent-events.ts'

const notCalled = () => expect.unreachable('not called')
const someClient = (calls: Partial<KurrentClient>): KurrentClient => ({
  append: notCalled,
  readStream: notCalled,
  readForwards: notCalled,
  readBackwards: notCalled,
  subscribe: notCalled,
  ping: notCalled,
  dispose: async () => {},
  ...calls,
})

test('an append that succeeds is not read back', async () => {
  const store = kurrentEventStore(someClient({ append: async (_stream, _revision, events) => BigInt(events.length - 1) }))
  expect(await store.append({ stream: someStream(), expected: 0, events: someEvents(2) })).toEqual({
    kind: 'appended',
    version: 2,
    position: 2n,
    replayed: false,
  })
})

test('the id in KurrentDB is the same for the same event, and another one when any byte differs', async () => {
  const proposed: Proposed[] = []
  const append: KurrentClient['append'] = async (_stream, _revision, events) => BigInt(proposed.push(...events))
  const store = kurrentEventStore(someClient({ append }))
  const event = someEvent({ schemaVersion: 1, data: '{"n":1}', metadata: '{"at":"now"}' })
  const others = [
    { type: 'Other' },
    { schemaVersion: 2 },
    { data: '{"n":2}' },
    { metadata: '{"at":"later"}' },
    { id: someEvent().id },
  ]
  for (const changed of [{}, {}, ...others])
    await store.append({ stream: someStream(), expected: 0, events: [{ ...event, ...changed }] })
  expect(proposed[0]?.id).toBe(proposed[1]?.id)
  expect(new Set(proposed.map(({ id }) => id)).size).toBe(1 + others.length)
})

test('the id in KurrentDB is a UUIDv5', () => {
  const namespace = 'c2f0a9d4-58b1-5e3c-8f47-7a1d6e90b352'
  for (let i = 0; i < 50; i++) {
    const event = someEvent({ type: 'Gegrüßt' })
    const { id, type, schemaVersion, data, metadata } = event
    expect(idOf(event)).toBe(v5(Buffer.from(`${id}\0${type}\0${schemaVersion}\0${data}\0${metadata}`), namespace))
  }
})

test('an event from before ids were derived keeps its id, and its repeat is recognised', async () => {
  const stream = someStream()
  const event = someEvent({ schemaVersion: 3, data: '{"n":1}', metadata: '{"at":"now"}' })
  const before: Recorded = {
    ...event,
    stream,
    revision: 0n,
    commit: 6n,
    data: { n: 1 },
    metadata: { at: 'now', $schema_version: 3 },
  }
  const store = kurrentEventStore(
    someClient({
      append: async () => {
        throw new WrongExpectedVersionError(null as never, { streamName: stream, current: 0n, expected: 'no_stream' })
      },
      readStream: async () => [before],
    }),
  )
  expect(await store.readStream(stream)).toEqual([{ ...event, stream, version: 1, position: 7n }])
  expect(await store.append({ stream, expected: 0, events: [event] })).toEqual({
    kind: 'appended',
    version: 1,
    position: 7n,
    replayed: true,
  })
  expect(await store.append({ stream, expected: 0, events: [someEvent()] })).toEqual({ kind: 'conflict' })
})
