import { bidRequest } from './bid-request.ts'
import { idParams } from './campaign-answers.ts'
import { sentTraffic } from './campaign-body.ts'
import { endpoint, named } from './http.ts'
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
  // With `traffic_targeting` these entries are explained in place of the saved ones: checked as on save, and not stored.
  input: z.extend(bidRequest, { traffic_targeting: sentTraffic }),
  output: z.object({
    /** The saved revision that was explained, or that the sent entries would change. */
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

const replayed = named(
  'BiddingReplayed',
  z.object({
    /** Impressions that an entry matched. */
    matched: z.number(),
    /** Impressions that get a bid. */
    bids: z.number(),
    /** Mean multiplier of these bids; null without any. The base bid times it is the average bid. */
    average_multiplier: z.nullable(z.number()),
    /** How many impressions each entry decided, in the order of the entries. */
    entries: z.array(z.object({ id: z.number(), name: z.string(), multiplier: z.number(), decided: z.number() })),
  }),
)

export const replayBidding = endpoint({
  id: 'bidding.replay',
  reads: [],
  method: 'POST',
  path: '/v1/campaign/:id/bidding/replay',
  access: 'owner-fields.read',
  summary: 'What saved and unsaved entries of advanced bidding do to the impressions that bidders sampled last. Stores nothing',
  params: idParams,
  body: 'json',
  // Checked as on save. Without `traffic_targeting` both sides are the saved entries.
  input: z.object({ traffic_targeting: sentTraffic }),
  output: z.object({
    revision: z.number(),
    sample: z.object({
      impressions: z.number(),
      /** When the oldest and the newest impression came in, ISO 8601 UTC; null without any. */
      oldest_at: z.nullable(z.string()),
      newest_at: z.nullable(z.string()),
      /** False below 50 impressions: the sums say little about traffic. */
      enough: z.boolean(),
    }),
    saved: replayed,
    unsaved: replayed,
  }),
})

export const BIDDING_ENDPOINTS = [explainBidding, replayBidding]
