import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCampaignEvent } from '#domain/campaign/events'
import { DEFAULT_CONTENT } from '#domain/campaign/content/content'
import { evolve, initial as initialState, streamOf, type CampaignState } from '#domain/campaign/state'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import { foldCampaigns } from './fold-rows.ts'

const METADATA = (revision: number) =>
  JSON.stringify({ actor: 'a', at: new Date(1_800_000_000_000 + revision).toISOString(), revision })

/** Events of campaigns in this order: the first of each creates it, the others rename it. */
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
    states.set(id, evolve(states.get(id) ?? initialState, decodeCampaignEvent(stored), readMetadata(stored.metadata)))
  }
  return states
}

test('gives the same rows as the plain fold for any batch size and cache size', async () => {
  const orders = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 80, size: 'max' })
  const sizes = fc.record({ batch: fc.integer({ min: 1, max: 20 }), most: fc.nat({ max: 14 }) })
  await fc.assert(
    fc.asyncProperty(orders, sizes, async (order, { batch, most }) => {
      const events = logOf(order)
      const rows = new Map<string, { readonly version: number; readonly text: string }>()
      const memory = new Map()
      const read = async (ids: readonly string[]) =>
        new Map(
          ids.flatMap((id) => {
            const row = rows.get(id)
            return row === undefined ? [] : [[id, { version: row.version, state: JSON.parse(row.text) as CampaignState }]]
          }),
        )
      for (let from = 0; from < events.length; from += batch)
        for (const { id, state, version } of await foldCampaigns(events.slice(from, from + batch), memory, read, most))
          rows.set(id, { version, text: JSON.stringify(state) })
      const states = [...rows].map(([id, { text }]) => [id, JSON.parse(text)] as const)
      const expected = [...statesOf(events)].map(([id, state]) => [id, JSON.parse(JSON.stringify(state))] as const)
      expect(new Map(states)).toEqual(new Map(expected))
      expect(memory.size).toBeLessThanOrEqual(most)
    }),
  )
})
