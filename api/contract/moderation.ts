import { dryRun, dryRunQuery, idParams, outcome } from './campaign-answers.ts'
import { campaignContent, campaignInput } from './campaign-body.ts'
import { cannedReason, checklistLine } from './review-guidelines.ts'
import { LANGUAGE_CODES } from '#domain/kit/languages'
import { endpoint, named, page, position } from './http.ts'
import { queuedRegistrant } from './registration.ts'
import { statusKey, goal, objective } from './sets.ts'
import { z } from './zod.ts'

/** Verdicts of moderators and of exchanges. */

const momentInput = z.union([z.string(), z.number()])
const take_over = z
  .nullish(z.boolean())
  .check(z.describe('Decide also while another moderator holds the submission, which is refused with 143 otherwise'))

export const approveCampaign = endpoint({
  id: 'moderation.approve',
  reads: [],
  method: 'POST',
  path: '/v1/whitelabel/admin/campaign/approve',
  access: 'campaign.moderate',
  summary: 'Approve the pending submission; no exchange means all',
  query: dryRunQuery,
  body: 'json',
  input: z.object({
    campaign_id: z.string(),
    category_keys: z.nullish(z.array(z.string())),
    exchange_id: z.nullish(z.array(z.string())),
    moderation_start_at: z.nullish(momentInput),
    take_over,
  }),
  output: z.union([outcome, dryRun]),
  command: true,
})

export const rejectCampaign = endpoint({
  id: 'moderation.reject',
  stops: true,
  reads: [],
  method: 'POST',
  path: '/v1/whitelabel/admin/campaign/reject',
  access: 'campaign.moderate',
  summary: 'Reject the pending submission with a reason',
  query: dryRunQuery,
  body: 'json',
  input: z.object({
    campaign_id: z.string(),
    comment: z.nullish(z.string().check(z.maxLength(5000))),
    moderation_start_at: z.nullish(momentInput),
    take_over,
  }),
  output: z.union([outcome, dryRun]),
  command: true,
})

/** Which of the waiting submissions: of the caller, those that no other moderator has, or all. */
export const QUEUE_FILTERS = ['all', 'mine', 'free'] as const

const queueInput = z.object({
  page: z.nullish(z.int()),
  page_size: z.nullish(z.int()),
  space_id: z.nullish(z.string()).check(z.describe('Only the submissions of this account')),
  filter: z
    .nullish(z.enum(QUEUE_FILTERS))
    .check(z.describe('mine: held by the caller or assigned to them; free: neither held by nor assigned to another moderator')),
})
export type QueueInput = z.output<typeof queueInput>

const moderator = z.object({ id: z.string(), name: z.string() })
const holder = named(
  'ReviewHolder',
  z.object({
    id: z.string(),
    name: z.string(),
    since: z.string(),
    until: z.string().check(z.describe('When the hold ends without activity')),
  }),
)
export type ReviewHolder = z.output<typeof holder>

const queuedSubmission = named(
  'Submission',
  z.object({
    campaign_id: z.string(),
    campaign_name: z.string(),
    space_id: z.string(),
    space_name: z.string(),
    currency: z.string(),
    submission: z.number(),
    moderation_start_at: z.string(),
    due_at: z.string().check(z.describe('One working day after moderation_start_at, Monday to Friday in UTC')),
    status_key: statusKey,
    re_review: z.boolean().check(z.describe('Something of this campaign was approved before')),
    first_review: z.boolean().check(z.describe('Nothing of this account was ever approved')),
    account_waiting: z.number().check(z.describe('Submissions of this account that wait, this one among them')),
    goal: z.nullable(goal),
    type: z.nullable(objective),
    creatives: z.number(),
    holder: z.nullable(holder).check(z.describe('The moderator who reviews it now')),
    assignee: z.nullable(moderator),
  }),
)
export type QueuedSubmission = z.output<typeof queuedSubmission>

export const moderationQueue = endpoint({
  id: 'moderation.queue',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/queue',
  access: 'campaign.moderate',
  summary: 'Pending submissions and registrants in reach, each in the order they are due, zero-based pages',
  reads: ['moderation-queue', 'campaign-list', 'accounts', 'registrations'],
  body: 'json',
  input: queueInput,
  output: z.extend(page(queuedSubmission), {
    registrants: z.object({ total_size: z.number(), data: z.array(queuedRegistrant) }),
  }),
})

