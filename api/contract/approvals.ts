import { ROLES, SINGLE_RIGHT_NAMES } from '#domain/kit/access'
import { PROVIDER_POWER } from '#domain/single-sign-on/admission'
import { PAID_BY } from '#domain/white-label/invoicing'
import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/**
 * Commands that wait for a second person: money by hand (fine print 63), roles of staff (87) and a lost second factor (97).
 * Payments of invoices wait on their invoice.
 */

export const MONEY_APPROVALS = ['credit', 'credit_note', 'limit', 'credit_limit', 'invoicing'] as const
/** roles_alone: the end of the rule that roles need a second person. */
export const ROLE_APPROVALS = [
  'invitation',
  'roles',
  'reactivation',
  'hand_over',
  'right',
  'roles_alone',
  'second_factor',
  'confirming_roles',
  'sign_on_provider',
  'sign_on_domain',
  'directory_token',
  'sign_on_link',
] as const
/** Settings of a white-label and of identity providers that a second person confirms. */
const CHANGED_FIELDS = [...PAID_BY, ...PROVIDER_POWER, 'provider_id'] as const
/** done: confirmed and carried out; failed: confirmed, and no longer possible; expired: waited for 14 days. */
export const APPROVAL_STATES = ['waiting', 'done', 'failed', 'rejected', 'expired'] as const

const approval = named(
  'Approval',
  z.object({
    id: z.string(),
    /**
     * credit: of an account, negative for a correction; credit_note: on an invoice; limit: of the white-label; credit_limit: of an account;
     * invoicing: whom and where customers pay; second_factor: of a user, to be reset; sign_on_link: of a user, to be freed; confirming_roles: by a directory or identity provider; the others: roles, rights and ways in
     * of staff.
     */
    kind: z.enum([...MONEY_APPROVALS, ...ROLE_APPROVALS]),
    space_id: z.nullable(z.string()),
    space_name: z.string(),
    invoice_id: z.nullable(z.string()),
    /** In currency units; the new limit, or null for none. A credit limit as it will be. */
    amount: z.nullable(z.number()),
    currency: z.nullable(z.string()),
    /** User who gets the roles or lost the second factor: a name, with the address of an open invitation. Null for others. */
    person: z.nullable(z.string()),
    roles: z.array(z.enum(ROLES)),
    /** The single right that is asked for, and when it would end; null otherwise, and without an end. */
    right: z.nullable(z.enum(SINGLE_RIGHT_NAMES)),
    right_until: z.nullable(z.string()),
    /** Name of the identity provider or mail domain that it is about; null otherwise. */
    subject: z.nullable(z.string()),
    /** Settings that change, as they are now and as they would be. */
    changes: z.array(z.object({ field: z.enum(CHANGED_FIELDS), from: z.string(), to: z.string() })),
    comment: z.string(),
    at: z.string(),
    by: z.string(),
    /** False for the user who asked for it, and for the one whom it is about. */
    may_decide: z.boolean(),
    /** True for the user who asked for it, who may take it back. */
    may_withdraw: z.boolean(),
    state: z.enum(APPROVAL_STATES),
    /** When it can no longer be confirmed, while it waits. */
    expires_at: z.nullable(z.string()),
    decided_at: z.nullable(z.string()),
    /** Null while it waits, and once it expired. */
    decided_by: z.nullable(z.string()),
  }),
)
export type Approval = z.infer<typeof approval>

export const listApprovals = endpoint({
  id: 'approval.list',
  reads: [],
  method: 'GET',
  path: '/v1/approvals',
  access: 'balance.credit',
  summary: 'What waits for a second person, oldest first; or what was decided, newest first, at most 100',
  query: z.object({ state: z.optional(z.enum(['waiting', 'decided'])) }),
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
  summary: 'Confirm what waits for a second person; never by the user who asked for it, or whom it is about',
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
