import { REPORT_DEVICES } from '#domain/reports/figures'
import { bidRequest } from './bid-request.ts'
import { campaignContent } from './campaign-body.ts'
import { among, endpoint, named } from './http.ts'
import { streamQuery } from './live.ts'
import { z } from './zod.ts'

/** For bidders (running.md "For bidders and exchanges"). */

/** Most rows of a batch. */
export const MOST_ROWS = 5000
/** Largest body of a batch, bytes (fine print 26). */
export const BATCH_LIMIT = 8 * 1024 * 1024

const deliverableCampaign = named(
  'DeliverableCampaign',
  z.object({
    id: z.string(),
    space_id: z.string(),
    revision: z.number(),
    /** ISO 4217; of every amount of this campaign. */
    currency: z.string(),
    /** Amount that may still be spent of the budget: today for a day budget, else in total. */
    budget_left: z.number(),
    /** False outside the hours of its schedule. */
    in_schedule: z.boolean(),
    /** Ids of creatives by the exchange that approved them. */
    creatives: z.record(z.string(), z.array(z.string())),
    /**
     * The audiences that `content.targeting.segment_audiences` names, in the version that the campaign was approved with. Members:
     * delivery.audienceMembers; its ETag is `etag`. One that is missing here has fewer than 100 members, and is not served.
     */
    audiences: z.array(
      z.object({ id: z.string(), version: z.number(), whitelabel_id: z.string(), etag: z.string(), members: z.number() }),
    ),
    content: campaignContent,
  }),
)

export const deliveryCampaigns = endpoint({
  id: 'delivery.campaigns',
  reads: ['campaign-list', 'accounts', 'audiences'],
  method: 'GET',
  path: '/v1/delivery/campaigns',
  access: 'service',
  serves: 'bidder',
  summary:
    'Campaigns that may serve now, in their approved version, with the budget that is left and their bidding rules. Ask again with If-None-Match',
  output: z.object({ as_of: z.string(), campaigns: z.array(deliverableCampaign) }),
  cached: true,
})

/**
 * Server-sent events. `ready` once all later changes are covered; then `campaigns` with `{"campaigns": […], "stopped": […]}` within a second of
 * each change: campaigns that may serve, as they are now, and ids of those that may not any longer. Read delivery.campaigns after `ready`, and
 * apply what comes.
 */
export const deliveryChanges = endpoint({
  id: 'delivery.changes',
  reads: [],
  method: 'GET',
  path: '/v1/delivery/stream',
  access: 'service',
  serves: 'bidder',
  summary: 'Changes of what may serve, as server-sent events, within a second',
  query: streamQuery,
  output: z.unknown(),
  raw: true,
  stream: true,
})

const count = z._default(z.int().check(z.gte(0), z.lte(1_000_000_000)), 0)
const text = z._default(z.string().check(z.maxLength(300)), '')
const deliveryRow = named(
  'DeliveryRow',
  z.object({
    /** Start of a UTC hour, ISO 8601. */
    hour: z.union([z.string(), z.number()]),
    campaign_id: z.string().check(z.maxLength(100)),
    creative_id: text,
    /** `WIDTHxHEIGHT` of a banner. */
    size: text,
    exchange: text,
    publisher: text,
    app_or_site: text,
    /** 2 desktop, 3 mobile, 5 android, 8 desktop others, 9 mobile others. */
    device_type_key: z._default(among(z.int(), REPORT_DEVICES), 2),
    os: text,
    country: text,
    region: text,
    city: text,
    impressions: count,
    clicks: count,
    conversions: count,
    unique_conversions: count,
    conversions_unique_bid: count,
    bids: count,
    reach: count,
    bounces: count,
    engagements: count,
    completed_views: count,
    /** In the currency of the account that pays. */
    spent: z._default(z.number(), 0),
  }),
)

export const deliveryBatch = endpoint({
  id: 'delivery.batch',
  reads: [],
  method: 'POST',
  path: '/v1/delivery/batches',
  access: 'service',
  serves: 'bidder',
  summary: 'Delivered facts; the same batch_id counts once. A wrong row refuses the whole batch, and its path names the row',
  body: 'json',
  bodyLimit: BATCH_LIMIT,
  input: z.object({
    batch_id: z.string().check(z.minLength(1), z.maxLength(200)),
    rows: z.array(deliveryRow).check(z.maxLength(MOST_ROWS)),
  }),
  output: z.object({
    batch_id: z.string(),
    rows: z.number(),
    /** True when this batch was accepted before. */
    repeated: z.boolean(),
  }),
})

/** Most requests of one call. */
export const MOST_SAMPLED = 100

export const deliverySample = endpoint({
  id: 'delivery.sample',
  reads: [],
  method: 'POST',
  path: '/v1/delivery/bid-requests',
  access: 'service',
  serves: 'bidder',
  summary:
    'A sample of OpenRTB 2.6 bid requests, on which owners try bidding rules. Of each impression only values of filters are kept, addresses as networks, for seven days at most',
  body: 'json',
  input: z.object({ requests: z.array(bidRequest).check(z.minLength(1), z.maxLength(MOST_SAMPLED)) }),
  output: z.object({
    /** Impressions that were added; the newest thousand stay. */
    impressions: z.number(),
  }),
})

export const DELIVERY_ENDPOINTS = [deliveryCampaigns, deliveryChanges, deliveryBatch, deliverySample]
