import { campaign, campaignInput, statusReason } from './campaign-body.ts'
import { endpoint, page, position } from './http.ts'
import { bidRequest } from './bid-request.ts'
import { z } from './zod.ts'

/** Campaign calls (campaign.md §7, running.md "The wire"). */

const idParams = z.object({ id: z.string() })
const dryRunQuery = z.object({ dry_run: z.stringbool().optional() })
export const change = z.object({ path: z.string(), from: z.unknown(), to: z.unknown() })

/** What a dry run answers in place of an outcome (fine print 35). */
export const dryRun = z.object({
  events: z.array(z.object({ type: z.string(), data: z.unknown() })),
  diff: z.array(change),
  status_key: z.number(),
  status_reasons: z.array(statusReason),
  revision: z.number(),
  moderator_needed: z.boolean(),
})

/** The least that every campaign command answers. */
export const outcome = z.object({
  id: z.string(),
  status_key: z.number(),
  status_reasons: z.array(statusReason),
  revision: z.number(),
  position,
})
/** What is allowed and yet hardly meant; only for those who may read advanced bidding. */
const warning = z.object({
  kind: z.enum(['contradiction', 'unreachable']),
  entry: z.number(),
  path: z.string(),
  field: z.string().optional(),
  by: z.number().optional(),
})
const savedCampaign = campaign.extend({
  position,
  kept: z.array(z.string()).optional(),
  dropped: z.array(z.string()).optional(),
  warnings: z.array(warning).optional(),
})
const save = { access: 'campaign.write', query: dryRunQuery, body: 'json', input: campaignInput, command: true } as const
const byId = { access: 'campaign.write', query: dryRunQuery, body: 'text', input: z.string(), command: true } as const

export const createCampaign = endpoint({
  ...save,
  id: 'campaign.create',
  method: 'POST',
  path: '/v1/campaign',
  summary: 'Create a draft, or a replicate when replicated_from is given',
  output: z.union([savedCampaign, dryRun]),
})

export const updateCampaign = endpoint({
  ...save,
  id: 'campaign.update',
  method: 'PUT',
  path: '/v1/campaign',
  summary: 'Save a campaign; without an id a draft is created',
  output: z.union([savedCampaign, dryRun]),
})

export const publishCampaign = endpoint({
  ...save,
  id: 'campaign.publish',
  method: 'POST',
  path: '/v1/campaign/saveAndPublish',
  summary: 'Save and submit to moderation; without an id created first',
  output: z.union([savedCampaign, dryRun]),
})

export const runCampaign = endpoint({
  ...byId,
  id: 'campaign.run',
  method: 'POST',
  path: '/v1/campaign/run',
  summary: 'Switch on, or bring back from the archive running',
  output: z.union([outcome, dryRun]),
})

export const pauseCampaign = endpoint({
  ...byId,
  id: 'campaign.pause',
  method: 'POST',
  path: '/v1/campaign/pause',
  summary: 'Switch off',
  output: z.union([outcome, dryRun]),
})

export const toggleArchive = endpoint({
  ...byId,
  id: 'campaign.archive',
  method: 'POST',
  path: '/v1/campaign/archive/toggle',
  summary: 'Archive, or bring back without starting',
  output: z.union([outcome, dryRun]),
})

export const getCampaign = endpoint({
  id: 'campaign.get',
  method: 'GET',
  path: '/v1/campaign/:id',
  access: 'campaign.read',
  summary: 'One campaign',
  params: idParams,
  output: campaign,
})

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

/** All-time figures under keys that say period (decisions G-072). */
export const campaignTotal = endpoint({
  id: 'campaign.total',
  method: 'GET',
  path: '/v1/campaign/:id/total',
  access: 'campaign.read',
  summary: 'All-time performance of a campaign',
  params: idParams,
  output: z.object({
    current_period_clicks: z.number(),
    current_period_impressions: z.number(),
    current_period_spent: z.number(),
  }),
})

