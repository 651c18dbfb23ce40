import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import { balance } from './balance.ts'
import { endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'

/** The ledger of an account: every movement of its balance (fine print 59, decisions G-244). */

export const spaceCredit = endpoint({
  id: 'space.credit',
  reads: [],
  method: 'POST',
  path: '/v1/space/:id/credit',
  access: 'balance.credit',
  stepUp: 'session',
  summary:
    'Credits an account by hand; a negative amount corrects. A comment is required (fine print 59); beyond the limit of the day it waits for a second person',
  params: z.object({ id: z.string() }),
  body: 'json',
  input: z.object({ amount: z.number(), comment: z.nullish(z.string().check(z.maxLength(1000))) }),
  output: z.object({
    space_id: z.string(),
    balance: z.number(),
    currency: z.string(),
    stage: z.enum(['applied', 'pending']),
    approval_id: z.nullable(z.string()),
    position,
  }),
  command: true,
})

export const ledgerRow = named(
  'LedgerRow',
  z.object({
    id: z.string(),
    at: z.string(),
    type: z.enum(MOVEMENT_TYPES),
    /** In the account's currency; negative where it takes from the balance. */
    amount: z.number(),
    balance_after: z.number(),
    /** Cause in words: the reason of a credit by hand, the number of a settlement, or the id behind it. */
    cause: z.string(),
    /** Number of the settlement of spend, the newest of the row; null for other movements. */
    settlement: z.nullable(z.number()),
    /** Number of settlements in a row of spend; null for other movements. */
    settlements: z.nullable(z.number()),
    payment_id: z.nullable(z.string()),
    invoice_id: z.nullable(z.string()),
    actor: z.string(),
  }),
)

export type LedgerMovement = z.infer<typeof ledgerRow>

const dateInput = z.nullish(z.union([z.string(), z.number()]))

const ledgerFilter = z.object({
  from_date: dateInput,
  to_date: dateInput,
  type: z.nullish(z.enum(MOVEMENT_TYPES)),
})

export const spaceLedger = endpoint({
  id: 'space.ledger',
  reads: ['accounts'],
  method: 'POST',
  path: '/v1/space/:id/ledger',
  access: 'balance.read',
  summary: 'Every movement of an account, newest first; pages are zero-based',
  params: z.object({ id: z.string() }),
  body: 'json',
  input: z.extend(ledgerFilter, {
    /** True: consecutive settlements of one UTC day are one row. */
    daily: z.nullish(z.boolean()),
    page: z.nullish(z.int().check(z.gte(0), z.lte(1_000_000))),
    page_size: z.nullish(z.int().check(z.gte(1), z.lte(150))),
  }),
  output: page(ledgerRow),
})

export const spaceLedgerCsv = endpoint({
  id: 'space.ledgerCsv',
  reads: ['accounts'],
  method: 'POST',
  path: '/v1/space/:id/ledger/csv',
  access: 'balance.read',
  summary: 'Every movement of an account, oldest first, as CSV with exact amounts',
  params: z.object({ id: z.string() }),
  body: 'json',
  input: ledgerFilter,
  output: z.unknown(),
  raw: true,
  download: true,
})

export const LEDGER_ENDPOINTS = [balance, spaceCredit, spaceLedger, spaceLedgerCsv]
