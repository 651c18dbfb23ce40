import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCampaignEvent } from '../../domain/campaign/events.ts'
import { DEFAULT_CONTENT } from '../../domain/campaign/content/content.ts'
import { evolve, initialState, streamOf, type CampaignState } from '../../domain/campaign/state.ts'
import { stampOf } from '../../domain/kit/stamp.ts'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import { foldRun } from './fold-rows.ts'
import { packState, unpackState } from './packed-state.ts'

const METADATA = (revision: number) =>
  JSON.stringify({ actor: 'a', at: new Date(1_800_000_000_000 + revision).toISOString(), revision })

/** Events of campaigns in the order in which these come: each is created first, then renamed. */
function logOf(order: readonly number[]): readonly StoredEvent[] {
  const versions = new Map<number, number>()
  return order.map((n, i) => {
    const version = (versions.get(n) ?? 0) + 1
    versions.set(n, version)
    const created = { id: `${n}`, space_id: 's', whitelabel_id: 'w', content: DEFAULT_CONTENT, replicated_from: null }
    const renamed = { changes: [{ path: 'name', from: null, to: `${n}, ${version}` }], restored: null, undone: null }
    return {
      stream: streamOf(`${n}`),
      version,
      position: BigInt(i + 1),
      id: `event ${i}`,
      type: version === 1 ? 'CampaignCreated' : 'CampaignUpdated',
      schemaVersion: 1,
      data: JSON.stringify(version === 1 ? created : renamed),
      metadata: METADATA(version),
    }
  })
}

function statesOf(events: readonly StoredEvent[]): ReadonlyMap<string, CampaignState> {
  const states = new Map<string, CampaignState>()
  for (const stored of events) {
    const id = stored.stream.slice('campaign-'.length)
    states.set(id, evolve(states.get(id) ?? initialState, decodeCampaignEvent(stored), stampOf(stored.metadata)))
  }
  return states
}

const pagesOf = (events: readonly StoredEvent[], size: number): readonly (readonly StoredEvent[])[] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, i) => events.slice(i * size, (i + 1) * size))

test('rows are those of the plain fold, whatever the pages, the runs and the room in memory', async () => {
  const orders = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 80 })
  const sizes = fc.record({
    page: fc.integer({ min: 1, max: 20 }),
    run: fc.integer({ min: 1, max: 5 }),
    most: fc.nat({ max: 14 }),
  })
  await fc.assert(
    fc.asyncProperty(orders, sizes, async (order, { page, run, most }) => {
      const events = logOf(order)
      const rows = new Map<string, { readonly version: number; readonly text: string }>()
      const memory = new Map()
      const pages = pagesOf(events, page)
      for (let from = 0; from < pages.length; from += run)
        await foldRun(pages.slice(from, from + run), memory, {
          most,
          read: async (ids) =>
            new Map(
              ids.flatMap((id) => {
                const row = rows.get(id)
                return row === undefined ? [] : [[id, { version: row.version, state: unpackState(row.text) }]]
              }),
            ),
          write: async (changed) => {
            for (const { id, state, version } of changed) rows.set(id, { version, text: packState(state) })
          },
        })
      const expected = [...statesOf(events)].map(([id, state]) => [id, packState(state)])
      expect(new Map([...rows].map(([id, { text }]) => [id, text]))).toEqual(new Map(expected as [string, string][]))
      expect(memory.size).toBeLessThanOrEqual(Math.max(most, page))
    }),
  )
})

test('a campaign of nothing but defaults is packed alike before and after it was read', () => {
  const text = packState(statesOf(logOf([1])).get('1') ?? initialState)
  expect(packState(unpackState(text))).toBe(text)
})

test('a campaign that a long run leaves behind is written once', async () => {
  // Ten at a time, each three events long, one ten after the other.
  const order = Array.from({ length: 90 }, (_, i) => Math.floor(i / 30) * 10 + (i % 10))
  const written: string[] = []
  await foldRun(pagesOf(logOf(order), 5), new Map(), {
    most: 20,
    read: async () => new Map(),
    write: async (changed) => {
      written.push(...changed.map(({ id }) => id))
    },
  })
  expect(written.length).toBe(30)
  expect(new Set(written).size).toBe(30)
})
