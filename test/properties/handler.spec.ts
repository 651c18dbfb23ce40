import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fold } from '#proof/replay'
import { readMetadata } from '#domain/kit/event-metadata'
import { createStateCache } from '#commands/state-cache'
import { verifyStream } from '#proof/verify'
import { streamOf } from '#domain/campaign/state'
import type { EventStore } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { derivedId, newId } from '#platform/ids'
import { limit, runs } from '../support/properties.ts'
import { clock, product, summary, type Ask } from '../support/campaign-commands.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const ask: fc.Arbitrary<Ask> = fc.record({
  do: fc.constantFrom('budget', 'url', 'publish', 'publish', 'approve', 'approve', 'reject', 'run', 'pause', 'toggle', 'restore'),
  n: fc.integer({ min: 1, max: 5 }),
})

describe.each([
  ['memory', 'without'],
  ['memory', 'with'],
  ['postgres', 'without'],
  ['postgres', 'with'],
] as const)('commands over the %s store, %s a state cache', (kind, cache) => {
  const cacheOf = () => (cache === 'with' ? createStateCache(40_000) : undefined)
  let database: TestDatabase | null = null
  let store: EventStore
  beforeAll(async () => {
    database = kind === 'postgres' ? await createTestDatabase() : null
    store = database === null ? createMemoryEventStore() : createPostgresEventStore({ pool: database.pool, url: database.url })
  })
  afterAll(async () => {
    await store.close()
    await database?.drop()
  })
  const times = runs(kind === 'memory' ? 100 : 20)

  // covers FP-17
  it(
    'commands repeat the answer of a command id without a second effect, and keep the chain valid after any sequence',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(ask, { maxLength: 15, size: 'max' }), async (asks) => {
          const { issue, create, run } = product(store, cacheOf())
          const id = newId()
          await create(id)
          for (const [i, one] of asks.entries()) {
            const by = issue(derivedId(id, String(i)))
            const first = await run(id, one, by)
            const length = (await store.readStream(streamOf(id))).length
            if (first?.kind !== 'done' || first.events.length === 0) continue
            expect(summary(await run(id, one, by))).toEqual(summary(first))
            expect((await store.readStream(streamOf(id))).length).toBe(length)
            const other = await run(id, one, issue(derivedId(id, String(i)), 'another body'))
            expect(summary(other)).toBe(141)
          }
          const events = await store.readStream(streamOf(id))
          expect(verifyStream(streamOf(id), events).faults).toEqual([])
        }),
        { endOnFailure: true, numRuns: times },
      )
    },
    limit(),
  )

  it(
    'commands report the loser of two writers on one revision, or apply both changes',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.boolean(), async (n, strict) => {
          const { commands, issue, create } = product(store, cacheOf())
          const id = newId()
          await create(id)
          const expected = strict ? 1 : null
          const [a, b] = await Promise.all([
            commands.update(id, issue(newId()), { patch: { budget: n * 1_000_000 }, newIds: [], expected }),
            commands.update(id, issue(newId()), { patch: { product_url: `https://${n}.other` }, newIds: [], expected }),
          ])
          const state = await commands.load(id)
          const codes = [a, b].map((outcome) => (outcome.kind === 'rejected' ? outcome.rejection.code : 0)).sort((x, y) => x - y)
          expect(codes).toEqual(strict ? [0, 140] : [0, 0])
          if (!strict) expect([state.head.budget, state.head.product_url]).toEqual([n * 1_000_000, `https://${n}.other`])
          expect(state.revision).toBe(strict ? 2 : 3)
        }),
        { endOnFailure: true, numRuns: times },
      )
    },
    limit(),
  )

  it.each([1, 3])(
    'commands apply all concurrent saves of one campaign in %d processes',
    async (processes) => {
      const id = newId()
      const products = Array.from({ length: processes }, () => product(store, cacheOf()))
      await products[0]?.create(id)
      const saves = products.flatMap(({ commands, issue }, p) =>
        Array.from({ length: Math.floor(64 / processes) }, (_, n) =>
          commands.update(id, issue(newId()), { patch: { budget: (1 + p * 64 + n) * 10_000_000 }, newIds: [], expected: null }),
        ),
      )
      const outcomes = await Promise.all(saves)
      expect(outcomes.filter(({ kind }) => kind !== 'done')).toEqual([])
      const events = await store.readStream(streamOf(id))
      expect(new Set(outcomes.map((outcome) => outcome.kind === 'done' && outcome.revision)).size).toBe(saves.length)
      expect(verifyStream(streamOf(id), events).faults).toEqual([])
    },
    limit(),
  )

  // covers FP-23
  it('commands detect a single altered byte of any event by the chain', async () => {
    const { create, run, issue } = product(store, cacheOf())
    const id = newId()
    await create(id)
    await run(id, { do: 'publish', n: 1 }, issue(newId()))
    await run(id, { do: 'approve', n: 1 }, issue(newId()))
    const events = await store.readStream(streamOf(id))
    for (const [i, event] of events.entries()) {
      const altered = [
        { ...event, data: event.data.replace(/\}$/, ' }') },
        { ...event, type: `${event.type}d` },
        { ...event, metadata: event.metadata.replace('"actor":"ada"', '"actor":"eve"') },
      ]
      for (const one of altered) expect(verifyStream(streamOf(id), events.with(i, one)).faults.length).toBeGreaterThan(0)
      if (i < events.length - 1) expect(verifyStream(streamOf(id), events.toSpliced(i, 1)).faults.length).toBeGreaterThan(0)
    }
  })
})

