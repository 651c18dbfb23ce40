import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppendTooLarge } from '#eventstore/append-size'
import type { AppendResult, EventStore, NewEvent, Page, StoredEvent } from '#eventstore/event-store'
import { eventually, readToHead, someEvent, someEvents, someStream } from '../support/events.ts'

export type StoreUnderTest = {
  readonly store: EventStore
  readonly dispose: () => Promise<void>
  /** Faults between the store and its server; absent without a server. */
  readonly faults?: {
    /** Stores the next append and loses its answer. */
    readonly loseAnswer: () => void
    /** Breaks every connection. */
    readonly cut: () => void
    readonly down: () => Promise<void>
    readonly up: () => Promise<void>
  }
}
/**
 * `exact`: any JSON text is returned byte for byte. Otherwise this holds for the format of JSON.stringify, and other text is
 * refused.
 */
export type Traits = { readonly exact: boolean; readonly networked: boolean }

/** Tests every adapter of the port. All tests may share the store, which may contain other events. */
export function eventStoreContract(name: string, traits: Traits, makeStore: () => Promise<StoreUnderTest>): void {
  describe(name, () => {
    let made: StoreUnderTest
    let store: EventStore
    beforeAll(async () => {
      made = await makeStore()
      store = made.store
    })
    afterAll(async () => {
      await store.close()
      await made.dispose()
    })

    appending(() => store)
    reading(() => store)
    bytes(() => store, traits.exact)
    subscribing(() => store)
    if (traits.networked)
      failing(
        () => store,
        () => made,
      )
  })
}

type Given = () => EventStore

/** A stream with this many events. */
async function streamOf(store: EventStore, count: number): Promise<{ stream: string; events: NewEvent[] }> {
  const stream = someStream()
  const events = someEvents(count)
  if (count > 0) expect((await store.append({ stream, expected: 0, events })).kind).toBe('appended')
  return { stream, events }
}

const ids = (events: readonly { id: string }[]): string[] => events.map((event) => event.id)
const versions = (events: readonly StoredEvent[]): number[] => events.map((event) => event.version)
const positions = (events: readonly StoredEvent[]): bigint[] => events.map((event) => event.position)
const ascending = (values: readonly bigint[]): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0n))

