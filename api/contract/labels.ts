import { LABEL_COLORS, LONGEST_LABEL, MOST_LABELLED, MOST_LABELS, MOST_LABELS_OF_CAMPAIGN } from '#domain/campaign/labels'
import { idParams } from './campaign-answers.ts'
import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** Labels of campaigns (fine print 107). */

const color = z.enum(LABEL_COLORS)
const name = shownName(LONGEST_LABEL)
const id = z.string().check(z.maxLength(64))

export const label = named('Label', z.object({ id: z.string(), name: z.string(), color }))
export type Label = z.infer<typeof label>

const accountLabel = named(
  'AccountLabel',
  z.object({
    id: z.string(),
    name: z.string(),
    color,
    /** Campaigns that have it. */
    campaigns: z.int(),
  }),
)
export type AccountLabel = z.infer<typeof accountLabel>

const campaignLabel = named(
  'CampaignLabel',
  z.object({
    id: z.string(),
    name: z.string(),
    color,
    /** Name of the user who labelled the campaign; null after an erasure. */
    by: z.nullable(z.string()),
    labelled_at: z.string(),
  }),
)

const ofLabels = { reads: ['accounts'] } as const

export const listLabels = endpoint({
  ...ofLabels,
  id: 'label.list',
  method: 'GET',
  path: '/v1/labels',
  access: 'campaign.read',
  summary: 'Labels of an account by name, without space_id of the one that the session acts in; 1420 for one out of reach',
  query: z.object({ space_id: z.optional(z.string()) }),
  output: z.object({
    labels: z.array(accountLabel),
    /** Whether the caller may change labels of this account. */
    may_write: z.boolean(),
  }),
})

export const addLabel = endpoint({
  ...ofLabels,
  id: 'label.add',
  method: 'POST',
  path: '/v1/labels',
  access: 'campaign.write',
  summary: `Create a label of an account: at most ${MOST_LABELS}, each name once in any case`,
  body: 'json',
  input: z.object({ space_id: z.nullish(z.string()), name, color }),
  output: z.object({ id: z.string(), name: z.string(), color, position }),
  write: true,
})

export const changeLabel = endpoint({
  ...ofLabels,
  id: 'label.change',
  method: 'PUT',
  path: '/v1/labels/:id',
  access: 'campaign.write',
  summary: 'Rename or recolour a label; what is missing stays. 131 for an unknown one',
  params: idParams,
  body: 'json',
  input: z.object({ name: z.nullish(name), color: z.nullish(color) }),
  output: z.object({ id: z.string(), name: z.string(), color, position }),
  write: true,
})

export const removeLabel = endpoint({
  ...ofLabels,
  id: 'label.remove',
  method: 'DELETE',
  path: '/v1/labels/:id',
  access: 'campaign.write',
  summary: 'Delete a label, also from its campaigns, whose number is answered; 131 for an unknown one',
  params: idParams,
  output: z.object({ id: z.string(), campaigns: z.int(), position }),
  write: true,
})

const labelIds = z.array(id).check(z.maxLength(MOST_LABELS))

export const labelCampaigns = endpoint({
  ...ofLabels,
  id: 'label.apply',
  method: 'POST',
  path: '/v1/labels/campaigns',
  access: 'campaign.write',
  summary: `Add labels to campaigns and remove labels from them: at most ${MOST_LABELLED} campaigns, ${MOST_LABELS_OF_CAMPAIGN} labels each`,
  body: 'json',
  input: z.object({
    changes: z
      .array(z.object({ campaign_id: id, add: z.optional(labelIds), remove: z.optional(labelIds) }))
      .check(z.minLength(1), z.maxLength(MOST_LABELLED)),
  }),
  output: z.object({
    /** One for each change, in the order of the call. */
    results: z.array(
      z.object({
        campaign_id: z.string(),
        /** 0, or why this campaign keeps its labels: 130, 3, 131 for an unknown label, 2 for more labels than a campaign may have. */
        code: z.number(),
        message: z.string(),
        /** Ids of labels that it did not have before. */
        added: z.array(z.string()),
        /** Ids of labels that it had before. */
        removed: z.array(z.string()),
      }),
    ),
    position,
  }),
  write: true,
})

export const labelsOfCampaign = endpoint({
  ...ofLabels,
  id: 'label.ofCampaign',
  method: 'GET',
  path: '/v1/labels/campaigns/:id',
  access: 'campaign.read',
  summary: 'Labels of a campaign by name: who added each, and when',
  params: idParams,
  output: z.array(campaignLabel),
})

export const LABEL_ENDPOINTS = [listLabels, addLabel, changeLabel, removeLabel, labelCampaigns, labelsOfCampaign]