export const maxMargin = endpoint({
  id: 'campaign.maxMargin',
  method: 'GET',
  path: '/v1/campaign/max-margin',
  access: 'owner-fields.read',
  summary: 'Highest margin that campaigns of a user may have, percent',
  query: z.object({ 'user-id': z.string() }),
  output: z.number(),
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

export const logEntry = z.object({
  revision: z.number(),
  /** Full name, or System, Exchange, Platform. */
  author: z.string(),
  author_id: z.string().nullable(),
  source: z.string(),
  /** Event types of the commit, in order. */
  events: z.array(z.string()),
  commit_date: z.string(),
  state_difference: z.array(z.object({ path: z.string(), value: z.unknown(), from: z.unknown(), to: z.unknown() })),
  previous_state: z.record(z.string(), z.unknown()).nullable(),
  current_state: z.record(z.string(), z.unknown()),
})
export type LogEntry = z.infer<typeof logEntry>

export const revisionSnapshot = endpoint({
  id: 'campaign.revisions',
  method: 'GET',
  path: '/v1/campaign/revision/snapshot/:id',
  access: 'log.read',
  summary: 'Change log, newest first; page-num is one-based',
  params: idParams,
  query: z.object({ 'page-num': z.coerce.number().int().optional(), 'page-size': z.coerce.number().int().optional() }),
  output: page(logEntry),
})

export const revisionCount = endpoint({
  id: 'campaign.revisionCount',
  method: 'GET',
  path: '/v1/campaign/revision/count/:id',
  access: 'log.read',
  summary: 'Number of change-log entries',
  params: idParams,
  output: z.number(),
})

const momentInput = z.union([z.string(), z.number()])

export const approveCampaign = endpoint({
  id: 'moderation.approve',
  method: 'POST',
  path: '/v1/whitelabel/admin/campaign/approve',
  access: 'campaign.moderate',
  summary: 'Approve the pending submission; no exchange means all',
  query: dryRunQuery,
  body: 'json',
  input: z.object({
    campaign_id: z.string(),
    category_keys: z.array(z.string()).nullish(),
    exchange_id: z.array(z.string()).nullish(),
    moderation_start_at: momentInput.nullish(),
  }),
  output: z.union([outcome, dryRun]),
  command: true,
})

export const rejectCampaign = endpoint({
  id: 'moderation.reject',
  method: 'POST',
  path: '/v1/whitelabel/admin/campaign/reject',
  access: 'campaign.moderate',
  summary: 'Reject the pending submission with a reason',
  query: dryRunQuery,
  body: 'json',
  input: z.object({
    campaign_id: z.string(),
    comment: z.string().max(5000).nullish(),
    moderation_start_at: momentInput.nullish(),
  }),
  output: z.union([outcome, dryRun]),
  command: true,
})

export const moderationQueue = endpoint({
  id: 'moderation.queue',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/queue',
  access: 'campaign.moderate',
  summary: 'Pending submissions in reach, oldest first, zero-based pages',
  reads: ['moderation-queue', 'campaign-list', 'accounts'],
  body: 'json',
  input: z.object({ page: z.number().int().nullish(), page_size: z.number().int().nullish() }),
  output: page(
    z.object({
      campaign_id: z.string(),
      campaign_name: z.string(),
      space_id: z.string(),
      space_name: z.string(),
      submission: z.number(),
      moderation_start_at: z.string(),
      status_key: z.number(),
      re_review: z.boolean(),
      goal: z.string().nullable(),
      type: z.string().nullable(),
      creatives: z.number(),
    }),
  ),
})

const fact = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
const explainedRule = z.object({
  kind: z.literal('rule'),
  field: z.string(),
  operator: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  holds: z.boolean(),
  /** What the impression says; null where it says nothing. */
  actual: fact.nullable(),
})
const explainedGroup = z.object({
  kind: z.literal('group'),
  condition: z.enum(['and', 'or']),
  holds: z.boolean(),
  get rules(): z.ZodArray<z.ZodUnion<readonly [typeof explainedRule, typeof explainedGroup]>> {
    return z.array(z.union([explainedRule, explainedGroup]))
  },
})

export const explainBidding = endpoint({
  id: 'bidding.explain',
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
        /** Id of the first entry that matched; null when none did, which leaves the bid as it is. */
        entry: z.number().nullable(),
        multiplier: z.number(),
        bids: z.boolean(),
        entries: z.array(z.object({ id: z.number(), name: z.string(), multiplier: z.number(), rules: explainedGroup })),
      }),
    ),
  }),
})

/** For auditors (running.md). */
export const campaignEvents = endpoint({
  id: 'audit.events',
  method: 'GET',
  path: '/v1/campaign/:id/events',
  access: 'log.verify',
  summary: 'Stored events of a campaign, byte for byte, with their hashes',
  params: idParams,
  query: z.object({ from: z.coerce.number().int().optional(), limit: z.coerce.number().int().min(1).max(1000).optional() }),
  output: z.array(
    z.object({
      position,
      version: z.number(),
      event_id: z.string(),
      type: z.string(),
      schema_version: z.number(),
      data: z.string(),
      metadata: z.string(),
      hash: z.string(),
      previous_hash: z.string(),
    }),
  ),
})

export const campaignAt = endpoint({
  id: 'audit.at',
  method: 'GET',
  path: '/v1/campaign/:id/at',
  access: 'log.read',
  summary: 'State of a campaign at a revision or an instant',
  params: idParams,
  query: z.object({ revision: z.coerce.number().int().optional(), time: z.string().optional() }),
  output: z.object({
    revision: z.number(),
    at: z.string(),
    state: z.record(z.string(), z.unknown()),
    status_key: z.number(),
    status_reasons: z.array(statusReason),
  }),
})