function appending(given: Given): void {
  describe('append', () => {
    test.each([
      { holds: 0, expected: 0, kind: 'appended' },
      { holds: 0, expected: 1, kind: 'conflict' },
      { holds: 0, expected: 7, kind: 'conflict' },
      { holds: 3, expected: 0, kind: 'conflict' },
      { holds: 3, expected: 2, kind: 'conflict' },
      { holds: 3, expected: 3, kind: 'appended' },
      { holds: 3, expected: 4, kind: 'conflict' },
      { holds: 3, expected: 9, kind: 'conflict' },
    ])('append to a stream of $holds events expecting $expected: $kind', async ({ holds, expected, kind }) => {
      for (const count of [1, 2]) {
        const { stream } = await streamOf(given(), holds)
        const result = await given().append({ stream, expected, events: someEvents(count) })
        expect(result.kind).toBe(kind)
        expect(await given().readStream(stream)).toHaveLength(kind === 'appended' ? holds + count : holds)
      }
    })

    test('returns the version and position of its last event', async () => {
      const { stream } = await streamOf(given(), 2)
      const result = await given().append({ stream, expected: 2, events: someEvents(3) })
      const last = (await given().readStream(stream)).at(-1)
      expect(result).toEqual({ kind: 'appended', version: 5, position: last?.position, replayed: false })
    })

    test('an append of more than 1,000,000 bytes is refused, and stores nothing', async () => {
      const stream = someStream()
      const sized = (bytes: number) => someEvent({ data: JSON.stringify({ note: 'ü'.repeat(bytes / 2) }) })
      await expect(given().append({ stream, expected: 0, events: [sized(500_000), sized(500_000)] })).rejects.toThrow(
        AppendTooLarge,
      )
      expect(await given().readStream(stream)).toEqual([])
      const events = [sized(500_000), sized(499_000)]
      expect(await given().append({ stream, expected: 0, events })).toMatchObject({ kind: 'appended', version: 2 })
    })

    test('reads at most as many events of a stream as were asked for', async () => {
      const { stream, events } = await streamOf(given(), 5)
      expect(ids(await given().readStream(stream, 0, 1))).toEqual(ids(events.slice(0, 1)))
      expect(ids(await given().readStream(stream, 2, 2))).toEqual(ids(events.slice(2, 4)))
      expect(ids(await given().readStream(stream, 3, 9))).toEqual(ids(events.slice(3)))
      expect(await given().readStream(stream, 5, 1)).toEqual([])
    })

    test('a torn append stores nothing', async () => {
      const { stream, events } = await streamOf(given(), 3)
      expect(await given().append({ stream, expected: 2, events: someEvents(4) })).toEqual({ kind: 'conflict' })
      expect(ids(await given().readStream(stream))).toEqual(ids(events))
    })

    test('returns the first answer for the same ids at the same version', async () => {
      const { stream } = await streamOf(given(), 1)
      for (const count of [1, 3]) {
        const expected = (await given().readStream(stream)).length
        const append = { stream, expected, events: someEvents(count) }
        const first = await given().append(append)
        const again = { ...first, replayed: expect.any(Boolean) }
        expect(await given().append(append)).toEqual(again)
        await given().append({ stream, expected: expected + count, events: someEvents(1) })
        expect(await given().append(append)).toEqual(again)
        expect(await given().readStream(stream)).toHaveLength(expected + count + 1)
      }
    })

    test('reports the same ids with other content as a repeat, and keeps the first content', async () => {
      const { stream, events } = await streamOf(given(), 2)
      const other = events.map((event) => ({ ...event, metadata: '{"at":"later"}' }))
      expect(await given().append({ stream, expected: 0, events: other })).toMatchObject({
        kind: 'appended',
        version: 2,
        replayed: true,
      })
      expect((await given().readStream(stream)).map(({ metadata }) => metadata)).toEqual(events.map(({ metadata }) => metadata))
    })

    test('reports other ids, another order or more ids as a conflict', async () => {
      const { stream, events } = await streamOf(given(), 2)
      const attempts = [someEvents(2), events.toReversed(), [...events, someEvent()], [...events.slice(0, 1), someEvent()]]
      for (const attempt of attempts) {
        expect(await given().append({ stream, expected: 0, events: attempt })).toEqual({ kind: 'conflict' })
      }
      expect(await given().append({ stream, expected: 0, events: events.slice(0, 1) })).toMatchObject({
        kind: 'appended',
        version: 1,
      })
      expect(ids(await given().readStream(stream))).toEqual(ids(events))
    })

    test('gives each version one winner among concurrent writers of a stream', async () => {
      const stream = someStream()
      const won: string[] = []
      const write = async (): Promise<void> => {
        for (let tries = 0; tries < 8; tries += 1) {
          const expected = (await given().readStream(stream)).length
          const event = someEvent()
          const result = await given().append({ stream, expected, events: [event] })
          if (result.kind === 'appended') won.push(`${result.version} ${event.id}`)
        }
      }
      await Promise.all(Array.from({ length: 12 }, write))
      const stored = await given().readStream(stream)
      expect(won.toSorted()).toEqual(stored.map((event) => `${event.version} ${event.id}`).toSorted())
      expect(versions(stored)).toEqual(stored.map((_, index) => index + 1))
      expect(ascending(positions(stored))).toBe(true)
    })

    test.each([
      ['of one event each', () => 1],
      ['of several events', (index: number) => 1 + (index % 3)],
    ])('conflicts in a batch leave the others in (%s)', async (_, eventsOf) => {
      const taken = await streamOf(given(), 1)
      const short = await streamOf(given(), 1)
      const fresh = Array.from({ length: 40 }, () => ({ stream: someStream(), expected: 0 }))
      const wanted = [
        ...fresh.slice(0, 20),
        { stream: taken.stream, expected: 0 },
        { stream: short.stream, expected: 9 },
        ...fresh.slice(20),
      ]
      const appends = wanted.map((one, index) => ({ ...one, events: someEvents(eventsOf(index)) }))
      const results: readonly AppendResult[] = await Promise.all(appends.map((append) => given().append(append)))
      expect(results.flatMap(({ kind }, index) => (kind === 'conflict' ? [index] : []))).toEqual([20, 21])
      for (const [index, result] of results.entries()) {
        if (result.kind !== 'appended') continue
        const { stream, events } = appends[index] ?? { stream: '', events: [] }
        const stored = await given().readStream(stream)
        expect(stored.map(({ id, data, metadata }) => ({ id, data, metadata }))).toEqual(
          events.map(({ id, data, metadata }) => ({ id, data, metadata })),
        )
        expect([result.version, result.position]).toEqual([stored.length, stored.at(-1)?.position])
      }
      expect(await given().readStream(short.stream)).toHaveLength(1)
    })

    test.each([
      ['data that is not JSON', { data: '{"a":' }],
      ['metadata that is not JSON', { metadata: 'undefined' }],
      ['data that is two values', { data: '1,2' }],
      ['whitespace around data', { data: ' {}' }],
      ['half a surrogate pair', { data: '"\ud800"' }],
      ['an id that is not a UUID', { id: 'x' }],
      ['an empty type', { type: '' }],
      ['schema version 0', { schemaVersion: 0 }],
    ])('refuses %s, and only that append', async (_, wrong) => {
      const stream = someStream()
      const bad = given().append({ stream, expected: 0, events: [someEvent(), someEvent(wrong)] })
      const good = given().append({ stream: someStream(), expected: 0, events: [someEvent()] })
      await expect(bad).rejects.toThrow(TypeError)
      expect((await good).kind).toBe('appended')
      expect(await given().readStream(stream)).toEqual([])
    })

    test('refuses an empty append and a negative version', async () => {
      await expect(given().append({ stream: someStream(), expected: 0, events: [] })).rejects.toThrow(TypeError)
      await expect(given().append({ stream: someStream(), expected: -1, events: someEvents(1) })).rejects.toThrow(TypeError)
    })
  })
}

