import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemContext } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId } from '#platform/ids'
import { createHandler, foldBy, type Decider, type HandlerDeps } from './handle.ts'
import { createStateCache } from './state-cache.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'

/** A stream that counts; its events are credits, which any stream may hold. */
type Credited = { readonly type: 'FundsCredited'; readonly data: { readonly amount: number } }
type Sum = { readonly sum: number; readonly revisions: readonly number[] }
const evolve: Decider<Sum, Credited>['evolve'] = ({ sum, revisions }, { data }, { revision }) => ({
  sum: sum + data.amount,
  revisions: [...revisions.slice(-3), revision],
})
const read = ({ data }: StoredEvent): Credited => ({ type: 'FundsCredited', data: JSON.parse(data) })
const counting = (version: number): Decider<Sum, Credited> => ({
  fold: foldBy({ sum: 0, revisions: [] }, evolve, read),
  evolve,
  read,
  snapshot: { name: 'counting', version },
})

function inMemory(): Snapshots & { readonly kept: Map<string, Snapshot> } {
  const kept = new Map<string, Snapshot>()
  return {
    kept,
    find: async (stream, shape) => {
      const found = kept.get(stream)
      return found?.shape === shape ? found : null
    },
    // As a database keeps it.
    save: async (snapshot) => void kept.set(snapshot.stream, JSON.parse(JSON.stringify(snapshot))),
  }
}

const EVERY = 5
const STREAM = 'any-1'

function handlerOver(store: HandlerDeps['store'], snapshots: Snapshots | null, cached: boolean) {
  let clock = Date.parse('2026-06-01T00:00:00.000Z')
  return createHandler({
    store,
    now: () => new Date((clock += 1000)).toISOString(),
    eventId: (id, n) => derivedId('event', id, String(n)),
    snapshotEvery: EVERY,
    ...(snapshots === null ? {} : { snapshots }),
    ...(cached ? { cache: createStateCache(1_000_000) } : {}),
  })
}

const add = (handle: ReturnType<typeof createHandler>, decider: Decider<Sum, Credited>, id: string, amount: number) =>
  handle<Sum, Credited>(decider, {
    stream: STREAM,
    context: systemContext('test', id),
    decide: async ({ sum }) =>
      amount === 0
        ? { kind: 'events', events: [] }
        : { kind: 'events', events: [{ type: 'FundsCredited', data: { amount: amount + (sum % 7) } }] },
  })

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('add' as const), amount: fc.integer({ min: 1, max: 99 }), by: fc.nat(2) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), by: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('repeat' as const), back: fc.nat(30), by: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('throw away' as const, 'raise' as const) }) },
)

describe('snapshots', () => {
  it('snapshots change no answer: three processes with them say what one without them says', async () => {
    const reached = { snapshots: 0, repeats: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const [plainStore, store] = [createMemoryEventStore(), createMemoryEventStore()]
        const plain = handlerOver(plainStore, null, false)
        const snapshots = inMemory()
        const handlers = [
          handlerOver(store, snapshots, true),
          handlerOver(store, snapshots, true),
          handlerOver(store, snapshots, false),
        ]
        let version = 1
        const sent: { readonly id: string; readonly amount: number }[] = []
        const compare = async (by: number, id: string, amount: number) => {
          const handle = handlers[by]
          if (handle === undefined) return
          const [wanted, found] = [await add(plain, counting(1), id, amount), await add(handle, counting(version), id, amount)]
          const shown = (one: typeof wanted) =>
            one.kind === 'done'
              ? { events: one.events, state: one.state, before: one.before, version: one.version, revision: one.revision }
              : one
          expect(shown(found)).toEqual(shown(wanted))
        }
        for (const [n, one] of steps.entries()) {
          if (one.do === 'throw away') snapshots.kept.clear()
          else if (one.do === 'raise') version += 1
          else if (one.do === 'read') await compare(one.by, `read-${n}`, 0)
          else if (one.do === 'add') {
            sent.push({ id: `add-${n}`, amount: one.amount })
            await compare(one.by, `add-${n}`, one.amount)
          } else if (one.do === 'repeat') {
            const again = sent.at(-1 - one.back)
            if (again === undefined) continue
            reached.repeats += 1
            await compare(one.by, again.id, again.amount)
          }
          reached.snapshots += snapshots.kept.size
        }
      }),
      { numRuns: 150 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(200)
  })

  it('snapshots spare a command all but the newest events', async () => {
    const store = createMemoryEventStore()
    const reads: number[] = []
    const counted = {
      ...store,
      readStream: async (stream: string, after?: number) => {
        const found = await store.readStream(stream, after)
        reads.push(found.length)
        return found
      },
    }
    const handle = handlerOver(counted, inMemory(), false)
    for (let n = 0; n < 42; n++) await add(handle, counting(1), `add-${n}`, 1)
    // And the one that the snapshot stands for.
    expect(Math.max(...reads)).toBeLessThanOrEqual(EVERY + 1)
  })

  it('snapshots that stand for events of another log are not used', async () => {
    const snapshots = inMemory()
    const [lost, restored] = [createMemoryEventStore(), createMemoryEventStore()]
    for (let n = 0; n < 12; n++) await add(handlerOver(lost, snapshots, false), counting(1), `lost-${n}`, 10)
    expect(snapshots.kept.get(STREAM)?.version).toBeGreaterThan(EVERY)
    // A log that was restored from before, and one that went another way.
    for (const [n, amount] of [1, 2, 3].entries()) {
      const outcome = await add(handlerOver(restored, snapshots, false), counting(1), `new-${n}`, amount)
      expect(outcome).toMatchObject({ kind: 'done', version: n + 1 })
    }
    for (let n = 3; n < 14; n++) await add(handlerOver(restored, snapshots, false), counting(1), `new-${n}`, 1)
    const events = await restored.readStream(STREAM)
    const whole = events.map(read).reduce((sum, { data }) => sum + data.amount, 0)
    expect(await add(handlerOver(restored, snapshots, false), counting(1), 'read', 0)).toMatchObject({ state: { sum: whole } })
  })

  it('snapshots that cannot be saved fail no command', async () => {
    const snapshots: Snapshots = { find: async () => null, save: () => Promise.reject(new Error('away')) }
    const handle = handlerOver(createMemoryEventStore(), snapshots, true)
    for (let n = 0; n < 12; n++) expect(await add(handle, counting(1), `add-${n}`, 1)).toMatchObject({ kind: 'done' })
  })
})
