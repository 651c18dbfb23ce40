import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EventStore, Page, StoredEvent, SubscribeOptions } from './event-store.ts'
import { followSteadily } from './steady-following.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MINUTE = 60_000
const POISON = new Error('the content of this event')
const LATE = new Error('a read model is behind')

const event = (n: number) => ({ position: BigInt(n), stream: `s-${n}` }) as StoredEvent

/** A log of these events in one page; it delivers what is after the position of each subscription. */
function logOf(count: number): Pick<EventStore, 'subscribe'> {
  const events = Array.from({ length: count }, (_, n) => event(n + 1))
  return {
    subscribe({ after, onPage, onError }: SubscribeOptions) {
      const left = events.filter(({ position }) => position > after)
      const reading = left.length === 0 ? Promise.resolve() : onPage({ events: left, upTo: BigInt(count) })
      const done = reading.catch(onError)
      return { stop: () => done }
    },
  }
}

async function follow(fail: (one: StoredEvent) => Error | null, apart = true) {
  const handled: number[] = []
  const parked: number[] = []
  const reached: bigint[] = []
  const onPage = async ({ events, upTo }: Page) => {
    for (const one of events) {
      const error = fail(one)
      if (error !== null) throw error
      if (!handled.includes(Number(one.position))) handled.push(Number(one.position))
    }
    reached.push(upTo)
  }
  const park = async ({ position }: StoredEvent) => void parked.push(Number(position))
  const following = followSteadily(logOf(5), {
    after: 0n,
    streams: [],
    onPage,
    onError: () => undefined,
    ...(apart ? { apart: { isOfEvent: (error: unknown) => error === POISON, park } } : {}),
  })
  await vi.advanceTimersByTimeAsync(MINUTE)
  await following.stop()
  return { handled, parked, upTo: reached.at(-1) }
}

describe('following the log', () => {
  // covers FP-110
  it('goes on after an event that can never be handled, which it keeps for a later try', async () => {
    expect(await follow(({ position }) => (position === 3n ? POISON : null))).toEqual({
      handled: [1, 2, 4, 5],
      parked: [3],
      upTo: 5n,
    })
  })

  it('keeps several of one page', async () => {
    const { handled, parked } = await follow(({ position }) => (position % 2n === 0n ? POISON : null))
    expect([handled, parked]).toEqual([
      [1, 3, 5],
      [2, 4],
    ])
  })

  it('waits for what is late, and keeps nothing because of it', async () => {
    const { parked } = await follow(({ position }) => (position === 3n ? LATE : null))
    expect(parked).toEqual([])
    let calls = 0
    const later = await follow(({ position }) => (position === 3n && calls++ < 6 ? LATE : null))
    expect(later).toMatchObject({ handled: [1, 2, 3, 4, 5], parked: [], upTo: 5n })
  })

  it('repeats a page for ever where nothing is kept', async () => {
    const { handled, upTo } = await follow(({ position }) => (position === 3n ? POISON : null), false)
    expect([handled, upTo]).toEqual([[1, 2], undefined])
  })
})
