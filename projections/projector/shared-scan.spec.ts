import { expect, test } from 'vitest'
import type { EventStore, Page } from '#eventstore/event-store'
import { shareScan, together } from './shared-scan.ts'

const PAGES = 30

/** A log of empty pages that counts how often it is scanned, and how many pages were read. */
function countingStore() {
  const counts = { scans: 0, pages: 0 }
  async function* scan(after: bigint): AsyncGenerator<Page> {
    counts.scans += 1
    for (let at = Number(after) + 1; at <= PAGES; at++) {
      counts.pages += 1
      yield { events: [], upTo: BigInt(at) }
    }
  }
  return { counts, store: { scan } as unknown as EventStore }
}

async function positions(store: EventStore, after = 0n, most = PAGES, pause = async () => {}): Promise<readonly number[]> {
  const read: number[] = []
  for await (const { upTo } of store.scan(after)) {
    read.push(Number(upTo))
    if (read.length >= most) break
    await pause()
  }
  return read
}

const ALL = Array.from({ length: PAGES }, (_, i) => i + 1)
const slowly = async () => {
  for (let n = 0; n < 10; n++) await soon()
}
const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

test('builds that begin together read the log once, and each sees every page in order', async () => {
  const { counts, store } = countingStore()
  const read = await together(store, [0, 1, 2], (n, log) => positions(log, 0n, PAGES, n === 0 ? async () => {} : soon))
  expect(read).toEqual([ALL, ALL, ALL])
  expect(counts).toEqual({ scans: 1, pages: PAGES })
})

test('the fastest reader waits for the slowest one', async () => {
  const { counts, store } = countingStore()
  const shared = shareScan(store, 3)
  const [fast, slow] = [shared.join(), shared.join()]
  const reading = positions(fast.store)
  for (let n = 0; n < 20; n++) await soon()
  expect(counts.pages).toBeLessThanOrEqual(3)
  expect(await positions(slow.store)).toEqual(ALL)
  expect(await reading).toEqual(ALL)
  expect(counts.scans).toBe(1)
})

test('a reader that stops early or never begins delays no other', async () => {
  const { counts, store } = countingStore()
  const shared = shareScan(store, 3)
  const [whole, short, absent] = [shared.join(), shared.join(), shared.join()]
  const reading = positions(whole.store)
  expect(await positions(short.store, 0n, 2)).toEqual([1, 2])
  absent.leave()
  expect(await reading).toEqual(ALL)
  expect(counts.scans).toBe(1)
})

test('an error of the log reaches every reader', async () => {
  async function* scan(): AsyncGenerator<Page> {
    yield { events: [], upTo: 1n }
    throw new Error('the log is away')
  }
  const results = await together({ scan } as unknown as EventStore, [soon, async () => {}, slowly], (pause, log) =>
    positions(log, 0n, PAGES, pause).catch((error: unknown) => String(error)),
  )
  expect(results).toEqual(Array.from({ length: 3 }, () => 'Error: the log is away'))
})

test('later scans of a reader are not shared', async () => {
  const { counts, store } = countingStore()
  const reader = shareScan(store).join()
  expect(await positions(reader.store)).toEqual(ALL)
  expect(await positions(reader.store, 28n)).toEqual([29, 30])
  expect(await positions(reader.store)).toEqual(ALL)
  expect(counts.scans).toBe(3)
})
