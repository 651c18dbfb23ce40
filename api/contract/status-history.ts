import { idParams } from './campaign-answers.ts'
import { endpoint, named, page } from './http.ts'
import { statusKey } from './sets.ts'
import { z } from './zod.ts'

const statusChange = named(
  'StatusChange',
  z.object({
    /** The entry of the change log after which it held. */
    revision: z.number(),
    at: z.string(),
    status_key: statusKey,
    previous_status_key: z.nullable(statusKey),
    /** Keys of all reasons since then, the deciding one first. */
    reasons: z.array(z.string()),
    /** Keys of the reasons that ended. */
    ended: z.array(z.string()),
    /** Type of the event that caused it. */
    cause: z.string(),
    actor: z.string(),
  }),
)
export type StatusChangeRow = z.output<typeof statusChange>

export const campaignStatusHistory = endpoint({
  id: 'campaign.statusHistory',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/:id/status-history',
  access: 'campaign.read',
  summary: 'Past statuses of a campaign and their reasons, newest first, from its log; pages are zero-based',
  params: idParams,
  query: z.object({
    page: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000)), 0),
    page_size: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  }),
  output: page(statusChange),
})

export const STATUS_HISTORY_ENDPOINTS = [campaignStatusHistory]
