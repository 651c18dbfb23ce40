import { codesOf, DEVICE_TYPES } from '#domain/campaign/content/options'
import { among, endpoint, named, page } from './http.ts'
import { z } from './zod.ts'

/** Estimates: deterministic, and a narrower question never returns a larger number. See docs/estimates.md. */

export const audioSpots = endpoint({
  id: 'estimate.spots',
  reads: [],
  method: 'GET',
  path: '/v1/rewarded/ad/spot/calculator',
  access: 'signed-in',
  summary:
    'Audio spots that a daily budget buys, in the currency of the campaign’s account; without a campaign of the chosen one',
  query: z.object({
    campaign_id: z.optional(z.string()),
    cpm_multiplier: z.coerce.number(),
    daily_budget: z.coerce.number(),
  }),
  output: z.object({ spot: z.number() }),
})

const keys = z.nullish(
  z.array(z.pipe(z.union([z.string().check(z.maxLength(300)), z.number()]), z.transform(String))).check(z.maxLength(1000)),
)
const selection = z.nullish(z.object({ includeAny: keys, include: keys, exclude: keys }))

export const audience = named(
  'AudienceInput',
  z.object({
    apps: selection,
    interests: selection,
    segment_audiences: selection,
    /** Price of a thousand impressions; it affects impressions, not people. */
    cpm: z.nullish(z.number().check(z.gte(0), z.lte(1_000_000))),
    /** 1 all, 2 male, 3 female. */
    gender: z.nullish(z.int().check(z.gte(1), z.lte(3))),
    fromAge: z.nullish(z.int().check(z.gte(18), z.lte(65))),
    toAge: z.nullish(z.int().check(z.gte(18), z.lte(65))),
    /** 0 exact to 3 widest. */
    similarity: z.nullish(z.int().check(z.gte(0), z.lte(3))),
    /** ISO 3166-1 alpha-2; by default the campaign's country, and without one the whole world. */
    country: z.nullish(z.string().check(z.maxLength(2))),
    campaign_id: z.nullish(z.union([z.string(), z.number()])),
    city_ids: keys,
    regions: keys,
    target_languages: keys,
    connection_types: keys,
    customer_attributes: keys,
  }),
)
export type AudienceInput = z.output<typeof audience>

/** `web` and `site` are the same; the others are every environment. */
const environment = z.nullish(z.enum(['all', 'app', 'web', 'site', '']))

export const placementInput = z.object({
  country: z.nullish(z.string().check(z.maxLength(2))),
  device_type_key: z.nullish(among(z.int(), codesOf(DEVICE_TYPES))),
  environment,
  min_os_version: z.nullish(z.string().check(z.maxLength(100))),
  excluded_apps: keys,
  included_apps: keys,
  excluded_all_games: z.nullish(z.boolean()),
  exclude_non_gambling_publishers: z.nullish(z.boolean()),
  included_app_category_ids: keys,
  excluded_app_category_ids: keys,
  excluded_game_category_ids: keys,
  languages: keys,
})
export type PlacementInput = z.output<typeof placementInput>

const estimate = named(
  'Estimate',
  z.object({
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
    /** Date of the underlying figures, YYYY-MM-DD. */
    as_of: z.string(),
  }),
)

export const audienceSize = endpoint({
  id: 'estimate.audience',
  reads: [],
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
  reads: [],
  method: 'POST',
  path: '/v1/audience/placements-gauge',
  access: 'signed-in',
  summary: 'People a placement reaches, and the impressions they are good for in a day',
  body: 'json',
  input: placementInput,
  output: estimate,
})

const wanted = z.nullish(z.union([z.string().check(z.maxLength(100)), z.number()]))

export const placesInput = z.object({
  page: z.nullish(z.int()),
  page_size: z.nullish(z.int()),
  /** A part of the name. */
  name: z.nullish(z.string().check(z.maxLength(300))),
  country: z.nullish(z.string().check(z.maxLength(2))),
  /** Also among the filters; both count. */
  environment,
  filters: z.nullish(
    z.object({ category: wanted, environment, creative_position: wanted, creative_type: wanted, creative_size: wanted }),
  ),
  /** By impressions (decisions G-235). */
  order: z.nullish(z.enum(['high_to_low', 'low_to_high'])),
})
export type PlacesInput = z.output<typeof placesInput>

export const placementReport = endpoint({
  id: 'report.placements',
  reads: [],
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

export const placementSizes = endpoint({
  id: 'report.placementSizes',
  reads: [],
  method: 'GET',
  path: '/v1/reports/placement/sizes',
  access: 'campaign.read',
  summary:
    'The part of the banner impressions of a country that each banner size gets, as an estimate; without a country of the world',
  query: z.object({ country: z.optional(z.string().check(z.maxLength(2))) }),
  output: z.object({
    /** The largest share first; shares are from 0 to 1. */
    sizes: z.array(z.object({ width: z.int(), height: z.int(), share: z.number() })),
  }),
})

export const ESTIMATE_ENDPOINTS = [audioSpots, audienceSize, placementsGauge, placementReport, placementSizes]
