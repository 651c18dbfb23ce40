import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoredEvent } from './event-store.ts'
import { sharePages } from './shared-pages.ts'
import { createSignal } from './signal.ts'
import type { ReadPage } from './subscription.ts'

const event = (position: bigint): StoredEvent => ({
  id: String(position),
  type: 'T',
  schemaVersion: 1,
  data: 'x'.repeat(10),
  metadata: '',
  stream: 's-1',
  version: Number(position),
  position,
})

/** A log of `head()` events; a read resolves when `release` is called. */
function slowLog(head: () => bigint) {
  const waiting: (() => void)[] = []
  let reads = 0
  const read = async (after: bigint, limit: number): Promise<ReadPage> => {
    reads += 1
    const upTo = after + BigInt(limit) < head() ? after + BigInt(limit) : head()
    await new Promise<void>((resolve) => waiting.push(resolve))
    const events = Array.from({ length: Math.max(0, Number(upTo - after)) }, (_, i) => event(after + BigInt(i) + 1n))
    return { events, upTo: events.length === 0 ? after : upTo, waiting: false }
  }
  return {
    read,
    reads: () => reads,
    release: () => waiting.splice(0).forEach((go) => go()),
  }
}

test('followers at the same position share one read and get the same events', async () => {
  const log = slowLog(() => 3n)
  const read = sharePages(log.read, createSignal())
  const both = [read(0n, 500), read(0n, 500)]
  log.release()
  const [first, second] = await Promise.all(both)
  const late = await read(0n, 500)
  expect(log.reads()).toBe(1)
  expect(first?.events).toHaveLength(3)
  expect(second?.events[0]).toBe(first?.events[0])
  expect(late.events[2]).toBe(first?.events[2])
})

test('a read that began before a notification is not shared after it', async () => {
  let head = 0n
  const log = slowLog(() => head)
  const wake = createSignal()
  const read = sharePages(log.read, wake)
  const early = read(0n, 500)
  head = 1n
  wake.raise()
  const later = read(0n, 500)
  log.release()
  expect((await early).events).toEqual([])
  expect((await later).events).toHaveLength(1)
})

test('an empty page is not cached', async () => {
  let head = 0n
  const log = slowLog(() => head)
  const read = sharePages(log.read, createSignal())
  const empty = read(0n, 500)
  log.release()
  await empty
  head = 2n
  const found = read(0n, 500)
  log.release()
  expect((await found).events).toHaveLength(2)
})

test('a failed read is retried', async () => {
  let fails = true
  const read = sharePages(async (after) => {
    if (fails) throw new Error('the connection is gone')
    return { events: [event(1n)], upTo: after + 1n, waiting: false }
  }, createSignal())
  await expect(read(0n, 500)).rejects.toThrow('the connection is gone')
  fails = false
  expect((await read(0n, 500)).events).toHaveLength(1)
})

test('a page starts at the requested position, without a gap and within its limit, whatever is cached', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          after: fc.nat(30),
          limit: fc.integer({ min: 1, max: 12 }),
          grows: fc.nat(3),
        }),
        { maxLength: 40, size: 'max' },
      ),
      fc.integer({ min: 10, max: 400 }),
      async (asked, keptCharacters) => {
        let head = 5n
        const wake = createSignal()
        const plain = async (after: bigint, limit: number): Promise<ReadPage> => {
          const events: StoredEvent[] = []
          for (let at = after + 1n; at <= head && events.length < limit; at++) events.push(event(at))
          return {
            events,
            upTo: events.at(-1)?.position ?? after,
            waiting: false,
          }
        }
        const read = sharePages(plain, wake, keptCharacters)
        for (const { after, limit, grows } of asked) {
          const from = BigInt(after)
          const page = await read(from, limit)
          const positions = page.events.map(({ position }) => position)
          expect(positions).toEqual(positions.map((_, i) => from + BigInt(i) + 1n))
          expect(page.upTo).toBe(positions.at(-1) ?? from)
          expect(positions.length).toBeLessThanOrEqual(limit)
          // An existing event is never reported as missing.
          if (from < head) expect(positions.length).toBeGreaterThan(0)
          if (page.upTo < head && positions.length < limit) expect(page.more).toBe(true)
          head += BigInt(grows)
          if (grows > 0) wake.raise()
        }
      },
    ),
  )
})
