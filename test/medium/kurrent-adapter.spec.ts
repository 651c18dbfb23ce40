import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppendTooLarge } from '#eventstore/append-size'
import type { EventStore } from '#eventstore/event-store'
import { CLOCKS, type KurrentClocks } from '#eventstore/kurrentdb/clocks'
import { createKurrentEventStore } from '#eventstore/kurrentdb/kurrent-event-store'
import { eventually, readToHead, someEvent, someEvents, someStream } from '../support/events.ts'
import { startStandIn, type StandIn } from '../support/kurrent/stand-in.ts'

/** Short enough for tests. */
const FAST: KurrentClocks = { ...CLOCKS, deadlineMs: 400, graceMs: 100 }

let server: StandIn
let store: EventStore

beforeEach(async () => {
  server = await startStandIn()
  store = createKurrentEventStore(server.url, FAST)
})
afterEach(async () => {
  await store.close()
  await server.stop()
})

test('appends never use the batch stream, which a silent server would hold forever', async () => {
  await store.append({ stream: someStream(), expected: 0, events: someEvents(2) })
  expect(server.calls.append).toBeGreaterThan(0)
  expect(server.calls.batchAppend).toBe(0)
})

test('an append to a silent server times out, and is found by the retry if it was stored', async () => {
  server.nextAppend('silent')
  const stream = someStream()
  const events = someEvents(2)
  const result = await store.append({ stream, expected: 0, events })
  expect(result).toMatchObject({ kind: 'appended', version: 2 })
  expect((await store.readStream(stream)).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
})

test.each([
  ['of a stream', (stream: string) => store.readStream(stream)],
  ['of the log', async () => (await store.readAll(0n, 10)).events],
] as const)('a read %s that is never answered times out and is retried', async (_, read) => {
  const stream = someStream()
  const events = someEvents(2)
  await store.append({ stream, expected: 0, events })
  server.silenceNextRead()
  const before = server.calls.read
  expect((await read(stream)).map(({ id }) => id)).toEqual(events.map(({ id }) => id))
  expect(server.calls.read).toBeGreaterThan(before + 1)
})

test('an error of one store does not affect the appends of another', async () => {
  const other = createKurrentEventStore(server.url)
  server.nextAppend('refused')
  const results = await Promise.all(
    [store, other].map((one) => one.append({ stream: someStream(), expected: 0, events: someEvents(1) })),
  )
  expect(results.map(({ kind }) => kind)).toEqual(['appended', 'appended'])
  await other.close()
})

test('the largest append is below the limit of the server, whatever it holds', async () => {
  const sized = (type: string, data: number) =>
    someEvent({ type, schemaVersion: 32_767, data: JSON.stringify('x'.repeat(data)), metadata: '{}' })
  // One byte less than the limit each: data, metadata of 2 bytes and the adapter's 76, types with two bytes a character.
  const appends = [
    [sized('T', 999_999 - 82)],
    [sized('T'.repeat(300_000), 399_999 - 80)],
    Array.from({ length: 1980 }, () => sized('T'.repeat(200), 20)).concat(sized('T', 9_999 - 82)),
  ]
  const slow = createKurrentEventStore(server.url)
  for (const events of appends)
    expect(await slow.append({ stream: someStream(), expected: 0, events })).toMatchObject({ kind: 'appended' })
  await slow.close()
  const [event] = appends[0] ?? []
  if (event === undefined) return
  const larger = { ...event, data: JSON.stringify('x'.repeat(999_919)) }
  const calls = server.calls.append
  await expect(store.append({ stream: someStream(), expected: 0, events: [larger] })).rejects.toThrow(AppendTooLarge)
  expect(server.calls.append).toBe(calls)
})

test('the schema version and the id are stored beside the metadata, whose text is unchanged', async () => {
  const stream = someStream()
  const metadata = JSON.stringify({ actor: 'ada', hash: 'ab' })
  const event = someEvent({ schemaVersion: 7, metadata })
  await store.append({ stream, expected: 0, events: [event] })
  const [entry] = server.log.stream(stream)
  expect(JSON.parse(String(entry?.metadata))).toEqual({ actor: 'ada', hash: 'ab', $schema_version: 7, $event_id: event.id })
  expect(entry?.id).not.toBe(event.id)
  expect(await store.readStream(stream)).toMatchObject([event])
})

// covers FP-18
test('system events are not delivered in pages, to followers or as head', async () => {
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

// covers FP-18
test('a filtered subscription advances although no event matches', async () => {
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

test('appends and followers wait for a cluster without a responding node, and continue with the first one', async () => {
  const remote = createKurrentEventStore(server.clusterUrl)
  const stream = someStream()
  const seen: string[] = []
  const errors: unknown[] = []
  const follow = () =>
    remote.subscribe({
      after: 0n,
      onPage: async ({ events }) => void seen.push(...events.map(({ id }) => id)),
      onError: (error) => void errors.push(error),
    })
  const before = someEvents(1)
  await remote.append({ stream, expected: 0, events: before })
  const early = follow()
  await eventually(() => seen.length === 1)
  await server.kill()
  const late = follow()
  const after = Array.from({ length: 5 }, (_, index) => ({
    stream: index === 0 ? stream : someStream(),
    expected: index === 0 ? 1 : 0,
    events: someEvents(1),
  }))
  const appended = Promise.allSettled(after.map((append) => remote.append(append)))
  // The client itself times out after one second.
  expect(await Promise.race([appended, delay(3000, 'trying')])).toBe('trying')
  expect(errors).toEqual([])
  await server.revive()
  expect((await appended).map(({ status }) => status)).toEqual(after.map(() => 'fulfilled'))
  await eventually(() => seen.length === 12)
  expect(errors).toEqual([])
  await Promise.all([early.stop(), late.stop()])
  await remote.close()
})

test('a store closes, and a follower stops, while no node of a cluster responds', async () => {
  const remote = createKurrentEventStore(server.clusterUrl)
  const subscription = remote.subscribe({
    after: 0n,
    onPage: async () => {},
    onError: (error) => expect.unreachable(String(error)),
  })
  await remote.append({ stream: someStream(), expected: 0, events: someEvents(1) })
  await server.kill()
  const stopping = Date.now()
  await delay(100)
  await subscription.stop()
  await remote.close()
  expect(Date.now() - stopping).toBeLessThan(1000)
  await server.revive()
})

test('a failed call does not end the process while no node of the cluster responds', async () => {
  const remote = createKurrentEventStore(server.clusterUrl)
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const append = () => remote.append({ stream: someStream(), expected: 0, events: someEvents(1) })
  await append()
  server.loseWay()
  server.nextAppend('silent', 'refused')
  const settled = Promise.allSettled([append(), append()])
  await delay(300)
  await server.kill()
  await delay(1500)
  await remote.close()
  await settled
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  await server.revive()
})

test('appends and reads for decisions go to the new leader after a failover', async () => {
  const leader = await startStandIn()
  const stream = someStream()
  await store.head()
  server.followNode(leader)
  expect(await store.append({ stream, expected: 0, events: someEvents(2) })).toMatchObject({ version: 2, replayed: false })
  expect([server.log.stream(stream).length, leader.log.stream(stream).length]).toEqual([0, 2])
  for (const ask of [(each: EventStore) => each.readStream(stream), (each: EventStore) => each.head()]) {
    const fresh = createKurrentEventStore(server.url)
    expect(await ask(fresh)).toEqual(await ask(store))
    await fresh.close()
  }
  expect(await store.readStream(stream)).toHaveLength(2)
  await leader.stop()
})
