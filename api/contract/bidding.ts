import { bidRequest } from './bid-request.ts'
import { idParams } from './campaign-answers.ts'
import { endpoint } from './http.ts'
import { z } from './zod.ts'

const fact = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])

const explainedRule = z.object({
  kind: z.literal('rule'),
  field: z.string(),
  operator: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  holds: z.boolean(),
  /** The impression's value; null where it has none. */
  actual: z.nullable(fact),
})

const explainedGroup = z.object({
  kind: z.literal('group'),
  condition: z.enum(['and', 'or']),
  holds: z.boolean(),
  get rules(): z.ZodMiniArray<z.ZodMiniUnion<readonly [typeof explainedRule, typeof explainedGroup]>> {
    return z.array(z.union([explainedRule, explainedGroup]))
  },
})

export const explainBidding = endpoint({
  id: 'bidding.explain',
  reads: [],
  method: 'POST',
  path: '/v1/campaign/:id/bidding/explain',
  access: 'owner-fields.read',
  summary: 'Which entry of advanced bidding an OpenRTB 2.6 bid request meets, and why the others do not',
  params: idParams,
  body: 'json',
  input: bidRequest,
  output: z.object({
    revision: z.number(),
    impressions: z.array(
      z.object({
        imp_id: z.string(),
        /** Id of the first entry that matched; null when none did, which leaves the bid unchanged. */
        entry: z.nullable(z.number()),
        multiplier: z.number(),
        bids: z.boolean(),
        entries: z.array(z.object({ id: z.number(), name: z.string(), multiplier: z.number(), rules: explainedGroup })),
      }),
    ),
  }),
})

export const BIDDING_ENDPOINTS = [explainBidding]
