import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fold } from '#proof/replay'
import { StreamBusy } from '#commands/handle'
import { createStateCache } from '#commands/state-cache'
import { verifyStream } from '#proof/verify'
import { streamOf } from '#domain/campaign/state'
import { served } from '#domain/campaign/status/status'
import { Away } from '#eventstore/away'
import type { EventStore } from '#eventstore/event-store'
import { createKurrentEventStore } from '#eventstore/kurrentdb/kurrent-event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { newId } from '#platform/ids'
import { clock, product, summary } from '../support/campaign-commands.ts'
import { createTestDatabase } from '../support/database.ts'
import { startStandIn } from '../support/kurrent/stand-in.ts'

const STORES = {
  memory: async () => {
    const store = createMemoryEventStore()
    return { store, close: () => store.close() }
  },
  postgres: async () => {
    const database = await createTestDatabase()
    const store = createPostgresEventStore({ pool: database.pool, url: database.url })
    const close = async () => {
      await store.close()
      await database.drop()
    }
    return { store, close }
  },
  kurrentdb: async () => {
    const server = await startStandIn()
    const store = createKurrentEventStore(server.url)
    const close = async () => {
      await store.close()
      await server.stop()
    }
    return { store, close }
  },
} as const

describe.each(['memory', 'postgres', 'kurrentdb'] as const)('a command that another process has executed, over %s', (kind) => {
  let store: EventStore
  let close: () => Promise<void> = async () => {}
  beforeAll(async () => {
    const started = await STORES[kind]()
    store = started.store
    close = started.close
  })
  afterAll(() => close())
  const budget = (cents: number) => ({ patch: { budget: cents * 10_000 }, newIds: [], expected: null })

  it('keeps the chain valid when it is repeated in a process with an older cached state', async () => {
    const [one, two] = [product(store, createStateCache(40_000)), product(store, createStateCache(40_000), clock('2026-07-01'))]
    const id = newId()
    await one.create(id)
    await two.commands.update(id, two.issue(newId()), budget(7000))
    const repeated = newId()
    const first = await one.commands.update(id, one.issue(repeated, 'body'), budget(8000))
    const [again, other] = [two.issue(repeated, 'body'), two.issue(repeated, 'another body')]
    expect(summary(await two.commands.update(id, other, budget(9000)))).toBe(141)
    expect(summary(await two.commands.update(id, again, budget(8000)))).toEqual(summary(first))
    expect(summary(await two.commands.update(id, two.issue(newId()), budget(9500)))).toMatchObject({ revision: 4 })
    const events = await store.readStream(streamOf(id))
    expect(verifyStream(streamOf(id), events).faults).toEqual([])
    expect(fold(events).head.budget).toBe(95_000_000)
  })

  // covers FP-17
  it('a command has one stored answer when two processes decide it concurrently', async () => {
    const [one, two] = [product(store, createStateCache(40_000)), product(store, createStateCache(40_000), clock('2026-07-01'))]
    const id = newId()
    await one.create(id)
    for (let n = 1; n <= 5; n++) {
      const repeated = newId()
      const both = await Promise.all(
        [one, two].map(({ commands, issue }) => commands.update(id, issue(repeated, 'body'), budget(1000 + n))),
      )
      const at = both.map((outcome) => (outcome.kind === 'done' ? outcome.state.updated_at : outcome.kind))
      expect(at[0]).toBe(at[1])
    }
    await one.commands.update(id, one.issue(newId()), budget(1))
    await two.commands.update(id, two.issue(newId()), budget(2))
    expect(verifyStream(streamOf(id), await store.readStream(streamOf(id))).faults).toEqual([])
  })
})

it('a command that loses every race fails with StreamBusy after five seconds, not with a conflict', async () => {
  const store = createMemoryEventStore()
  const { create } = product(store)
  const id = newId()
  await create(id)
  const { commands, issue } = product({ ...store, append: async () => ({ kind: 'conflict' }) }, createStateCache(40_000))
  let seconds = 0
  const time = vi.spyOn(performance, 'now').mockImplementation(() => (seconds += 1) * 1000)
  const save = commands.update(id, issue(newId()), { patch: { budget: 90_000_000 }, newIds: [], expected: null })
  await expect(save).rejects.toThrow(StreamBusy)
  time.mockRestore()
  expect(seconds).toBe(7)
})

it('commands that queued behind one that found the log away fail with it, and the next one is tried', async () => {
  const store = createMemoryEventStore()
  const { create } = product(store)
  const id = newId()
  await create(id)
  const append = vi
    .fn<EventStore['append']>()
    .mockRejectedValueOnce(new Away('the log'))
    .mockImplementation((request) => store.append(request))
  const { commands, issue } = product({ ...store, append }, createStateCache(40_000))
  const save = () => commands.update(id, issue(newId()), { patch: { budget: 90_000_000 }, newIds: [], expected: null })
  const queued = await Promise.allSettled([save(), save(), save()])
  expect(queued.map((each) => each.status === 'rejected' && each.reason instanceof Away)).toEqual([true, true, true])
  expect(append).toHaveBeenCalledTimes(1)
  expect((await save()).kind).toBe('done')
})