export const campaignDiff = endpoint({
  id: 'audit.diff',
  method: 'GET',
  path: '/v1/campaign/:id/diff',
  access: 'log.read',
  summary: 'Content changes between two revisions',
  params: idParams,
  query: z.object({ from: z.coerce.number().int(), to: z.coerce.number().int() }),
  output: z.object({ from: z.number(), to: z.number(), changes: z.array(change) }),
})

export const campaignBlame = endpoint({
  id: 'audit.blame',
  method: 'GET',
  path: '/v1/campaign/:id/blame',
  access: 'log.read',
  summary: 'Per field: its value, since when, by whom, in which command',
  params: idParams,
  output: z.array(
    z.object({
      path: z.string(),
      value: z.unknown(),
      since: z.string(),
      revision: z.number(),
      actor: z.string(),
      command_id: z.string(),
    }),
  ),
})

export const restoreCampaign = endpoint({
  id: 'campaign.restore',
  method: 'POST',
  path: '/v1/campaign/:id/restore',
  access: 'campaign.write',
  summary: 'Save the content of an older revision as a new one',
  params: idParams,
  query: dryRunQuery,
  body: 'json',
  input: z.object({ revision: z.number().int().positive() }),
  output: z.union([outcome.extend({ kept: z.array(z.string()) }), dryRun]),
  command: true,
})

export const undoRevision = endpoint({
  id: 'campaign.undo',
  method: 'POST',
  path: '/v1/campaign/:id/undo',
  access: 'campaign.write',
  summary: 'Take one revision out again, keeping what came after it',
  params: idParams,
  query: dryRunQuery,
  body: 'json',
  input: z.object({ revision: z.number().int().positive() }),
  output: z.union([outcome.extend({ kept: z.array(z.string()) }), dryRun]),
  command: true,
})

export const verifyCampaign = endpoint({
  id: 'audit.verify',
  method: 'GET',
  path: '/v1/campaign/:id/verify',
  access: 'log.verify',
  summary: 'Hash chain, and replay against the read models',
  params: idParams,
  output: z.object({ valid: z.boolean(), events: z.number(), head_hash: z.string(), faults: z.array(z.string()) }),
})

export const exchangeDecisions = endpoint({
  id: 'exchange.decisions',
  method: 'POST',
  path: '/v1/exchange/:exchange/decisions',
  access: 'service',
  alsoFor: 'exchange.decide',
  summary: 'Verdicts of an exchange on creatives; one result per decision',
  params: z.object({ exchange: z.string() }),
  body: 'json',
  input: z.object({
    decisions: z
      .array(
        z.object({
          campaign_id: z.string(),
          creative_id: z.string().nullish(),
          content_version: z.number().int().nullish(),
          dealsPolicyCompliance: z.object({
            status: z.enum(['approved', 'disapproved', 'pending']),
            topics: z.array(z.unknown()).nullish(),
          }),
          networkPolicyCompliance: z.object({
            status: z.enum(['approved', 'disapproved', 'pending']),
            topics: z.array(z.unknown()).nullish(),
          }),
          platformPolicyCompliance: z.object({
            status: z.enum(['approved', 'disapproved', 'pending']),
            topics: z.array(z.unknown()).nullish(),
          }),
        }),
      )
      .max(5000),
  }),
  output: z.object({
    results: z.array(
      z.object({ campaign_id: z.string(), creative_id: z.string().nullable(), code: z.number(), message: z.string() }),
    ),
    position,
  }),
  command: true,
})

export const countries = endpoint({
  id: 'geo.countries',
  method: 'GET',
  path: '/v1/geo/country',
  access: 'public',
  summary: 'Countries with the offset campaigns take from them',
  query: z.object({ language: z.enum(['en', 'ru']).optional() }),
  output: z.array(z.object({ iso_code: z.string(), name: z.string(), timezone_offset_seconds: z.number() })),
})

export const CAMPAIGN_ENDPOINTS = [
  createCampaign,
  updateCampaign,
  publishCampaign,
  runCampaign,
  pauseCampaign,
  toggleArchive,
  getCampaign,
  listCampaigns,
  adminListCampaigns,
  campaignTotal,
  maxMargin,
  countCampaigns,
  revisionSnapshot,
  revisionCount,
  approveCampaign,
  rejectCampaign,
  moderationQueue,
  campaignEvents,
  campaignAt,
  campaignDiff,
  campaignBlame,
  restoreCampaign,
  undoRevision,
  verifyCampaign,
  explainBidding,
  exchangeDecisions,
  countries,
]
