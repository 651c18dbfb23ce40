import { describe, expect, it } from 'vitest'
import { autoRefillPolicy, type AutoRefillDeps, type RefilledAccount } from './auto-refill-policy.ts'
import type { Charge } from './payments.ts'
import type { StoredCard } from './payment-storage.ts'

const ACCOUNT: RefilledAccount = {
  spaceId: 'nile',
  whitelabelId: 'dsp',
  currency: 'USD',
  offsetSeconds: 0,
  available: 5_000_000,
  mayPay: true,
  autoRefill: { enabled: true, threshold: 10_000_000, amount: 20_000_000, monthly_limit: 100_000_000 },
}

/** Accounts that one scan charges. `paying`: a payment of the account is under way. */
type Situation = { readonly paying?: boolean; readonly upToDate?: RefilledAccount | null; readonly taken?: number }
async function charged({ paying = false, upToDate = ACCOUNT, taken = 0 }: Situation = {}) {
  const charges: Charge[] = []
  const card = { id: 'card', provider: 'test' } as StoredCard
  const deps = {
    payments: { charge: async (charge: Charge) => void charges.push(charge) },
    storage: { tasks: { ofAccount: async () => paying }, cards: { find: async () => card } },
    candidates: async () => [ACCOUNT],
    upToDate: async () => upToDate,
    made: async () => ({ made: 3, taken }),
    defaultCard: async () => 'card',
    provider: 'test',
    derivedId: (...parts: readonly string[]) => parts.join('/'),
    now: () => '2026-11-24T10:00:00.000Z',
    isAway: () => false,
  } as unknown as AutoRefillDeps
  for (const { act } of await autoRefillPolicy(deps).scan([])) await act()
  return charges
}

describe('the automatic refill', () => {
  it('charges an account below its threshold', async () => {
    expect(await charged()).toMatchObject([{ paymentId: 'auto-refill/nile/4', amount: 20_000_000, origin: 'auto_refill' }])
  })

  it('charges nothing while another payment of the account is under way', async () => {
    expect(await charged({ paying: true })).toEqual([])
  })

  it('charges nothing while read models are behind, or once they show that it is not due', async () => {
    expect(await charged({ upToDate: null })).toEqual([])
    expect(await charged({ upToDate: { ...ACCOUNT, available: 10_000_001 } })).toEqual([])
  })

  it('charges nothing beyond the limit of the month', async () => {
    expect(await charged({ taken: 80_000_001 })).toEqual([])
    expect(await charged({ taken: 80_000_000 })).toHaveLength(1)
  })
})
