import { useQueries } from '@tanstack/react-query'
import type { Campaign } from '#contract/campaign-body'
import { campaignQueries } from '@/data/campaign-queries'
import { referenceQueries } from '@/data/reference-queries'

/** The content of campaigns, which lists do not show; missing until it is loaded. */
export function useContents(ids: readonly string[]): ReadonlyMap<string, Campaign> {
  const campaigns = useQueries({ queries: ids.map((id) => campaignQueries.detail(id)) })
  return new Map(campaigns.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data] as const])))
}

export type City = { readonly id: string; readonly name: string; readonly population: number }

/** Cities of countries, by country; missing until they are loaded. */
export function useCities(countries: readonly string[]): ReadonlyMap<string, readonly City[]> {
  const found = useQueries({ queries: countries.map((country) => referenceQueries.cities(country)) })
  return new Map(found.flatMap(({ data }, n) => (data === undefined ? [] : [[countries[n] ?? '', data] as const])))
}
