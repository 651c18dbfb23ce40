import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { audienceSize, audioSpots, placementSizes } from '#contract/estimates'
import { appCategories, appPromotion, audienceResources, cities, dictionary } from '#contract/reference'
import { call, type Input } from './client.ts'
import { wireLocaleOf, type Language } from '#domain/kit/languages'

/** For data that changes only with product releases: one successful read lasts for the visit, whatever unmounts. */
export const LASTING = { staleTime: Infinity, gcTime: Infinity } as const

/** Reference data that campaigns use. */
export const referenceQueries = {
  cities: (country: string) =>
    queryOptions({
      queryKey: ['geo', 'cities', country],
      queryFn: ({ signal }) => call(cities, { query: { country }, signal }),
      enabled: country !== '',
      ...LASTING,
    }),
  dictionary: (name: 'interests' | 'languages', language: Language) =>
    queryOptions({
      queryKey: ['dictionary', name, language],
      queryFn: ({ signal }) => call(dictionary, { params: { name, locale: wireLocaleOf(language) }, signal }),
      ...LASTING,
    }),
  appCategories: (type: 'app' | 'game', language: Language) =>
    queryOptions({
      queryKey: ['apps', 'categories', type, language],
      queryFn: ({ signal }) => call(appCategories, { query: { type, language }, signal }),
      ...LASTING,
    }),
  apps: (name: string, country: string) =>
    queryOptions({
      queryKey: ['apps', 'search', name, country],
      queryFn: ({ signal }) => call(audienceResources, { query: { name, ...(country === '' ? {} : { country }) }, signal }),
      staleTime: 5 * 60_000,
    }),
  /** Catalogue data of one app; refused with 1311 when the catalogue does not know it. */
  app: (app_platform_type: 'ios' | 'android', bundle_id: string) =>
    queryOptions({
      queryKey: ['apps', 'one', app_platform_type, bundle_id],
      queryFn: ({ signal }) => call(appPromotion, { body: { app_platform_type, bundle_id }, signal }),
      staleTime: 5 * 60_000,
      retry: false,
    }),
  /** The signal cancels the previous call once no observer is left. `about` distinguishes states that the body omits. */
  audienceSize: (body: NonNullable<Input<typeof audienceSize>['body']>, about: string) =>
    queryOptions({
      queryKey: ['estimates', 'audience', body, about],
      queryFn: ({ signal }) => call(audienceSize, { body, signal }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
      retry: false,
    }),
  /** How much of a country's banner inventory each size gets; an empty country means everywhere. */
  bannerSizes: (country: string) =>
    queryOptions({
      ...LASTING,
      queryKey: ['estimates', 'sizes', country],
      queryFn: ({ signal }) => call(placementSizes, { query: country === '' ? {} : { country }, signal }),
      retry: false,
    }),
  /** Without a campaign, spots are priced in the currency of the current account. `rate` is that of the account. */
  audioSpots: (campaignId: string | null, rate: number, budget: number) =>
    queryOptions({
      queryKey: ['estimates', 'spots', campaignId, rate, budget],
      queryFn: ({ signal }) => {
        const asked = { cpm_multiplier: rate, daily_budget: budget }
        return call(audioSpots, { query: { ...(campaignId === null ? {} : { campaign_id: campaignId }), ...asked }, signal })
      },
      placeholderData: keepPreviousData,
      staleTime: 60_000,
      retry: false,
    }),
}
