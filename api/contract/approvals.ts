import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** Money by hand that waits for a second person (fine print 63). Payments of invoices wait on their invoice. */

const approval = named(
  'Approval',
  z.object({
    id: z.string(),
    /** credit: of an account, negative for a correction; credit_note: on an invoice; limit: of the white-label. */
    kind: z.enum(['credit', 'credit_note', 'limit']),
    space_id: z.nullable(z.string()),
    space_name: z.string(),
    invoice_id: z.nullable(z.string()),
    /** In currency units; the new limit, or null for none. */
    amount: z.nullable(z.number()),
    currency: z.nullable(z.string()),
    comment: z.string(),
    at: z.string(),
    by: z.string(),
    /** False for the user who asked for it. */
    may_decide: z.boolean(),
  }),
)
export type Approval = z.infer<typeof approval>

export const listApprovals = endpoint({
  id: 'approval.list',
  reads: [],
  method: 'GET',
  path: '/v1/approvals',
  access: 'balance.credit',
  summary: 'Credits, corrections, credit notes and changes of the limit that wait for a second person',
  output: z.object({ approvals: z.array(approval) }),
})

const decided = z.object({ id: z.string(), stage: z.enum(['applied', 'rejected']), position })

export const confirmApproval = endpoint({
  id: 'approval.confirm',
  reads: [],
  method: 'POST',
  path: '/v1/approvals/:id/confirm',
  access: 'balance.credit',
  stepUp: 'session',
  summary: 'Confirm what waits for a second person; never by the user who asked for it',
  params: z.object({ id: z.string() }),
  output: decided,
  command: true,
})

export const rejectApproval = endpoint({
  id: 'approval.reject',
  reads: [],
  method: 'POST',
  path: '/v1/approvals/:id/reject',
  access: 'balance.credit',
  summary: 'Reject what waits for a second person; the user who asked for it may withdraw it',
  params: z.object({ id: z.string() }),
  output: decided,
  command: true,
})

export const APPROVAL_ENDPOINTS = [listApprovals, confirmApproval, rejectApproval]
