import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { placementReport } from '#contract/estimates'
import { call } from '@/data/client'

/** Places in one request (campaigns.md §7). */
const PAGE_SIZE = 150

export const PLACE_FILTERS = ['category', 'environment', 'creative_position', 'creative_type', 'creative_size'] as const
export type PlaceFilter = (typeof PLACE_FILTERS)[number]
/** Empty texts mean all. */
export type PlaceFilters = Readonly<Record<PlaceFilter, string>>

/** The placements report: places by impressions, page after page. An empty country means everywhere. */
export const placesQuery = (name: string, country: string, filters: PlaceFilters) =>
  infiniteQueryOptions({
    queryKey: ['placements', name, country, filters],
    queryFn: ({ signal, pageParam: page }) =>
      call(placementReport, {
        body: {
          page,
          page_size: PAGE_SIZE,
          name,
          country: country === '' ? null : country,
          filters: Object.fromEntries(PLACE_FILTERS.map((key) => [key, filters[key] === '' ? null : filters[key]])),
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ current_page: page, total_size: total }) => ((page + 1) * PAGE_SIZE < total ? page + 1 : null),
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
  })
