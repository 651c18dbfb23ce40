import { describe, expect, it } from 'vitest'
import type { FactStore } from '../../factstore/fact-store.ts'
import { Away } from '../../eventstore/away.ts'
import { createDelivery } from './accept-batch.ts'
import type { DeliveryPort } from './delivery-port.ts'

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
  const sweep = async () => Promise.all((await storing.scan()).map((command) => command()))
  return { state, sweep }
}

describe('facts that wait for the fact store', () => {
  it('are not read while it is away, and stored when it is back', async () => {
    const { state, sweep } = waiting()
    state.away = true
    await sweep()
    expect(state).toMatchObject({ reads: 0, marked: [] })
    state.away = false
    await sweep()
    expect(state).toMatchObject({ reads: 1, marked: ['batch'] })
  })

  it('stay, without a failure to log, when it goes away meanwhile', async () => {
    const { state, sweep } = waiting()
    state.failing = true
    await expect(sweep()).resolves.toHaveLength(1)
    expect(state.marked).toEqual([])
  })
})
