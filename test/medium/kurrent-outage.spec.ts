import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { watchLog } from '#api/wiring/event-log'
import { createStops } from '#api/process/stops'
import { Away } from '#eventstore/away'
import { CLOCKS, type KurrentClocks } from '#eventstore/kurrentdb/clocks'
import { createKurrentEventStore } from '#eventstore/kurrentdb/kurrent-event-store'
import { eventually, someEvents, someStream } from '../support/events.ts'
import { startCluster } from '../support/kurrent/cluster.ts'
import { startStandIn } from '../support/kurrent/stand-in.ts'

/** Every duration of the adapter, shortened; gossip takes whole seconds only. */
const FAST: KurrentClocks = {
  ...CLOCKS,
  deadlineMs: 600,
  graceMs: 100,
  keepAliveIntervalMs: 200,
  keepAliveTimeoutMs: 300,
  pingMs: 400,
  retryForMs: 8000,
}

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close()
})
const kept = <T>(thing: T, close: (thing: T) => Promise<unknown>): T => {
  closing.push(() => close(thing))
  return thing
}
const storeAt = (url: string, clocks: KurrentClocks = FAST) =>
  kept(createKurrentEventStore(url, clocks), (store) => store.close())

describe('a leader of KurrentDB that freezes', () => {
  it('a leader of KurrentDB that freezes is left as soon as another one is elected: no call fails and no event is lost', async () => {
    const cluster = kept(await startCluster(), ({ stop }) => stop())
    const store = storeAt(cluster.url)
    const seen: string[] = []
    const following = store.subscribe({
      after: 0n,
      onPage: async ({ events }) => void seen.push(...events.map(({ id }) => id)),
      onError: (error) => expect.unreachable(String(error)),
    })
    closing.push(() => following.stop())
    const written: string[] = []
    const gaps: number[] = []
    let isOver = false
    const write = async () => {
      while (!isOver) {
        const stream = someStream()
        const events = someEvents(2)
        const since = Date.now()
        expect(await store.append({ stream, expected: 0, events })).toMatchObject({ kind: 'appended', version: 2 })
        expect(await store.readStream(stream)).toHaveLength(2)
        gaps.push(Date.now() - since)
        written.push(...events.map(({ id }) => id))
        await delay(5)
      }
    }
    const writers = Promise.all([write(), write(), write(), write()])
    writers.catch(() => undefined)
    await eventually(() => seen.length > 0)
    const old = cluster.leader()
    old.freeze()
    // The others still name the frozen leader, so that new connections go to it.
    await cluster.elect(1200)
    const elected = written.length
    await eventually(() => written.length > elected + 20)
    old.thaw()
    const thawed = written.length
    await eventually(() => written.length > thawed + 20)
    isOver = true
    await writers
    await eventually(() => seen.length >= written.length)
    expect(seen.toSorted()).toEqual(written.toSorted())
    // 500 ms to give the old one up, two attempts at most on it afterwards, and a second to ask it for the way.
    expect(Math.max(...gaps)).toBeLessThan(4500)
  })

  it('reads alone leave a leader that froze', async () => {
    const cluster = kept(await startCluster(), ({ stop }) => stop())
    const store = storeAt(cluster.url)
    await store.head()
    cluster.leader().freeze()
    const reading = Promise.all([store.readStream(someStream()), store.head(), store.readAll(0n, 10)])
    reading.catch(() => undefined)
    // Longer than the pause of a second before a new connection to the frozen leader, which never opens.
    await cluster.elect(2500)
    expect(await Promise.race([reading, delay(5000, 'still waiting')])).toMatchObject([[], expect.any(BigInt), {}])
  })

  it('refuses what waited for it when it thaws as a follower, and the new leader gets it', async () => {
    const cluster = kept(await startCluster(), ({ stop }) => stop())
    // It thaws before its connection is given up.
    const store = storeAt(cluster.url, { ...FAST, deadlineMs: 5000, keepAliveIntervalMs: 3000, keepAliveTimeoutMs: 3000 })
    await store.head()
    const old = cluster.leader()
    old.freeze()
    const stream = someStream()
    const waiting = [
      store.append({ stream, expected: 0, events: someEvents(1) }),
      store.readStream(someStream()),
      store.head(),
    ] as const
    await cluster.elect(200)
    const before = cluster.leader().calls.append
    old.thaw()
    expect(await Promise.all(waiting)).toMatchObject([{ kind: 'appended' }, [], expect.any(BigInt)])
    expect(cluster.leader().calls.append).toBe(before + 1)
  })
})

describe('a single KurrentDB that is away', () => {
  it('a single KurrentDB that is away is one line in the log when it freezes, and one with the length when it is back', async () => {
    const server = kept(await startStandIn(), ({ stop }) => stop())
    const lines: string[] = []
    const log = (line: unknown) => void lines.push(String(line))
    const stops = kept(createStops(), ({ run }) => run())
    const outside = watchLog(storeAt(server.url), { logger: { error: log, warn: log }, stops })
    server.freeze()
    await eventually(() => outside?.isAway() === true)
    server.thaw()
    await eventually(() => outside?.isAway() === false)
    expect(lines).toEqual([
      expect.stringMatching(/^KurrentDB is away: .*\. Writes wait 30 s for it, reads of the log 9 s; then they answer 503/),
      expect.stringMatching(/^KurrentDB is back after \d s$/),
    ])
  })

  it.each(['frozen', 'stopped'] as const)(
    '%s: calls are answered with Away after their time, and followers continue',
    async (how) => {
      const server = kept(await startStandIn(), ({ stop }) => stop())
      const store = storeAt(server.url, { ...FAST, retryForMs: 1500 })
      const seen: string[] = []
      const following = store.subscribe({
        after: 0n,
        onPage: async ({ events }) => void seen.push(...events.map(({ id }) => id)),
        onError: (error) => expect.unreachable(String(error)),
      })
      closing.push(() => following.stop())
      const [before, after] = [someEvents(1), someEvents(1)]
      await store.append({ stream: someStream(), expected: 0, events: before })
      await eventually(() => seen.length === 1)
      if (how === 'frozen') server.freeze()
      else await server.kill()
      const since = Date.now()
      const answers = await Promise.allSettled([
        store.append({ stream: someStream(), expected: 0, events: someEvents(1) }),
        store.readStream(someStream()),
        store.head(),
      ])
      expect(answers.map((answer) => answer.status === 'rejected' && answer.reason instanceof Away)).toEqual([true, true, true])
      expect(Date.now() - since).toBeGreaterThanOrEqual(1490)
      expect(Date.now() - since).toBeLessThan(2500)
      if (how === 'frozen') server.thaw()
      else await server.revive()
      await eventually(async () => (await store.append({ stream: someStream(), expected: 0, events: after })).kind === 'appended')
      await eventually(() => seen.includes(after[0]?.id ?? ''))
    },
  )
})
