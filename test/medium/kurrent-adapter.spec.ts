import { afterEach, beforeEach, expect, test } from 'vitest'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createKurrentEventStore } from '../../eventstore/kurrentdb/kurrent-event-store.ts'
import { eventually, readToHead, someEvent, someEvents, someStream } from '../support/events.ts'
import { startStandIn, type StandIn } from '../support/kurrent/stand-in.ts'

let server: StandIn
let store: EventStore

beforeEach(async () => {
  server = await startStandIn()
  store = createKurrentEventStore(server.url)
})
afterEach(async () => {
  await store.close()
  await server.stop()
})

test('appends never join the batch stream that a silent server would hold for ever', async () => {
  await store.append({ stream: someStream(), expected: 0, events: someEvents(2) })
  expect(server.calls).toMatchObject({ append: 1, batchAppend: 0 })
})

test('a silent server is given up, and the append it did take is found again', async () => {
  server.nextAppend('silent')
  const stream = someStream()
  const events = someEvents(2)
  const result = await store.append({ stream, expected: 0, events })
  expect(result).toMatchObject({ kind: 'appended', version: 2 })
  expect((await store.readStream(stream)).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
}, 20_000)

test('a fault of one store does not reach the appends of another', async () => {
  const other = createKurrentEventStore(server.url)
  server.nextAppend('refused')
  const results = await Promise.all(
    [store, other].map((one) => one.append({ stream: someStream(), expected: 0, events: someEvents(1) })),
  )
  expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended'])
  await other.close()
})

test('a large append is refused at once, with the reason', async () => {
  const data = JSON.stringify({ note: 'x'.repeat(1_100_000) })
  await expect(store.append({ stream: someStream(), expected: 0, events: [someEvent({ data })] })).rejects.toThrow(/append size/i)
})

test('the schema version travels beside the metadata, whose text stays as it was', async () => {
  const stream = someStream()
  const metadata = JSON.stringify({ actor: 'ada', hash: 'ab' })
  await store.append({ stream, expected: 0, events: [someEvent({ schemaVersion: 7, metadata })] })
  const [entry] = server.log.stream(stream)
  expect(JSON.parse(String(entry?.metadata))).toEqual({ actor: 'ada', hash: 'ab', $schema_version: 7 })
  expect(await store.readStream(stream)).toMatchObject([{ schemaVersion: 7, metadata }])
})

test('events of the server itself are nowhere: not in pages, not at the head, not with followers', async () => {
  expect(await store.head()).toBe(0n)
  const empty = await store.readAll(0n, 10)
  expect(empty.events).toEqual([])
  expect(empty.upTo).toBeGreaterThan(0n)
  for (let i = 0; i < 30; i++) await store.append({ stream: someStream(), expected: 0, events: [someEvent()] })
  expect(server.log.entries.some(({ stream }) => stream.startsWith('$stats'))).toBe(true)
  const all = await readToHead(store, 0n, 4)
  expect(all).toHaveLength(30)
  const seen: string[] = []
  const subscription = store.subscribe({
    after: 0n,
    onPage: async ({ events }) => void seen.push(...events.map(({ id }) => id)),
    onError: (error) => expect.unreachable(String(error)),
  })
  await eventually(() => seen.length >= 30)
  await subscription.stop()
  expect(seen).toEqual(all.map(({ id }) => id))
})

test('a follower that finds nothing of its own still gets on, by what the server has looked at', async () => {
  const pages: bigint[] = []
  const subscription = store.subscribe({
    after: 0n,
    streams: ['rare-'],
    onPage: async ({ events, upTo }) => {
      expect(events).toEqual([])
      pages.push(upTo)
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  for (let i = 0; i < 60; i++) await store.append({ stream: someStream('common'), expected: 0, events: [someEvent()] })
  await eventually(() => pages.length >= 2)
  await subscription.stop()
  expect(pages.at(-1)).toBeLessThanOrEqual(await store.head())
})
