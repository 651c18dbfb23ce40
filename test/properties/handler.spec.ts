import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCampaignCommands, fold, type CampaignOutcome, type Issue } from '../../commands/campaign.ts'
import { createHandler, StreamBusy } from '../../commands/handle.ts'
import { readMetadata } from '../../commands/metadata.ts'
import { createStateCache, type StateCache } from '../../commands/state-cache.ts'
import { verifyStream } from '../../commands/verify.ts'
import type { World } from '../../commands/world.ts'
import { streamOf } from '../../domain/campaign/state.ts'
import { statusOf } from '../../domain/campaign/status.ts'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createKurrentEventStore } from '../../eventstore/kurrentdb/kurrent-event-store.ts'
import { createMemoryEventStore } from '../../eventstore/memory/memory-event-store.ts'
import { createPostgresEventStore } from '../../eventstore/postgres/postgres-event-store.ts'
import { derivedId, newId } from '../../platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startStandIn } from '../support/kurrent/stand-in.ts'

const world: World = {
  account: async (spaceId) => ({
    space_id: spaceId,
    whitelabel_id: 'w',
    name: 'Space',
    currency: 'USD',
    house: false,
    available: 1e12,
  }),
  spendOf: async () => ({ today: 0, total: 0 }),
  reserveName: async () => true,
  countryOffset: () => 3600,
  files: async (ids) =>
    new Map(ids.map((id) => [id, { contentType: 'image/png', size: 1000, width: 300, height: 250, seconds: null }])),
  unknownTargets: async () => new Set(),
  appKnown: () => true,
  baseBid: () => 100_000,
  maxMargin: async () => 50,
}

type Ask = {
  readonly do: 'budget' | 'url' | 'publish' | 'approve' | 'reject' | 'run' | 'pause' | 'toggle' | 'restore'
  readonly n: number
}
const ask: fc.Arbitrary<Ask> = fc.record({
  do: fc.constantFrom('budget', 'url', 'publish', 'publish', 'approve', 'approve', 'reject', 'run', 'pause', 'toggle', 'restore'),
  n: fc.integer({ min: 1, max: 5 }),
})

const clock = (from = '2026-06-01') => {
  let tick = Date.parse(from)
  return () => new Date((tick += 1000)).toISOString()
}

/** The real handler and commands over a store, under a clock that only moves with it. */
function product(store: EventStore, cache?: StateCache, now = clock()) {
  const eventId = (commandId: string, n: number) => derivedId('event', commandId, String(n))
  const handle = createHandler({ store, now, eventId, ...(cache === undefined ? {} : { cache }) })
  const commands = createCampaignCommands({ handle, store, world })
  const issue = (commandId: string, bodyHash: string | null = null): Issue => ({
    mayWriteOwnerFields: true,
    context: {
      actor: 'ada',
      role: 'USER_OWNER',
      on_behalf_of: null,
      source: 'api',
      command_id: commandId,
      body_hash: bodyHash,
      correlation: commandId,
      causation: null,
    },
  })
  const create = (id: string) =>
    commands.create(issue(derivedId('create', id)), {
      id,
      spaceId: 's',
      whitelabelId: 'w',
      publish: false,
      source: null,
      newIds: ['n1', 'n2', 'n3', 'n4'],
      patch: {
        name: 'One',
        country: 'NG',
        budget: 50_000_000,
        product_url: 'https://a.example',
        bidding_strategy: { type: 'awareness' },
        visuals: { banners: [{ id: 'b1', width: 300, height: 250, file_id: 'f', creative_name: 'x' }] },
      },
    })
  const save = (patch: object) => ({ patch, newIds: [], expected: null })
  async function run(id: string, { do: what, n }: Ask, by: Issue): Promise<CampaignOutcome | null> {
    const state = await commands.load(id)
    switch (what) {
      case 'budget':
        return commands.update(id, by, save({ budget: n * 10_000_000 }))
      case 'url':
        return commands.update(id, by, save({ product_url: `https://${n}.example` }))
      case 'publish':
        return commands.publish(id, by, save({}))
      case 'approve':
        return commands.approve(id, by, { moderationStartAt: state.moderation_start_at, categoryKeys: null, exchangeId: null })
      case 'reject':
        return commands.reject(id, by, { moderationStartAt: state.moderation_start_at, comment: 'no' })
      case 'run':
        return commands.run(id, by)
      case 'pause':
        return commands.pause(id, by)
      case 'toggle':
        return commands.toggleArchive(id, by)
      case 'restore':
        return commands.restore(id, n, by)
    }
  }
  return { commands, issue, create, run }
}

const summary = (outcome: CampaignOutcome | null) =>
  outcome === null
    ? null
    : outcome.kind === 'rejected'
      ? outcome.rejection.code
      : { revision: outcome.revision, status: statusOf(outcome.state) }

