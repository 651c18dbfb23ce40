import { MOST_LABELS } from '#domain/campaign/labels'
import { STATUS, STATUS_ALL, STATUS_KEYS } from '#domain/campaign/status/status-keys'
import { CAMPAIGN_METRICS } from '#domain/reports/figures'
import { statusReason } from './campaign-body.ts'
import { among, asOfQuery, endpoint, named, page } from './http.ts'
import { label } from './labels.ts'
import { budgetTypeKey, campaignTypeKey, statusKey, goal, objective } from './sets.ts'
import { z } from './zod.ts'

const dateInput = z.union([z.string(), z.number()])

/** Null while the store of delivered facts is away; the billed amounts beside it are always there. */
const figure = z.nullable(z.number())

const status = z.union([among(z.number(), [...STATUS_KEYS, STATUS_ALL]), among(z.string(), [...Object.values(STATUS), 'all'])])
/** Keys or names of statuses; without any, and with 50 or `all`, every one. */
export const statusFilter = z.nullish(z.union([status, z.array(status).check(z.maxLength(50))]))

/** Most accounts that a list is filtered by. */
export const MOST_SPACES = 50
export const spaceIds = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MOST_SPACES))

export const labelIds = z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MOST_LABELS))

export const listInput = named(
  'CampaignListInput',
  z.object({
    from_date: z.nullish(dateInput),
    to_date: z.nullish(dateInput),
    page: z.nullish(z.int()),
    pageSize: z.nullish(z.int()),
    page_size: z.nullish(z.int()),
    name: z.nullish(z.string().check(z.maxLength(300))),
    status_filter: statusFilter,
    space_id: z.nullish(z.string()),
    /** Accounts, of those that the list covers; none means all of them. */
    space_ids: z.nullish(spaceIds),
    /** Campaigns with any of these labels; none means every campaign. */
    label_ids: z.nullish(labelIds),
    sort_by_field: z.nullish(z.string()),
    order_field: z.nullish(among(z.string(), ['name', 'status', ...CAMPAIGN_METRICS])),
    order_asc: z.nullish(z.boolean()),
    included_metrics: z.nullish(z.array(among(z.string(), CAMPAIGN_METRICS))),
  }),
)

export type ListInput = z.infer<typeof listInput>

export const listRow = named(
  'CampaignRow',
  z.object({
    id: z.string(),
    space_id: z.string(),
    space_name: z.string(),
    currency: z.string(),
    name: z.string(),
    status_key: statusKey,
    status_reasons: z.array(statusReason),
    need_moderation: z.boolean(),
    review: z.string(),
    revision: z.number(),
    campaign_start_at: z.nullable(z.string()),
    campaign_end_at: z.nullable(z.string()),
    timezone_offset_seconds: z.nullable(z.number()),
    campaign_type_key: campaignTypeKey,
    goal: z.nullable(goal),
    type: z.nullable(objective),
    budget: z.nullable(z.number()),
    budget_type_key: budgetTypeKey,
    budget_spent: z.number(),
    daily_budget_spent: z.number(),
    /** By name. */
    labels: z.array(label),
    creative_status: z.nullable(z.enum(['approved', 'pending', 'disapproved'])),
    moderation_start_at: z.nullable(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
    impressions: figure,
    clicks: figure,
    conversions: figure,
    spent: figure,
    ctr: figure,
    cpm: figure,
    cpc: figure,
    cvr: figure,
    cpa: figure,
    conversions_unique_bid: figure,
    /** Conversions that are not confirmed, and in no other figure (fine print 111). */
    unconfirmed_conversions: figure,
    report_data: z.object({ cpa: figure, cvr: figure }),
  }),
)

export type ListRow = z.infer<typeof listRow>

export const listCampaigns = endpoint({
  id: 'campaign.list',
  method: 'POST',
  path: '/v1/campaign/list/v2',
  access: 'campaign.read',
  summary: 'Campaigns of one space, zero-based pages',
  reads: ['campaign-list', 'accounts'],
  query: asOfQuery,
  body: 'json',
  input: listInput,
  output: page(listRow),
})

export const adminListCampaigns = endpoint({
  id: 'campaign.adminList',
  method: 'POST',
  path: '/v1/campaign/admin/list',
  access: 'campaign.admin-list',
  summary: 'Campaigns of all spaces in reach, zero-based pages',
  reads: ['campaign-list', 'accounts'],
  query: asOfQuery,
  body: 'json',
  input: listInput,
  output: page(listRow),
})

export const adminListAccounts = endpoint({
  id: 'campaign.adminAccounts',
  method: 'POST',
  path: '/v1/campaign/admin/accounts',
  access: 'campaign.admin-list',
  summary: 'Names of the accounts in reach, to filter the list of all campaigns by: by part of a name, or by ids; at most 150',
  reads: ['accounts'],
  body: 'json',
  input: z.object({ name: z.nullish(z.string().check(z.maxLength(300))), space_ids: z.nullish(spaceIds) }),
  output: z.array(z.object({ space_id: z.string(), space_name: z.string() })),
})

export const countCampaigns = endpoint({
  id: 'campaign.count',
  reads: ['campaign-list', 'accounts'],
  method: 'GET',
  path: '/v1/campaign/count/:spaceId',
  access: 'campaign.read',
  summary: 'Number of campaigns in a space',
  params: z.object({ spaceId: z.string() }),
  output: z.number(),
})

/** Most campaigns of one call: those of a page. */
export const MOST_TRENDS = 150
/** Days of a trend, with today. */
export const TREND_DAYS = 14
export const TREND_METRICS = ['impressions', 'clicks', 'conversions', 'spent'] as const
export type TrendMetric = (typeof TREND_METRICS)[number]

export const campaignTrends = endpoint({
  id: 'campaign.trends',
  method: 'POST',
  path: '/v1/campaign/list/trends',
  access: 'campaign.read',
  summary: `A figure of each campaign by day, of the last ${TREND_DAYS} UTC days with today; campaigns out of reach are left out (fine print 109)`,
  reads: ['campaign-list'],
  body: 'json',
  input: z.object({
    ids: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(MOST_TRENDS)),
    metric: z.enum(TREND_METRICS),
  }),
  output: z.object({
    /** YYYY-MM-DD, the oldest first. */
    days: z.array(z.string()),
    /** In the order of the ids, each once. */
    trends: z.array(
      z.object({
        id: z.string(),
        /** One for each day, money in the currency of the account; null while the store of delivered facts is away. */
        values: z.nullable(z.array(z.number())),
      }),
    ),
  }),
})
export type CampaignTrends = z.infer<typeof campaignTrends.output>

export const CAMPAIGN_LIST_ENDPOINTS = [listCampaigns, adminListCampaigns, adminListAccounts, countCampaigns, campaignTrends]
