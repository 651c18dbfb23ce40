import { statusReason } from './campaign-body.ts'
import { endpoint, page } from './http.ts'
import { z } from './zod.ts'

const dateInput = z.union([z.string(), z.number()])

const statusFilter = z.union([z.number(), z.string()])

export const listInput = z.object({
  from_date: dateInput.nullish(),
  to_date: dateInput.nullish(),
  page: z.number().int().nullish(),
  pageSize: z.number().int().nullish(),
  page_size: z.number().int().nullish(),
  name: z.string().max(300).nullish(),
  status_filter: z.union([statusFilter, z.array(statusFilter).max(50)]).nullish(),
  space_id: z.string().nullish(),
  sort_by_field: z.string().nullish(),
  order_field: z.string().nullish(),
  order_asc: z.boolean().nullish(),
  included_metrics: z.array(z.string()).nullish(),
})

export type ListInput = z.infer<typeof listInput>

export const listRow = z.object({
  id: z.string(),
  space_id: z.string(),
  space_name: z.string(),
  currency: z.string(),
  name: z.string(),
  status_key: z.number(),
  status_reasons: z.array(statusReason),
  need_moderation: z.boolean(),
  review: z.string(),
  revision: z.number(),
  campaign_start_at: z.string().nullable(),
  campaign_end_at: z.string().nullable(),
  timezone_offset_seconds: z.number().nullable(),
  campaign_type_key: z.number(),
  goal: z.string().nullable(),
  type: z.string().nullable(),
  budget: z.number().nullable(),
  budget_type_key: z.number(),
  budget_spent: z.number(),
  daily_budget_spent: z.number(),
  creative_status: z.enum(['approved', 'pending', 'disapproved']).nullable(),
  moderation_start_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  impressions: z.number(),
  clicks: z.number(),
  conversions: z.number(),
  spent: z.number(),
  ctr: z.number(),
  cpm: z.number(),
  cpc: z.number(),
  cvr: z.number(),
  cpa: z.number(),
  conversions_unique_bid: z.number(),
  report_data: z.object({ cpa: z.number(), cvr: z.number() }),
})

export type ListRow = z.infer<typeof listRow>

export const listCampaigns = endpoint({
  id: 'campaign.list',
  method: 'POST',
  path: '/v1/campaign/list/v2',
  access: 'campaign.read',
  summary: 'Campaigns of one space, zero-based pages',
  reads: ['campaign-list', 'accounts'],
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
  body: 'json',
  input: listInput,
  output: page(listRow),
})

export const countCampaigns = endpoint({
  id: 'campaign.count',
  method: 'GET',
  path: '/v1/campaign/count/:spaceId',
  access: 'campaign.read',
  summary: 'Number of campaigns in a space',
  params: z.object({ spaceId: z.string() }),
  output: z.number(),
})

export const CAMPAIGN_LIST_ENDPOINTS = [listCampaigns, adminListCampaigns, countCampaigns]