export const reviewGuidelines = endpoint({
  id: 'moderation.guidelines',
  method: 'GET',
  path: '/v1/whitelabel/admin/moderation/guidelines/:id',
  access: 'campaign.moderate',
  summary:
    'Canned reasons and the checklist of the white-label of a campaign, and the language of its advertiser; no reasons for those of the product',
  params: idParams,
  reads: [],
  output: z.object({
    language: z.enum(LANGUAGE_CODES),
    reasons: z.array(cannedReason).check(z.describe('The active ones')),
    checklist: z.array(checklistLine),
  }),
})
export type ReviewGuidelines = z.output<typeof reviewGuidelines.output>

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const statisticsQuery = z.object({ from: day, to: day })
const sums = z.object({
  approved: z.number(),
  rejected: z.number(),
  median_minutes: z.nullable(z.number()).check(z.describe('From the submission to the decision')),
  p90_minutes: z.nullable(z.number()),
  in_time: z.nullable(z.number()).check(z.describe('Share of decisions within the due time, 0 to 1')),
  approved_unchanged: z
    .number()
    .check(z.describe('Rejections after which the campaign was approved without a change that moderators review')),
  second_looks: z.number().check(z.describe('Approvals that a second moderator checked in the range (fine print 104)')),
  second_looks_agreed: z.number().check(z.describe('Those that the second moderator agreed with')),
})

export const reviewStatistics = endpoint({
  id: 'moderation.statistics',
  method: 'GET',
  path: '/v1/whitelabel/admin/moderation/statistics',
  access: 'review.statistics',
  summary:
    'Decisions of the white-label of the caller on UTC days, both included and at most 366: of all, by moderator (at most 100) and by day, and the queue at the end of each day',
  query: statisticsQuery,
  reads: ['audit-log'],
  output: named(
    'ReviewStatistics',
    z.object({
      total: sums,
      moderators: z.array(z.extend(sums, { id: z.string(), name: z.string() })),
      days: z.array(z.object({ day: z.string(), moderator_id: z.string(), approved: z.number(), rejected: z.number() })),
      queue: z.array(z.object({ day: z.string(), waiting: z.number(), oldest_minutes: z.nullable(z.number()) })),
    }),
  ),
  heavy: true,
})
export type ReviewStatistics = z.output<typeof reviewStatistics.output>

export const reviewStatisticsCsv = endpoint({
  id: 'moderation.statisticsCsv',
  method: 'GET',
  path: '/v1/whitelabel/admin/moderation/statistics/csv',
  access: 'review.statistics',
  summary: 'The same sums by moderator, as CSV',
  query: statisticsQuery,
  reads: ['audit-log'],
  output: z.unknown(),
  raw: true,
  download: true,
  heavy: true,
})

export const holdSubmission = endpoint({
  id: 'moderation.hold',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/hold',
  access: 'campaign.moderate',
  summary:
    'Take the pending submission for ten minutes, or renew the hold; while another moderator holds it only with take_over. Answers who holds it',
  reads: ['moderation-queue'],
  body: 'json',
  input: z.object({ campaign_id: z.string(), take_over: z.nullish(z.boolean()) }),
  output: z.object({ holder: z.nullable(holder), position }),
  write: true,
})

export const releaseSubmission = endpoint({
  id: 'moderation.release',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/release',
  access: 'campaign.moderate',
  summary: 'End the own hold of the pending submission',
  reads: [],
  body: 'json',
  input: z.object({ campaign_id: z.string() }),
  output: z.object({ position }),
  write: true,
})

export const assignSubmission = endpoint({
  id: 'moderation.assign',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/assign',
  access: 'review.assign',
  summary: 'Assign the pending submission to a moderator of its white-label; null for none',
  reads: ['moderation-queue'],
  body: 'json',
  input: z.object({ campaign_id: z.string(), moderator_id: z.nullable(z.string()) }),
  output: z.object({ position }),
  write: true,
})

export const listModerators = endpoint({
  id: 'moderation.moderators',
  method: 'GET',
  path: '/v1/whitelabel/admin/moderation/moderators',
  access: 'review.assign',
  summary: 'Active staff of the white-label who may moderate, by name; at most 500',
  reads: [],
  output: z.object({ people: z.array(moderator) }),
})