describe.each([
  ['memory', 'without'],
  ['memory', 'with'],
  ['postgres', 'without'],
  ['postgres', 'with'],
] as const)('commands over the %s store, %s a state cache', (kind, cache) => {
  const cacheOf = () => (cache === 'with' ? createStateCache(4) : undefined)
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
  const runs = kind === 'memory' ? 300 : 40

  it('the same command id twice has one effect and one answer, and the chain holds after any sequence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 15 }), async (asks) => {
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
      { numRuns: runs },
    )
  }, 60_000)

  it('of two writers on one revision one wins and the other is told, or both changes are there', async () => {
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
      { numRuns: runs },
    )
  }, 60_000)

  it.each([1, 3])(
    'many at once on one campaign, in %d processes, all take effect',
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
    60_000,
  )

  it('a single altered byte of any event breaks the chain', async () => {
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

it('processes that remember states and write the same campaigns in turn answer as one that reads every time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ask, campaign: fc.nat(2), process: fc.nat(2) }), { minLength: 1, maxLength: 40 }),
      async (steps) => {
        const ids = [newId(), newId(), newId()]
        const live = async (processes: number) => {
          const store = createMemoryEventStore()
          // Moves with the steps, not with the looks at it: a command may be decided twice.
          let step = 0
          const now = () => new Date(Date.UTC(2026, 5, 1) + step * 1000).toISOString()
          const all = Array.from({ length: processes }, () =>
            product(store, processes > 1 ? createStateCache(4) : undefined, now),
          )
          for (const id of ids) await all[0]?.create(id)
          const answers = []
          for (const [i, one] of steps.entries()) {
            step += 1
            const { run, issue } = all[one.process % processes]!
            // Every third command is one that was sent before, as a client does that got no answer.
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
    { numRuns: 200 },
  )
}, 60_000)

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

describe.each(['memory', 'postgres', 'kurrentdb'] as const)('a command that another process has carried out, over %s', (kind) => {
  let store: EventStore
  let close: () => Promise<void> = async () => {}
  beforeAll(async () => {
    const started = await STORES[kind]()
    store = started.store
    close = started.close
  })
  afterAll(() => close())
  const budget = (cents: number) => ({ patch: { budget: cents * 10_000 }, newIds: [], expected: null })

  it('leaves the chain whole when it is repeated at a process that remembers the state before it', async () => {
    const [one, two] = [product(store, createStateCache(4)), product(store, createStateCache(4), clock('2026-07-01'))]
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

  it('is answered as it was stored when two processes decide it at the same time', async () => {
    const [one, two] = [product(store, createStateCache(4)), product(store, createStateCache(4), clock('2026-07-01'))]
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

it('time never falls within a campaign, however far the clocks of its writers are apart', async () => {
  const store = createMemoryEventStore()
  const early = product(store, createStateCache(4), clock('2026-06-01T10:00:00Z'))
  const late = product(store, createStateCache(4), clock('2026-06-01T11:00:00Z'))
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

it('a command that loses every race is told so after five seconds, and not that somebody changed the campaign', async () => {
  const store = createMemoryEventStore()
  const { create } = product(store)
  const id = newId()
  await create(id)
  const { commands, issue } = product({ ...store, append: async () => ({ kind: 'conflict' }) }, createStateCache(4))
  let seconds = 0
  const time = vi.spyOn(performance, 'now').mockImplementation(() => (seconds += 1) * 1000)
  const save = commands.update(id, issue(newId()), { patch: { budget: 90_000_000 }, newIds: [], expected: null })
  await expect(save).rejects.toThrow(StreamBusy)
  time.mockRestore()
  expect(seconds).toBe(7)
})

it('a command whose events are found stored after a long silence is answered, and not that others wrote', async () => {
  const store = createMemoryEventStore()
  const { create } = product(store)
  const id = newId()
  await create(id)
  let late = 0
  const time = vi.spyOn(performance, 'now').mockImplementation(() => late)
  // As when the answer never came, and the events were found by their ids at the second try.
  const silent: EventStore = {
    ...store,
    append: async (append) => {
      const result = await store.append(append)
      late += 11_000
      return result.kind === 'appended' ? { ...result, replayed: true } : result
    },
  }
  const { commands, issue } = product(silent, createStateCache(4))
  const save = { patch: { budget: 90_000_000 }, newIds: [], expected: null }
  expect(summary(await commands.update(id, issue(newId()), save))).toMatchObject({ revision: 2 })
  time.mockRestore()
})

it.each([
  ['this process', true],
  ['another process', false],
])('a revision is not taken out again from under a save of the same field that %s makes meanwhile', async (_, here) => {
  const store = createMemoryEventStore()
  const id = newId()
  let meanwhile: (() => Promise<unknown>) | null = null
  const slow: EventStore = {
    ...store,
    readStream: async (stream, after) => {
      const found = await store.readStream(stream, after)
      const work = meanwhile
      meanwhile = null
      await work?.()
      return found
    },
  }
  const { commands, issue, create } = product(slow, createStateCache(4))
  const other = product(store)
  await create(id)
  const save = (by: typeof commands, budget: number) =>
    by.update(id, issue(newId()), { patch: { budget }, newIds: [], expected: null })
  await save(commands, 60_000_000)
  meanwhile = () => save(here ? commands : other.commands, 70_000_000)
  expect(summary(await commands.undo(id, 2, issue(newId())))).toBe(140)
  expect((await commands.load(id)).head.budget).toBe(70_000_000)
})

it('an append that fails in doubt is not remembered as one that failed', async () => {
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
  const { commands, issue, create } = product(lossy, createStateCache(4))
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

it('both stores end in the same state after the same commands', async () => {
  const database = await createTestDatabase()
  const stores = [createMemoryEventStore(), createPostgresEventStore({ pool: database.pool, url: database.url })]
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 12 }), async (asks) => {
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
      { numRuns: 40 },
    )
  } finally {
    for (const store of stores) await store.close()
    await database.drop()
  }
}, 60_000)

it('a save of a remembered stream does not copy the commands of all saves before it', async () => {
  const remembered = createStateCache(4)
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
