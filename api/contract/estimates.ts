import { endpoint, page } from './http.ts'
import { z } from './zod.ts'

/** Estimates: the same question always has the same answer, and a narrower one never a larger. See docs/estimates.md. */

export const audioSpots = endpoint({
  id: 'estimate.spots',
  method: 'GET',
  path: '/v1/rewarded/ad/spot/calculator',
  access: 'signed-in',
  summary:
    'Audio spots that a daily budget buys, in the currency of the campaign’s account; without a campaign of the chosen one',
  query: z.object({
    campaign_id: z.string().optional(),
    cpm_multiplier: z.coerce.number(),
    daily_budget: z.coerce.number(),
  }),
  output: z.object({ spot: z.number() }),
})

const keys = z
  .array(z.union([z.string().max(300), z.number()]).transform(String))
  .max(1000)
  .nullish()
const selection = z.object({ includeAny: keys, include: keys, exclude: keys }).nullish()

export const audience = z.object({
  apps: selection,
  interests: selection,
  segment_audiences: selection,
  /** Money for a thousand impressions; it moves impressions, not people. */
  cpm: z.number().min(0).max(1_000_000).nullish(),
  /** 1 all, 2 male, 3 female. */
  gender: z.number().int().min(1).max(3).nullish(),
  fromAge: z.number().int().min(18).max(65).nullish(),
  toAge: z.number().int().min(18).max(65).nullish(),
  /** 0 exact to 3 widest. */
  similarity: z.number().int().min(0).max(3).nullish(),
  /** ISO 3166-1 alpha-2; without it that of the campaign, and without both the whole world. */
  country: z.string().max(2).nullish(),
  campaign_id: z.union([z.string(), z.number()]).nullish(),
  city_ids: keys,
  regions: keys,
  target_languages: keys,
  connection_types: keys,
  customer_attributes: keys,
})
export type AudienceInput = z.output<typeof audience>

export const placementInput = z.object({
  country: z.string().max(2).nullish(),
  device_type_key: z.number().int().nullish(),
  environment: z.string().max(20).nullish(),
  min_os_version: z.string().max(100).nullish(),
  excluded_apps: keys,
  included_apps: keys,
  excluded_all_games: z.boolean().nullish(),
  exclude_non_gambling_publishers: z.boolean().nullish(),
  included_app_category_ids: keys,
  excluded_app_category_ids: keys,
  excluded_game_category_ids: keys,
  languages: keys,
})
export type PlacementInput = z.output<typeof placementInput>

const estimate = z.object({
  /** People. */
  total: z.number(),
  estimate: z.number(),
  estimate_low: z.number(),
  estimate_high: z.number(),
  /** Impressions a day. */
  total_impressions: z.number(),
  estimate_impressions: z.number(),
  status: z.enum(['ok', 'no_data']),
  method_version: z.string(),
  /** Day of the figures behind it, YYYY-MM-DD. */
  as_of: z.string(),
})

export const audienceSize = endpoint({
  id: 'estimate.audience',
  method: 'POST',
  path: '/v1/audience/audience-size',
  access: 'signed-in',
  summary: 'People a targeting reaches, and the impressions they are good for in a day',
  body: 'json',
  input: audience,
  output: estimate,
})

export const placementsGauge = endpoint({
  id: 'estimate.placements',
  method: 'POST',
  path: '/v1/audience/placements-gauge',
  access: 'signed-in',
  summary: 'People a placement reaches, and the impressions they are good for in a day',
  body: 'json',
  input: placementInput,
  output: estimate,
})

const wanted = z.union([z.string().max(100), z.number()]).nullish()

export const placesInput = z.object({
  page: z.number().int().nullish(),
  page_size: z.number().int().nullish(),
  /** A part of the name. */
  name: z.string().max(300).nullish(),
  country: z.string().max(2).nullish(),
  filters: z
    .object({ category: wanted, environment: wanted, creative_position: wanted, creative_type: wanted, creative_size: wanted })
    .nullish(),
  /** By impressions (decisions G-235). */
  order: z.enum(['high_to_low', 'low_to_high']).nullish(),
})
export type PlacesInput = z.output<typeof placesInput>

export const placementReport = endpoint({
  id: 'report.placements',
  method: 'POST',
  path: '/v1/reports/placement',
  access: 'campaign.read',
  summary:
    'Places where advertisements can be bought, with their people and impressions a day as estimates; zero-based pages, 150 each',
  body: 'json',
  input: placesInput,
  output: page(
    z.object({
      name: z.string(),
      bundle_id: z.string(),
      category: z.string(),
      site_or_app: z.enum(['site', 'app']),
      exchange_id: z.string(),
      os: z.string(),
      interstitial: z.boolean(),
      user_count: z.number(),
      impression_count: z.number(),
      creative_position: z.number(),
      creative_type: z.string(),
      creative_size: z.string(),
    }),
  ),
})

export const ESTIMATE_ENDPOINTS = [audioSpots, audienceSize, placementsGauge, placementReport]
