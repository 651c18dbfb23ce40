import { describe, expect, it } from 'vitest'
import type { DeliveredCampaign } from '#domain/delivery/batch'
import type { FactStore } from '#factstore/fact-store'
import { Away } from '#eventstore/away'
import { createDelivery } from './accept-batch.ts'
import type { DeliveryPort, IncomingBatch } from './delivery-port.ts'

/** One batch whose facts wait in the inbox, and a fact store that a test takes away. */
function waiting() {
  const state = { away: false, failing: false, reads: 0, marked: [] as string[] }
  const port = {
    inbox: {
      unstored: async () => {
        state.reads += 1
        return [{ id: 'batch', facts: [] }]
      },
      stored: async (id: string) => void state.marked.push(id),
    },
  } as unknown as DeliveryPort
  const facts = {
    isAway: () => state.away,
    store: async () => {
      if (state.failing) throw new Away('Facts')
    },
  } as unknown as FactStore
  const { storing } = createDelivery({ port, facts, now: () => '2026-11-01T00:00:00.000Z' })
  const sweep = async () => Promise.all((await storing.scan([])).map(({ act }) => act()))
  return { state, sweep }
}

describe('facts that wait for the fact store', () => {
  it('facts that wait for the fact store are not read while it is away, and stored when it is back', async () => {
    const { state, sweep } = waiting()
    state.away = true
    await sweep()
    expect(state).toMatchObject({ reads: 0, marked: [] })
    state.away = false
    await sweep()
    expect(state).toMatchObject({ reads: 1, marked: ['batch'] })
  })

  it('facts that wait for the fact store stay, without a failure to log, when it goes away meanwhile', async () => {
    const { state, sweep } = waiting()
    state.failing = true
    await expect(sweep()).resolves.toHaveLength(1)
    expect(state.marked).toEqual([])
  })
})

describe('a batch of a campaign that started a moment ago', () => {
  const row = { campaign_id: 'new', hour: '2026-11-01T00:00:00.000Z' } as IncomingBatch['rows'][number]
  const batch: IncomingBatch = { id: 'batch', bodyHash: 'x', bidder: null, whitelabelId: null, rows: [row] }
  /** The campaign is in the read model once this has caught up, if it exists at all. */
  function behind(exists: boolean) {
    const accepted: string[] = []
    let shown = false
    const campaign = { id: 'new', served: [{ from: row.hour, to: null }] } as unknown as DeliveredCampaign
    const port = {
      inbox: {
        find: async () => null,
        accept: async ({ id }: IncomingBatch) => {
          accepted.push(id)
          return { facts: null }
        },
      },
      delivered: async () => new Map(shown ? [['new', campaign]] : []),
      caughtUp: async () => {
        shown = exists
      },
    } as unknown as DeliveryPort
    const facts = { store: async () => undefined } as unknown as FactStore
    const delivery = createDelivery({ port, facts, now: () => '2026-11-01T00:30:00.000Z' })
    return { accepted, accept: (one: IncomingBatch) => delivery.accept(one) }
  }

  it('a batch of a campaign that started a moment ago is accepted although the read model does not show the campaign yet', async () => {
    const { accept, accepted } = behind(true)
    expect(await accept(batch)).toEqual({ kind: 'accepted', repeated: false })
    expect(accepted).toEqual(['batch'])
  })

  it('a batch of a campaign that started a moment ago is refused when the read model has caught up and there is no such campaign', async () => {
    const { accept, accepted } = behind(false)
    expect(await accept(batch)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 2, faults: [{ path: 'rows[0].campaign_id' }] },
    })
    expect(accepted).toEqual([])
  })
})
