import { endpoint, named } from './http.ts'
import { statusKey } from './sets.ts'
import { z } from './zod.ts'

/** Work for the caller: campaigns of the account in use, and the work that waits in the white-label (fine print 74). */

/** Why a campaign needs its owner, the most urgent first. */
export const ATTENTION_REASONS = ['no_money', 'rejected', 'disapproved', 'near_budget', 'ended', 'waiting'] as const
export type AttentionReason = (typeof ATTENTION_REASONS)[number]

const count = z.int()
export const attention = named(
  'Attention',
  z.object({
    /** Null for those who may not read campaigns. One entry for each reason that holds, the most urgent first. */
    campaigns: z.nullable(
      z.array(
        z.object({
          reason: z.enum(ATTENTION_REASONS),
          count,
          /** The three that changed last. */
          first: z.array(z.object({ id: z.string(), name: z.string(), status_key: statusKey })),
        }),
      ),
    ),
    /** Null for those who do not manage accounts. */
    work: z.nullable(
      z.object({
        reviews: z.object({ count, overdue: count }),
        registrants: count,
        unanswered_chats: count,
        /** Accounts that spend and have less than three days of money, those with the least time first, at most five. */
        low_accounts: z.object({
          count,
          first: z.array(
            z.object({
              space_id: z.string(),
              name: z.string(),
              currency: z.string(),
              available: z.number(),
              notice: z.enum(['empty', 'runway_1', 'runway_3']),
            }),
          ),
        }),
        /** Payments by card of the last seven days that failed and that no later one of the account made good, at most five. */
        failed_payments: z.object({
          count,
          first: z.array(
            z.object({
              id: z.string(),
              space_id: z.string(),
              name: z.string(),
              currency: z.string(),
              amount: z.number(),
              failure_code: z.nullable(z.string()),
              at: z.string(),
            }),
          ),
        }),
      }),
    ),
  }),
)
export type Attention = z.output<typeof attention>

export const readAttention = endpoint({
  id: 'attention.get',
  method: 'GET',
  path: '/v1/attention',
  access: 'signed-in',
  summary: 'What needs the caller: campaigns of the account in use, and for owners the work that waits',
  reads: ['accounts', 'campaign-list', 'moderation-queue', 'payments', 'registrations'],
  output: attention,
})

export const ATTENTION_ENDPOINTS = [readAttention]
