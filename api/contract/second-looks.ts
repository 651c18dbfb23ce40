import { endpoint, named, page, position } from './http.ts'
import { z } from './zod.ts'

/** A sample of approvals that a second moderator checks (fine print 104). */

const openLook = named(
  'SecondLook',
  z.object({
    campaign_id: z.string(),
    campaign_name: z.string(),
    space_id: z.string(),
    space_name: z.string(),
    approval: z.number().check(z.describe('The revision of the approval')),
    approver: z.object({ id: z.string(), name: z.string() }),
    approved_at: z.string(),
    expires_at: z.string().check(z.describe('30 days after the approval')),
  }),
)
export type OpenSecondLook = z.output<typeof openLook>

export const listSecondLooks = endpoint({
  id: 'moderation.secondLooks',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/second-looks',
  access: 'campaign.moderate',
  summary: 'Approvals in reach that wait for a second look, oldest first, but for those of the caller; zero-based pages',
  reads: ['audit-log', 'campaign-list', 'accounts'],
  body: 'json',
  input: z.object({ page: z.nullish(z.int()), page_size: z.nullish(z.int()) }),
  output: page(openLook),
})

export const SECOND_LOOK_OUTCOMES = ['agreed', 'disagreed', 'noted'] as const

export const takeSecondLook = endpoint({
  id: 'moderation.takeSecondLook',
  method: 'POST',
  path: '/v1/whitelabel/admin/moderation/second-look',
  access: 'campaign.moderate',
  summary:
    'Agree with an approval of the sample, or disagree with a reason, which rejects the campaign; of a campaign that changed since, it is noted only',
  reads: [],
  body: 'json',
  input: z.object({
    campaign_id: z.string(),
    approval: z.int(),
    agrees: z.boolean(),
    comment: z.nullish(z.string().check(z.maxLength(5000))).check(z.describe('The reason, which the advertiser reads')),
  }),
  output: z.object({ outcome: z.enum(SECOND_LOOK_OUTCOMES), position }),
  command: true,
})

export const SECOND_LOOK_ENDPOINTS = [listSecondLooks, takeSecondLook]