function reading(given: Given): void {
  describe('read', () => {
    test('returns nothing for an unknown stream', async () => {
      expect(await given().readStream(someStream())).toEqual([])
    })

    test('returns a stream after a version', async () => {
      const { stream, events } = await streamOf(given(), 5)
      expect(versions(await given().readStream(stream))).toEqual([1, 2, 3, 4, 5])
      expect(ids(await given().readStream(stream, 3))).toEqual(ids(events.slice(3)))
      expect(await given().readStream(stream, 5)).toEqual([])
    })

    test('returns at most so many events of a stream after a version', async () => {
      const { stream, events } = await streamOf(given(), 5)
      const idsOf = async (after: number, most: number) => (await given().readStream(stream, after, most)).map(({ id }) => id)
      const ids = events.map(({ id }) => id)
      expect(await idsOf(0, 1)).toEqual(ids.slice(0, 1))
      expect(await idsOf(3, 1)).toEqual(ids.slice(3, 4))
      expect(await idsOf(3, 10)).toEqual(ids.slice(3))
      expect(await idsOf(5, 1)).toEqual([])
    })

    test('returns the log in pages: every event once, in order, with dense versions per stream', async () => {
      const after = await given().head()
      const streams = await Promise.all(Array.from({ length: 6 }, () => streamOf(given(), 4)))
      await Promise.all(streams.map(({ stream }) => given().append({ stream, expected: 4, events: someEvents(3) })))
      for (const limit of [1, 5, 1000]) {
        const events = await readToHead(given(), after, limit)
        expect(events).toHaveLength(42)
        expect(ascending(positions(events))).toBe(true)
        for (const { stream } of streams) {
          expect(events.filter((event) => event.stream === stream)).toEqual(await given().readStream(stream))
        }
      }
    })

    test('returns pages up to the limit, and an empty last page', async () => {
      const after = await given().head()
      await streamOf(given(), 7)
      const page = await given().readAll(after, 3)
      expect(page.events).toHaveLength(3)
      expect(page.upTo).toBe(page.events.at(-1)?.position)
      const head = await given().head()
      const last = await given().readAll(head, 3)
      expect(last.events).toEqual([])
      expect(last.upTo).toBeGreaterThanOrEqual(head)
      expect(await given().readAll(last.upTo, 3)).toEqual(last)
    })

    test('scans the log after a position, in order, and ends', async () => {
      const after = await given().head()
      const streams = await Promise.all(Array.from({ length: 30 }, () => streamOf(given(), 50)))
      const events: StoredEvent[] = []
      let upTo = after
      for await (const page of given().scan(after)) {
        expect(page.upTo).toBeGreaterThan(upTo)
        upTo = page.upTo
        events.push(...page.events)
        expect(events.at(-1)?.position ?? 0n).toBeLessThanOrEqual(upTo)
      }
      expect(events).toHaveLength(1500)
      expect(events).toEqual(await readToHead(given(), after))
      expect(upTo).toBeGreaterThanOrEqual(await given().head())
      for (const { stream } of streams) expect(versions(events.filter((event) => event.stream === stream)).at(-1)).toBe(50)
    })

    test('releases its resources when a scan is left early', async () => {
      const after = await given().head()
      await Promise.all(Array.from({ length: 40 }, () => streamOf(given(), 50)))
      for await (const page of given().scan(after)) if (page.events.length > 0) break
      expect(await readToHead(given(), after)).toHaveLength(2000)
    })

    test('returns the position of the newest event as head', async () => {
      const { stream } = await streamOf(given(), 2)
      expect(await given().head()).toBe((await given().readStream(stream)).at(-1)?.position)
    })
  })
}

