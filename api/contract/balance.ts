import { asOfQuery, endpoint } from './http.ts'
import { z } from './zod.ts'

/** Balance of an account, and how long it lasts. In its own file: every page reads it. */
export const balance = endpoint({
  id: 'space.balance',
  // Not the campaign list, on which `reserved` depends: every page shows the balance, also while the list waits for an upgrade.
  reads: ['accounts'],
  method: 'GET',
  path: '/v1/space/balance/:id',
  access: 'balance.read',
  summary:
    'Balance, credit limit, what is available, what was spent today and is reserved, for how many days it lasts, and notices of a low balance',
  params: z.object({ id: z.string() }),
  query: asOfQuery,
  output: z.object({
    space_id: z.string(),
    currency: z.string(),
    balance: z.number(),
    /** Charges in the balance that are not in the ledger yet: it settles them within a minute. */
    unsettled: z.number(),
    credit_limit: z.number(),
    available: z.number(),
    /** Charged for delivery today, of the account's day (`time_zone` of `/v1/user/me`). */
    spent_today: z.number(),
    /** Amount that the running campaigns may still spend of their budgets: of today, or in total. */
    reserved: z.number(),
    /** Days until the available amount is spent, at the mean of the last seven days, from the first of them with spend on; null without spend. */
    runway_days: z.nullable(z.number()),
    /** Notices of the policies about a low balance, the most urgent first. */
    notices: z.array(z.enum(['empty', 'runway_1', 'runway_3'])),
    as_of: z.string(),
  }),
})
