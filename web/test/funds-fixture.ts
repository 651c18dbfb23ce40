import type { balance } from '#contract/balance'
import type { z } from '#contract/zod'

/** Funds of an account in USD, without credit. */
export const fundsOf = (
  amount: number,
  fields: Partial<z.output<typeof balance.output>> = {},
): z.output<typeof balance.output> => ({
  space_id: 'space-1',
  currency: 'USD',
  balance: amount,
  credit_limit: 0,
  available: amount,
  reserved: 0,
  unsettled: 0,
  spent_today: 0,
  runway_days: null,
  notices: [],
  as_of: '2026-06-01T00:00:00.000Z',
  ...fields,
})
