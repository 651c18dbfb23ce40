import { LANGUAGE_CODES } from '#domain/kit/languages'
import { among, endpoint, position } from './http.ts'
import { wireLocale } from './sets.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** Reference data of campaigns: places, dictionaries, apps. Every answer has an ETag. */

const language = z.optional(z.enum(LANGUAGE_CODES))

export const countries = endpoint({
  id: 'geo.countries',
  reads: [],
  method: 'GET',
  path: '/v1/geo/country',
  access: 'public',
  summary: 'Countries with the offset campaigns take from them',
  query: z.object({ language }),
  output: z.array(z.object({ iso_code: z.string(), name: z.string(), timezone_offset_seconds: z.number() })),
  cached: true,
})

export const cities = endpoint({
  id: 'geo.cities',
  reads: [],
  method: 'GET',
  path: '/v1/geo/city',
  access: 'signed-in',
  summary: 'Cities of a country with at least a thousand people, the largest first; 190 for an unknown country',
  query: z.object({ country: z.string().check(z.maxLength(100)) }),
  output: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      timezone: z.string(),
      timezone_offset_seconds: z.number(),
      population: z.number(),
      lat: z.number(),
      lon: z.number(),
    }),
  ),
  cached: true,
})

const DICTIONARIES = ['device_types', 'languages', 'interests', 'iab_categories'] as const

export const dictionary = endpoint({
  id: 'dictionary.get',
  reads: [],
  method: 'GET',
  path: '/v1/dictionary/meta/:name/:locale',
  access: 'signed-in',
  summary: 'A dictionary in one of the languages; 131 for another name',
  params: z.object({ name: among(z.string(), DICTIONARIES), locale: wireLocale }),
  output: z.array(
    z.object({
      key: z.string(),
      value: z.string(),
      title: z.string(),
      order: z.number(),
      deprecated: z.boolean(),
      parent: z.nullable(z.string()),
    }),
  ),
  cached: true,
})

export const appCategories = endpoint({
  id: 'app.categories',
  reads: [],
  method: 'GET',
  path: '/v1/campaign/app/categories',
  access: 'signed-in',
  summary: 'Categories of apps or of games',
  query: z.object({ type: z.optional(z.enum(['app', 'game'])), language }),
  output: z.array(z.object({ category_id: z.string(), category_name: z.string() })),
  cached: true,
})

export const appPromotion = endpoint({
  id: 'app.promotion',
  reads: [],
  method: 'POST',
  path: '/v1/campaign/app/promotion',
  access: 'campaign.read',
  summary: 'What the app catalogue knows of an app; 1311 when it does not know it',
  body: 'json',
  input: z.object({
    app_platform_type: z.enum(['ios', 'android']),
    bundle_id: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)),
  }),
  output: z.object({
    app_icon: z.nullable(z.string()),
    app_name: z.string(),
    body: z.nullable(z.string()),
    price: z.string(),
    /** Null when the catalogue has no rating. */
    star_rating: z.nullable(z.number()),
    call_to_action: z.string(),
    advertiser: z.string(),
    min_os_version: z.nullable(z.string()),
  }),
})

export const requestResource = endpoint({
  id: 'app.requestResource',
  reads: [],
  method: 'POST',
  path: '/v1/campaign/app/pending/resources',
  access: 'campaign.write',
  summary: 'Ask for an app or site that the catalogue does not know yet',
  body: 'json',
  input: z.object({ name: shownName(300, 2), campaign_id: z.string() }),
  output: z.object({ id: z.string(), name: z.string(), campaign_id: z.string(), requested_at: z.string(), position }),
  write: true,
})

export const audienceResources = endpoint({
  id: 'audience.resources',
  reads: [],
  method: 'GET',
  path: '/v1/audience/audience-resource',
  access: 'signed-in',
  summary: 'Apps of the catalogue whose name or bundle id holds a text, at most 50; people who use them as an estimate',
  query: z.object({
    name: z.optional(z.string().check(z.maxLength(300))),
    country: z.optional(z.string().check(z.maxLength(2))),
  }),
  output: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      icon: z.nullable(z.string()),
      users_min: z.number(),
      users_max: z.number(),
      type: z.string(),
      bundle_ids: z.array(z.string()),
    }),
  ),
})

export const REFERENCE_ENDPOINTS = [
  countries,
  cities,
  dictionary,
  appCategories,
  appPromotion,
  requestResource,
  audienceResources,
]
