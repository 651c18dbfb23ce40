import { dryRun, dryRunQuery, idParams, outcome } from './campaign-answers.ts'
import { campaign, campaignInput } from './campaign-body.ts'
import { asOfQuery, endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** Saving, switching and reading one campaign (campaigns.md §7, running.md "The wire"). */

/** Allowed but probably unintended; only for users who may read advanced bidding. */
const warning = z.object({
  kind: z.enum(['contradiction', 'unreachable']),
  entry: z.number(),
  path: z.string(),
  field: z.optional(z.string()),
  by: z.optional(z.number()),
})

const savedCampaign = named(
  'SavedCampaign',
  z.extend(campaign, {
    position,
    kept: z.optional(z.array(z.string())),
    dropped: z.optional(z.array(z.string())),
    warnings: z.optional(z.array(warning)),
  }),
)

const save = {
  access: 'campaign.write',
  query: dryRunQuery,
  body: 'json',
  input: campaignInput,
  command: true,
  reads: [],
} as const

const byId = { access: 'campaign.write', query: dryRunQuery, body: 'text', input: z.string(), command: true, reads: [] } as const

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
  stops: true,
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
  reads: ['campaign-list'],
  method: 'GET',
  path: '/v1/campaign/:id',
  access: 'campaign.read',
  summary: 'One campaign',
  params: idParams,
  query: asOfQuery,
  output: campaign,
})

export const maxMargin = endpoint({
  id: 'campaign.maxMargin',
  reads: ['accounts'],
  method: 'GET',
  path: '/v1/campaign/max-margin',
  access: 'max-margin.read',
  summary: 'Highest margin that campaigns of a user may have, percent',
  query: z.object({ 'user-id': z.string() }),
  output: z.number(),
})

export const CAMPAIGN_ENDPOINTS = [
  createCampaign,
  updateCampaign,
  publishCampaign,
  runCampaign,
  pauseCampaign,
  toggleArchive,
  getCampaign,
  maxMargin,
]
