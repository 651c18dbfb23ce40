import { endpoint, named, position } from './http.ts'
import { z } from './zod.ts'

/** The first steps of an account, until its first campaign is delivered. */
export const readGuide = endpoint({
  id: 'guide.get',
  method: 'GET',
  path: '/v1/guide',
  access: 'campaign.write',
  summary: "The first steps of the caller's account, and which of them are done",
  output: named(
    'Guide',
    z.object({
      /** Whether the caller has closed the guide. */
      closed: z.boolean(),
      /** Whether the account has, or had, funds to spend. */
      funded: z.boolean(),
      created: z.boolean(),
      /** Whether a campaign was ever published. */
      published: z.boolean(),
      /** Whether a campaign was ever delivered. */
      delivered: z.boolean(),
      /** The newest campaign that was not published yet. */
      draft_id: z.nullable(z.string()),
    }),
  ),
  reads: ['accounts', 'campaign-list'],
})

export const closeGuide = endpoint({
  id: 'guide.close',
  method: 'POST',
  path: '/v1/guide/close',
  access: 'campaign.write',
  summary: 'Close the guide for the caller, for good',
  output: z.object({ position }),
  reads: [],
  write: true,
})

export const GUIDE_ENDPOINTS = [readGuide, closeGuide]