function bytes(given: Given, exact: boolean): void {
  const odd = [
    '{"b":1.0,"a":1e2,"c":-0,"d":12345678901234567890.123456789}',
    '{"z":1,"a":2,"10":3,"2":4}',
    '{"a":"ẞ ΅ 漢字 🏳️‍🌈 \u2028 \u0301e"}',
    '{"html":"<a href=\'x\'>&amp;</a>","slash":"\\/ \\\\ /","escape":"\\u00e9\\u0000\\n"}',
    '{"a" : [1 , 2],  "b":{ }}',
    '{"a":\n\t1,\r\n"b":2}',
    '{"a":1,"a":2}',
    '"text"',
    'null',
    '[[],{},""]',
  ]
  const printed = odd.map((text) => JSON.stringify({ value: JSON.parse(text) }))
  const texts = exact ? odd : printed

  describe('stored events', () => {
    test.skipIf(exact)('stored events are not created from text that would be stored changed', async () => {
      const stream = someStream()
      for (const over of [{ data: '{"b":1.0}' }, { data: '{"a" : 1}' }, { metadata: '{"a":1,"a":2}' }, { metadata: '[]' }])
        await expect(given().append({ stream, expected: 0, events: [someEvent(over)] })).rejects.toThrow(
          /^(data|metadata) of Noted/,
        )
      expect(await given().readStream(stream)).toEqual([])
    })

    test('stored events keep data and metadata byte for byte', async () => {
      const events = texts.map((text) => someEvent({ data: text, metadata: text }))
      const together = someStream()
      await given().append({ stream: together, expected: 0, events })
      const alone: StoredEvent[] = []
      for (const event of events) {
        const stream = someStream()
        await given().append({ stream, expected: 0, events: [{ ...event, id: someEvent().id }] })
        alone.push(...(await given().readStream(stream)))
      }
      for (const stored of [await given().readStream(together), alone]) {
        expect(stored.map((event) => event.data)).toEqual(texts)
        expect(stored.map((event) => event.metadata)).toEqual(texts)
      }
    })

    test('stored events are the same from a scan and a stream read, for any name and content', async () => {
      const after = await given().head()
      const written: StoredEvent[] = []
      for (const [i, text] of texts.entries()) {
        const stream = someStream(`ünï "${i}", 'x'`)
        const events = [someEvent({ data: text, metadata: text }), someEvent({ type: `So, "${i}"`, schemaVersion: i + 1 })]
        await given().append({ stream, expected: 0, events })
        written.push(...(await given().readStream(stream)))
      }
      const found: StoredEvent[] = []
      for await (const { events } of given().scan(after)) found.push(...events)
      expect(found).toEqual(written)
      expect(found.map(({ data }) => data).filter((_, i) => i % 2 === 0)).toEqual(texts)
    })

    test('stored events can be parsed and written again by JSON.stringify without a change', async () => {
      const value = {
        name: 'Ünï 🦉 <&>',
        big: 9_007_199_254_740_991,
        small: 1e-7,
        list: [null, true, { 2: 'b', a: 1 }],
        none: {},
      }
      const data = JSON.stringify(value)
      const stream = someStream()
      await given().append({ stream, expected: 0, events: [someEvent({ data })] })
      const [stored] = await given().readStream(stream)
      expect(JSON.stringify(JSON.parse(stored?.data ?? ''))).toBe(data)
    })

    test('stored events are returned with type, schema version, stream name and id', async () => {
      const event = someEvent({ type: 'NameGiven', schemaVersion: 12 })
      const stream = someStream('ünï')
      await given().append({ stream, expected: 0, events: [event] })
      expect(await given().readStream(stream)).toEqual([{ ...event, stream, version: 1, position: expect.any(BigInt) }])
    })
  })
}