it('a command whose events are found stored after a long silence succeeds, instead of reporting a conflict', async () => {
  const store = createMemoryEventStore()
  const { create } = product(store)
  const id = newId()
  await create(id)
  let late = 0
  const time = vi.spyOn(performance, 'now').mockImplementation(() => late)
  // Simulates a lost answer, after which the retry finds the events by their ids.
  const silent: EventStore = {
    ...store,
    append: async (append) => {
      const result = await store.append(append)
      late += 11_000
      return result.kind === 'appended' ? { ...result, replayed: true } : result
    },
  }
  const { commands, issue } = product(silent, createStateCache(40_000))
  const save = { patch: { budget: 90_000_000 }, newIds: [], expected: null }
  expect(summary(await commands.update(id, issue(newId()), save))).toMatchObject({ revision: 2 })
  time.mockRestore()
})

it('a command whose events are reported as stored but cannot be found fails instead of retrying forever', async () => {
  const store = createMemoryEventStore()
  const { create } = product(store)
  const id = newId()
  await create(id)
  const lying: EventStore = { ...store, append: async () => ({ kind: 'appended', version: 2, position: 1n, replayed: true }) }
  const { commands, issue } = product(lying, createStateCache(40_000))
  const save = { patch: { budget: 90_000_000 }, newIds: [], expected: null }
  await expect(commands.update(id, issue(newId()), save)).rejects.toThrow('were reported as stored')
})

it('a repeated restore or undo reports the same kept fields', async () => {
  const store = createMemoryEventStore()
  const { commands, issue, create } = product(store)
  const later = product(store, undefined, clock('2026-07-01'))
  const id = newId()
  await create(id)
  const save = (patch: object) => commands.update(id, issue(newId()), { patch, newIds: [], expected: null })
  await save({ campaign_start_at: '2026-06-10' })
  await save({ campaign_start_at: '2026-08-10', budget: 70_000_000 })
  for (const back of [
    (by: string) => later.commands.undo(id, 3, later.issue(by, 'body')),
    (by: string) => later.commands.restore(id, 2, later.issue(by, 'body')),
  ]) {
    const by = newId()
    const kept = [await back(by), await back(by)].map((outcome) => (outcome?.kind === 'done' ? outcome.kept : outcome))
    expect(kept).toEqual([['campaign_start_at'], ['campaign_start_at']])
    await save({ budget: 80_000_000 })
  }
})

it('a verdict on all creatives applies to those that are served when it is decided', async () => {
  const store = createMemoryEventStore()
  const { commands, issue, create, run } = product(store)
  const id = newId()
  await create(id)
  const approve = async () => {
    await run(id, { do: 'publish', n: 1 }, issue(newId()))
    await run(id, { do: 'approve', n: 1 }, issue(newId()))
  }
  await approve()
  let concurrentWork: (() => Promise<unknown>) | null = async () => {
    const banners = [{ id: 'b2', width: 300, height: 250, file_id: 'g', creative_name: 'y' }]
    await commands.update(id, issue(newId()), { patch: { visuals: { banners } }, newIds: [], expected: null })
    await approve()
  }
  const late: EventStore = {
    ...store,
    append: async (append) => {
      const work = concurrentWork
      concurrentWork = null
      await work?.()
      return store.append(append)
    },
  }
  const approved = { status: 'approved', topics: [] } as const
  const decision = {
    dealsPolicyCompliance: approved,
    networkPolicyCompliance: approved,
    platformPolicyCompliance: approved,
  }
  const outcome = await product(late).commands.decideExchange(id, issue(newId()), (state) =>
    served(state).map((creative) => ({ exchange: 'google', creativeId: creative.id, contentVersion: null, decision })),
  )
  expect(outcome.kind).toBe('done')
  const decided = (await store.readStream(streamOf(id))).filter(({ type }) => type === 'ExchangeDecided')
  expect(decided.map(({ data }) => JSON.parse(data).creative_id)).toEqual(['b2'])
})

it.each([
  ['this process', true],
  ['another process', false],
])('an undo is refused with 140 when %s saves the same field during it', async (_, here) => {
  const store = createMemoryEventStore()
  const id = newId()
  let concurrentWork: (() => Promise<unknown>) | null = null
  const slow: EventStore = {
    ...store,
    readStream: async (stream, after) => {
      const found = await store.readStream(stream, after)
      const work = concurrentWork
      concurrentWork = null
      await work?.()
      return found
    },
  }
  const { commands, issue, create } = product(slow, createStateCache(40_000))
  const other = product(store)
  await create(id)
  const save = (by: typeof commands, budget: number) =>
    by.update(id, issue(newId()), { patch: { budget }, newIds: [], expected: null })
  await save(commands, 60_000_000)
  concurrentWork = () => save(here ? commands : other.commands, 70_000_000)
  expect(summary(await commands.undo(id, 2, issue(newId())))).toBe(140)
  expect((await commands.load(id)).head.budget).toBe(70_000_000)
})

it('an append with an unknown result is not recorded as failed', async () => {
  const store = createMemoryEventStore()
  let lose = false
  const lossy: EventStore = {
    ...store,
    append: async (append) => {
      const result = await store.append(append)
      if (lose) throw new Error('the answer was lost')
      return result
    },
  }
  const { commands, issue, create } = product(lossy, createStateCache(40_000))
  const id = newId()
  await create(id)
  const save = (cents: number) => ({ patch: { budget: cents }, newIds: [], expected: null })
  const by = issue(newId(), 'body')
  lose = true
  await expect(commands.update(id, by, save(70_000_000))).rejects.toThrow('lost')
  lose = false
  expect(summary(await commands.update(id, by, save(70_000_000)))).toMatchObject({ revision: 2 })
  await commands.update(id, issue(newId()), save(80_000_000))
  expect(verifyStream(streamOf(id), await store.readStream(streamOf(id))).faults).toEqual([])
})
