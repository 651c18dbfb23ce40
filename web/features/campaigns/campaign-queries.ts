import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { revisionCount, revisionSnapshot } from '../../../api/contract/audit.ts'
import { adminListCampaigns, listCampaigns, type ListInput } from '../../../api/contract/campaign-list.ts'
import { getCampaign } from '../../../api/contract/campaign.ts'
import { campaignTotal } from '../../../api/contract/reports.ts'
import { countries } from '../../../api/contract/reference.ts'
import { call } from '../../api/client.ts'
import { LASTING } from '../../domain/reference-queries.ts'
import { spaceId } from '../../api/token-store.ts'
import type { Language } from '../../i18n/setup.ts'
import { rangeOf, type ListSearch } from './list/campaign-list-search.ts'

export type ListScope = 'account' | 'all'

const METRICS = ['spent', 'impressions', 'conversions', 'clicks', 'ctr', 'cpm', 'cpc', 'cvr', 'cpa']

export function listInputOf(search: ListSearch, spaceId: string | null, today: Date): ListInput {
  const range = rangeOf(search, today)
  return {
    from_date: range.start,
    to_date: range.end,
    page: search.page,
    pageSize: search.rows,
    name: search.q,
    status_filter: search.status,
    space_id: spaceId,
    sort_by_field: 'status',
    ...(search.sort === undefined ? {} : { order_field: search.sort, order_asc: search.dir === 'asc' }),
    included_metrics: METRICS,
  }
}

export const campaignQueries = {
  lists: () => ['campaigns', 'list'] as const,
  /** One account's campaigns, or with `all` those of every account in reach, for white-label staff. */
  list: (scope: ListScope, search: ListSearch) => {
    const all = scope === 'all'
    const input = listInputOf(search, all ? null : spaceId(), new Date())
    return queryOptions({
      queryKey: [...campaignQueries.lists(), scope, input],
      queryFn: ({ signal }) => call(all ? adminListCampaigns : listCampaigns, { body: input, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: 30_000,
    })
  },
  details: () => ['campaigns', 'detail'] as const,
  detail: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), id],
      queryFn: ({ signal }) => call(getCampaign, { params: { id }, signal }),
    }),
  total: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), id, 'total'],
      queryFn: ({ signal }) => call(campaignTotal, { params: { id }, signal }),
      staleTime: 30_000,
    }),
  logs: () => ['campaigns', 'log'] as const,
  log: (id: string, page: number, rows: number) =>
    queryOptions({
      queryKey: [...campaignQueries.logs(), id, page, rows],
      // The screen counts pages from zero, the call from one.
      queryFn: ({ signal }) =>
        call(revisionSnapshot, { params: { id }, query: { 'page-num': page + 1, 'page-size': rows }, signal }),
      placeholderData: keepPreviousData,
    }),
  logCount: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.logs(), id, 'count'],
      queryFn: ({ signal }) => call(revisionCount, { params: { id }, signal }),
    }),
  countries: (language: Language) =>
    queryOptions({
      queryKey: ['geo', 'countries', language],
      queryFn: ({ signal }) => call(countries, { query: { language }, signal }),
      ...LASTING,
    }),
}