const policyTopic = z.string().check(z.maxLength(300))
const compliance = z.object({
  status: z.enum(['approved', 'disapproved', 'pending', 'pending_review']),
  topics: z.nullish(z.array(z.union([policyTopic, z.object({ policyTopic })])).check(z.maxLength(100))),
})

export const exchangeCreatives = endpoint({
  id: 'exchange.creatives',
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/exchange/:exchange/creatives',
  access: 'service',
  alsoFor: 'exchange.decide',
  serves: 'exchange',
  summary:
    'Creatives that wait for a verdict of this exchange, in pages; `next` is the `after` of the next page, and null at the end',
  params: z.object({ exchange: z.string() }),
  query: z.object({ after: z.optional(z.string().check(z.maxLength(100))) }),
  output: z.object({
    creatives: z.array(z.object({ campaign_id: z.string(), creative_id: z.string() })),
    next: z.nullable(z.string()),
  }),
})

export const exchangeDecisions = endpoint({
  id: 'exchange.decisions',
  reads: [],
  method: 'POST',
  path: '/v1/exchange/:exchange/decisions',
  access: 'service',
  alsoFor: 'exchange.decide',
  serves: 'exchange',
  summary: 'Verdicts of an exchange on creatives; one result per decision',
  params: z.object({ exchange: z.string() }),
  body: 'json',
  input: z.object({
    decisions: z
      .array(
        z.object({
          campaign_id: z.string(),
          creative_id: z.nullish(z.string()),
          content_version: z.nullish(z.int()),
          dealsPolicyCompliance: compliance,
          networkPolicyCompliance: compliance,
          platformPolicyCompliance: compliance,
        }),
      )
      .check(z.maxLength(5000)),
  }),
  output: z.object({
    results: z.array(
      z.object({ campaign_id: z.string(), creative_id: z.nullable(z.string()), code: z.number(), message: z.string() }),
    ),
    position,
  }),
  command: true,
})

/** The Administration tab (decisions G-053). */
const OWNED = {
  account_manager_id: true,
  campaign_category_keys: true,
  exchange_id: true,
  impression_url: true,
  deal_link: true,
  cpx: true,
  t: true,
  margin: true,
  fixed_cpm: true,
  test_devices: true,
  telco_model: true,
  no_telco_model: true,
  dummy_models: true,
  slots: true,
  slots_include_unknown: true,
  placard_verified: true,
  disregard_targeting: true,
  traffic_targeting: true,
  custom_html: true,
  bid_multipliers: true,
} as const

export const adminDetailsInput = z.extend(z.pick(campaignInput, { ...OWNED, revision: true }), {
  comment: z
    .nullish(z.string().check(z.maxLength(5000)))
    .check(z.describe('A note for the staff of the white-label; advertisers never see it')),
})
export type AdminDetailsInput = z.output<typeof adminDetailsInput>

export const adminDetails = endpoint({
  id: 'admin.details',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/admin/:id',
  access: 'owner-fields.read',
  summary: 'Owner fields of a campaign, the last rejection, and what staff wrote about it, newest first',
  params: idParams,
  output: z.extend(z.pick(campaignContent, { ...OWNED, placard_tag_date: true }), {
    id: z.string(),
    revision: z.number(),
    moderator_comment: z.nullable(z.string()),
    comments: z.array(
      z.object({ kind: z.enum(['comment', 'rejection']), text: z.string(), author: z.string(), date: z.string() }),
    ),
  }),
})

export const saveAdminDetails = endpoint({
  id: 'admin.save',
  reads: [],
  method: 'POST',
  path: '/v1/campaign/admin/:id',
  access: 'owner-fields.write',
  summary: 'Save any of the owner fields, and a comment for staff; other fields are ignored',
  params: idParams,
  query: dryRunQuery,
  body: 'json',
  input: adminDetailsInput,
  output: z.union([outcome, dryRun]),
  command: true,
})

export const MODERATION_ENDPOINTS = [
  approveCampaign,
  rejectCampaign,
  moderationQueue,
  holdSubmission,
  releaseSubmission,
  assignSubmission,
  listModerators,
  reviewGuidelines,
  reviewStatistics,
  reviewStatisticsCsv,
  exchangeCreatives,
  exchangeDecisions,
  adminDetails,
  saveAdminDetails,
]