function subscribing(given: Given): void {
  const follow = (after: bigint, onPage: (page: Page) => Promise<void> = async () => {}, batchSize = 3) => {
    const pages: Page[] = []
    const errors: unknown[] = []
    const subscription = given().subscribe({
      after,
      batchSize,
      onPage: async (page) => {
        pages.push(page)
        await onPage(page)
      },
      onError: (error) => errors.push(error),
    })
    return { subscription, errors, pages, events: () => pages.flatMap((page) => page.events) }
  }

  describe('subscribe', () => {
    test('delivers everything in order from the beginning, then new events', async () => {
      await streamOf(given(), 4)
      const before = await readToHead(given())
      const { subscription, events, pages } = follow(0n, undefined, 100)
      await eventually(() => events().length >= before.length)
      const { stream } = await streamOf(given(), 2)
      await eventually(() => events().length >= before.length + 2)
      await subscription.stop()
      expect(events()).toEqual([...before, ...(await given().readStream(stream))])
      expect(pages.every((page) => page.events.length <= 100 && page.upTo >= (page.events.at(-1)?.position ?? 0n))).toBe(true)
    })

    test('delivers only new events from the head', async () => {
      await streamOf(given(), 2)
      const { subscription, events } = follow(await given().head())
      const { events: written } = await streamOf(given(), 5)
      await eventually(() => events().length >= 5)
      await subscription.stop()
      expect(ids(events())).toEqual(ids(written))
    })

    test('delivers events strictly after a checkpoint', async () => {
      const { stream, events: written } = await streamOf(given(), 5)
      const stored = await given().readStream(stream)
      const { subscription, events } = follow(stored[1]?.position ?? 0n)
      await eventually(() => events().length >= 3)
      await subscription.stop()
      expect(ids(events())).toEqual(ids(written.slice(2)))
    })

    test('delivers only the chosen streams, and advances over all others', async () => {
      const after = await given().head()
      const [wanted, other] = [someStream('wanted'), someStream('other')]
      const pages: Page[] = []
      const subscription = given().subscribe({
        after,
        streams: ['wanted-', 'asked-'],
        onPage: async (page) => void pages.push(page),
        onError: (error) => expect.unreachable(String(error)),
      })
      for (let version = 0; version < 90; version++) {
        await given().append({ stream: other, expected: version, events: [someEvent()] })
        if (version < 40 && version % 10 === 0)
          await given().append({ stream: wanted, expected: version / 10, events: [someEvent()] })
      }
      await eventually(() => pages.flatMap(({ events }) => events).length === 4)
      const last = pages.flatMap(({ events }) => events).at(-1)?.position ?? 0n
      await eventually(() => (pages.at(-1)?.upTo ?? 0n) > last)
      await subscription.stop()
      expect(pages.flatMap(({ events }) => events)).toEqual(await given().readStream(wanted))
      expect(ascending(pages.map(({ upTo }) => upTo))).toBe(true)
    })

    test('delivers one page at a time', async () => {
      const after = await given().head()
      let running = 0
      let most = 0
      const { subscription, events } = follow(after, async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
      })
      await Promise.all(Array.from({ length: 10 }, () => streamOf(given(), 1)))
      await eventually(() => events().length >= 10)
      await subscription.stop()
      expect(most).toBe(1)
    })

    test('waits in stop() for the current page and delivers nothing after it', async () => {
      const after = await given().head()
      await streamOf(given(), 9)
      let finished = 0
      const { subscription, pages } = follow(after, async () => {
        await new Promise((resolve) => setTimeout(resolve, 30))
        finished += 1
      })
      await eventually(() => pages.length === 1)
      await subscription.stop()
      expect(finished).toBe(1)
      await streamOf(given(), 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(pages).toHaveLength(1)
    })

    test('ends and reports to onError when a page is refused', async () => {
      const after = await given().head()
      await streamOf(given(), 6)
      const refusal = new Error('no')
      const { errors, pages, subscription } = follow(after, () => Promise.reject(refusal))
      await eventually(() => errors.length > 0)
      await streamOf(given(), 1)
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(errors).toEqual([refusal])
      expect(pages).toHaveLength(1)
      await subscription.stop()
    })

    test('delivers everything to several followers under concurrent writes', async () => {
      const after = await given().head()
      const followers = [follow(after), follow(after)]
      await Promise.all(Array.from({ length: 60 }, (_, index) => streamOf(given(), 1 + (index % 3))))
      const written = await readToHead(given(), after)
      for (const { events, subscription } of followers) {
        await eventually(() => events().length >= 120)
        await subscription.stop()
        expect(events()).toEqual(written)
      }
    })
  })
}