it(
  'cached processes that write the same campaigns alternately answer like one process without a cache',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ ask, campaign: fc.nat(2), process: fc.nat(2) }), { minLength: 1, maxLength: 40, size: 'max' }),
        async (steps) => {
          const ids = [newId(), newId(), newId()]
          const live = async (processes: number) => {
            const store = createMemoryEventStore()
            // Advances with the steps, not with reads of the clock: a command may be decided twice.
            let step = 0
            const now = () => new Date(Date.UTC(2026, 5, 1) + step * 1000).toISOString()
            const all = Array.from({ length: processes }, () =>
              product(store, processes > 1 ? createStateCache(40_000) : undefined, now),
            )
            for (const id of ids) await all[0]?.create(id)
            const answers = []
            for (const [i, one] of steps.entries()) {
              step += 1
              const { run, issue } = all[one.process % processes]!
              // Every third command repeats an earlier one, like a client without an answer.
              const n = i % 3 === 2 ? i - 1 : i
              const { ask: what, campaign } = steps[n]!
              answers.push(summary(await run(ids[campaign]!, what, issue(derivedId(ids[campaign]!, String(n))))))
            }
            const streams = await Promise.all(ids.map((id) => store.readStream(streamOf(id))))
            for (const [i, stream] of streams.entries()) expect(verifyStream(streamOf(ids[i]!), stream).faults).toEqual([])
            return { answers, stored: streams.flat().map(({ version, type, data }) => [version, type, data]) }
          }
          expect(await live(3)).toEqual(await live(1))
        },
      ),
      { endOnFailure: true, numRuns: runs(100) },
    )
  },
  limit(),
)

// covers FP-24
it('time never decreases within a campaign, for any difference between the clocks of its writers', async () => {
  const store = createMemoryEventStore()
  const early = product(store, createStateCache(40_000), clock('2026-06-01T10:00:00Z'))
  const late = product(store, createStateCache(40_000), clock('2026-06-01T11:00:00Z'))
  const reading = product(store, undefined, clock('2026-06-01T10:00:00Z'))
  const id = newId()
  await early.create(id)
  for (let n = 1; n <= 3; n++)
    for (const [by, { commands, issue }] of [late, early, reading].entries())
      await commands.update(id, issue(newId()), { patch: { budget: n * 30_000_000 + by * 10_000 }, newIds: [], expected: null })
  const at = (await store.readStream(streamOf(id))).map(({ metadata }) => readMetadata(metadata).at)
  expect(at.length).toBe(10)
  expect(at).toEqual(at.toSorted())
})

it(
  'both stores have the same state after the same commands',
  async () => {
    const database = await createTestDatabase()
    const stores = [createMemoryEventStore(), createPostgresEventStore({ pool: database.pool, url: database.url })]
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(ask, { maxLength: 12, size: 'max' }), async (asks) => {
          const id = newId()
          const ends = []
          for (const store of stores) {
            const { create, run, issue } = product(store)
            await create(id)
            const answers = []
            for (const [i, one] of asks.entries()) answers.push(summary(await run(id, one, issue(derivedId(id, String(i))))))
            const events = await store.readStream(streamOf(id))
            ends.push({ answers, state: fold(events), bytes: events.map(({ data, metadata }) => data + metadata) })
          }
          expect(ends[0]).toEqual(ends[1])
        }),
        { endOnFailure: true, numRuns: runs(20) },
      )
    } finally {
      for (const store of stores) await store.close()
      await database.drop()
    }
  },
  limit(),
)

it('a save of a cached stream does not copy the command ids of earlier saves', async () => {
  const remembered = createStateCache(40_000)
  const handed: ReadonlySet<string>[] = []
  const { create, run, issue } = product(createMemoryEventStore(), {
    ...remembered,
    set: (stream, loaded) => {
      handed.push(loaded.commands)
      remembered.set(stream, loaded)
    },
  })
  await create('c')
  for (let n = 1; n <= 5; n++) await run('c', { do: 'budget', n }, issue(`command-${n}`))
  expect(handed).toHaveLength(6)
  expect(new Set(handed).size).toBe(1)
  expect(handed[0]?.size).toBe(6)
})
