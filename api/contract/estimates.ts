import { endpoint } from './http.ts'
import { z } from './zod.ts'

export const audioSpots = endpoint({
  id: 'estimate.spots',
  method: 'GET',
  path: '/v1/rewarded/ad/spot/calculator',
  access: 'campaign.read',
  summary:
    'Audio spots that a daily budget buys, in the currency of the campaign’s account; without a campaign of the chosen one',
  query: z.object({
    campaign_id: z.string().optional(),
    cpm_multiplier: z.coerce.number(),
    daily_budget: z.coerce.number(),
  }),
  output: z.object({ spot: z.number() }),
})

export const ESTIMATE_ENDPOINTS = [audioSpots]