function failing(given: Given, made: () => StoreUnderTest): void {
  const faults = (): NonNullable<StoreUnderTest['faults']> => {
    const { faults: own } = made()
    if (own === undefined) throw new Error('no way to break this store')
    return own
  }
  const follow = (after: bigint, ms = 0) => {
    const events: StoredEvent[] = []
    const subscription = given().subscribe({
      after,
      batchSize: 5,
      onPage: async (page) => {
        if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
        events.push(...page.events)
      },
      onError: (error) => expect.unreachable(String(error)),
    })
    return { events, subscription }
  }

  describe('the event store with connection faults', () => {
    test.each([1, 3])('stores an append of %i events once and answers it, although the first answer is lost', async (count) => {
      const { stream } = await streamOf(given(), 2)
      const events = someEvents(count)
      faults().loseAnswer()
      const result = await given().append({ stream, expected: 2, events })
      const stored = await given().readStream(stream)
      expect(stored).toHaveLength(2 + count)
      expect(ids(stored.slice(2))).toEqual(ids(events))
      expect(result).toMatchObject({ kind: 'appended', version: 2 + count, position: stored.at(-1)?.position })
      expect(await given().append({ stream, expected: 2, events: someEvents(count) })).toEqual({ kind: 'conflict' })
    })

    test('reports a conflict although its first answer was lost', async () => {
      const { stream } = await streamOf(given(), 2)
      faults().loseAnswer()
      expect(await given().append({ stream, expected: 1, events: someEvents(1) })).toEqual({ kind: 'conflict' })
      expect(await given().readStream(stream)).toHaveLength(2)
    })

    test('delivers every event once, in order, when the connections of a follower break', async () => {
      const after = await given().head()
      const { events, subscription } = follow(after, 3)
      for (let round = 0; round < 4; round++) {
        await Promise.all(Array.from({ length: 10 }, () => streamOf(given(), 2)))
        faults().cut()
      }
      await Promise.all(Array.from({ length: 5 }, () => streamOf(given(), 2)))
      await eventually(() => events.length >= 90)
      await subscription.stop()
      expect(events).toEqual(await readToHead(given(), after))
      expect(events).toHaveLength(90)
    })

    test('completes appends and continues followers when a stopped server returns', async () => {
      const after = await given().head()
      const { events, subscription } = follow(after)
      const { stream } = await streamOf(given(), 1)
      await faults().down()
      const late = given().append({ stream, expected: 1, events: someEvents(2) })
      await new Promise((resolve) => setTimeout(resolve, 300))
      await faults().up()
      expect(await late).toMatchObject({ kind: 'appended', version: 3 })
      await eventually(() => events.length === 3)
      await subscription.stop()
      expect(events).toEqual(await given().readStream(stream))
    })

    test('stops a follower while the server is down', async () => {
      const { subscription } = follow(await given().head())
      await faults().down()
      await subscription.stop()
      await faults().up()
    })
  })
}
