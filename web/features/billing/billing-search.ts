import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import { z } from '#contract/zod'
import { pageSearch } from '@/components/data-table/list-search'
import { INVOICE_STATES } from './invoices/invoice-states.ts'
import { isDay } from '@/lib/date-range'

export const BILLING_TABS = ['movements', 'cards', 'invoices'] as const

const day = z.catch(z.optional(z.string().check(z.refine(isDay))), undefined)
const short = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(100))), undefined)

/** `?space=…&tab=…&type=…&start=…&end=…&page=…`: the account that staff chose, and the view of its tab. */
export const billingSearch = z.object({
  space: short,
  /** A dialog that opens with the page. */
  open: z.catch(z.optional(z.enum(['card', 'refill'])), undefined),
  tab: z.catch(z.optional(z.enum(BILLING_TABS)), undefined),
  type: z.catch(z.optional(z.enum(MOVEMENT_TYPES)), undefined),
  /** Status of the invoices, and a part of their number. */
  status: z.catch(z.optional(z.enum(INVOICE_STATES)), undefined),
  q: short,
  start: day,
  end: day,
  page: pageSearch,
})
export type BillingSearch = z.infer<typeof billingSearch>
