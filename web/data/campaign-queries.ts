import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { campaignAt, campaignDiff, revisionAuthors, revisionCount, revisionIndex, revisionSnapshot } from '#contract/audit'
import {
  adminListAccounts,
  adminListCampaigns,
  campaignTrends,
  countCampaigns,
  listCampaigns,
  type ListInput,
  type ListRow,
  type TrendMetric,
} from '#contract/campaign-list'
import { getCampaign } from '#contract/campaign'
import { campaignTotal } from '#contract/reports'
import { countries } from '#contract/reference'
import { call } from './client.ts'
import { FIGURES_MS } from './figures.ts'
import { LASTING } from './reference-queries.ts'
import { shownSpace } from '@/session/identity'
import type { Language } from '#domain/kit/languages'

export type ListScope = 'account' | 'all'
type Matching = Omit<ListInput, 'page' | 'pageSize' | 'included_metrics'>

/** One page of a change log. Pages count from zero. Author and field ids, or undefined for all. */
export type LogQuestion = {
  readonly page: number
  readonly rows: number
  readonly author: string | undefined
  readonly field: string | undefined
  readonly source: 'people' | 'system' | undefined
  /** UTC day, YYYY-MM-DD. */
  readonly day: string | undefined
}

/** How often a read model that is late is asked again, milliseconds. */
const LATE_MS = 1000

/** How often the lines of a list are asked again, milliseconds: a day's point moves slowly. */
const TRENDS_MS = 60_000

/** Maximum page size. */
const LARGEST_PAGE = 150
/** Campaigns of a list that are selected at once. */
export const MOST_MATCHING = 500

const listIn = (scope: ListScope) => (scope === 'all' ? adminListCampaigns : listCampaigns)

/** The pages of a list one after the other, without figures. */
export async function* pagesOf(
  scope: ListScope,
  input: Matching,
  stop: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<readonly ListRow[], void> {
  for (let page = 0; ; page++) {
    const { data, total_size } = await call(listIn(scope), { body: { ...input, page, pageSize: LARGEST_PAGE }, ...stop })
    yield data
    if ((page + 1) * LARGEST_PAGE >= total_size) return
  }
}

export const campaignQueries = {
  lists: () => ['campaigns', 'list'] as const,
  /** One account's campaigns, or with `all` those of every accessible account, for white-label staff. */
  list: (scope: ListScope, input: ListInput) =>
    queryOptions({
      queryKey: [...campaignQueries.lists(), scope, input],
      queryFn: ({ signal }) => call(listIn(scope), { body: input, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: FIGURES_MS,
    }),
  /** The first campaigns of a list, without its pages and figures. Under the key of the lists, so that they change with them. */
  matching: (scope: ListScope, { included_metrics: _metrics, page: _page, pageSize: _size, ...input }: ListInput) =>
    queryOptions({
      queryKey: [...campaignQueries.lists(), 'matching', scope, input],
      queryFn: async ({ signal }) => {
        const found = new Map<string, ListRow>()
        for await (const rows of pagesOf(scope, input, { signal })) {
          for (const row of rows) found.set(row.id, row)
          if (found.size >= MOST_MATCHING) break
        }
        return { data: [...found.values()].slice(0, MOST_MATCHING) }
      },
    }),
  /** A figure of campaigns by day. */
  trends: ({ ids, metric }: { readonly ids: readonly string[]; readonly metric: TrendMetric }) =>
    queryOptions({
      queryKey: ['campaigns', 'trends', metric, ids],
      queryFn: ({ signal }) => call(campaignTrends, { body: { ids: [...ids], metric }, signal }),
      retry: false,
      staleTime: TRENDS_MS / 2,
      refetchInterval: TRENDS_MS,
    }),
  /** Names of accounts in reach, by part of a name or by ids, for staff. */
  accountNames: (asked: { readonly name?: string; readonly space_ids?: readonly string[] }) =>
    queryOptions({
      queryKey: ['campaigns', 'accounts', asked],
      queryFn: ({ signal }) =>
        call(adminListAccounts, {
          body: { name: asked.name, space_ids: asked.space_ids === undefined ? undefined : [...asked.space_ids] },
          signal,
        }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  /** Number of campaigns in an account. */
  count: (spaceId: string) =>
    queryOptions({
      queryKey: ['campaigns', 'count', spaceId],
      queryFn: ({ signal }) => call(countCampaigns, { params: { spaceId }, signal }),
    }),
  /** Campaign names in this account that contain a text, archived campaigns included. */
  names: (text: string) =>
    queryOptions({
      queryKey: ['campaigns', 'names', shownSpace(), text],
      queryFn: async ({ signal }) => {
        const body = { name: text, pageSize: LARGEST_PAGE, space_id: shownSpace(), order_field: 'name', order_asc: false }
        const { data } = await call(listCampaigns, { body, signal })
        return data.map(({ name }) => name)
      },
      staleTime: 0,
    }),
  details: () => ['campaigns', 'detail'] as const,
  detail: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), id],
      queryFn: ({ signal }) => call(getCampaign, { params: { id }, signal }),
    }),
  /** A campaign as of an instant, which never changes. */
  asOf: (id: string, instant: string) =>
    queryOptions({
      queryKey: ['campaigns', 'past', id, 'as of', instant],
      queryFn: ({ signal }) => call(getCampaign, { params: { id }, query: { as_of: instant }, signal }),
      staleTime: Infinity,
    }),
  total: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.details(), id, 'total'],
      queryFn: ({ signal }) => call(campaignTotal, { params: { id }, signal }),
      staleTime: FIGURES_MS / 2,
      refetchInterval: FIGURES_MS,
    }),
  logs: () => ['campaigns', 'log'] as const,
  log: (id: string, { page, rows, ...filter }: LogQuestion) =>
    queryOptions({
      queryKey: [...campaignQueries.logs(), id, 'page', { page, rows, ...filter }],
      // The screen counts pages from zero, the endpoint from one.
      queryFn: ({ signal }) =>
        call(revisionSnapshot, { params: { id }, query: { 'page-num': page + 1, 'page-size': rows, ...filter }, signal }),
      placeholderData: keepPreviousData,
    }),
  logIndex: (id: string) =>
    queryOptions({
      queryKey: [...campaignQueries.logs(), id, 'index'],
      queryFn: ({ signal }) => call(revisionIndex, { params: { id }, signal }),
    }),
  /** Authors who saved a campaign since an earlier revision; asked again until the log, which may be late, knows them. */
  authors: (id: string, after: number) =>
    queryOptions({
      queryKey: [...campaignQueries.logs(), id, 'authors', after],
      queryFn: ({ signal }) => call(revisionAuthors, { params: { id }, query: { after }, signal }),
      refetchInterval: ({ state }) => (state.data?.length === 0 ? LATE_MS : false),
    }),
  /** Past revisions never change. */
  at: (id: string, revision: number) =>
    queryOptions({
      queryKey: ['campaigns', 'past', id, revision],
      queryFn: ({ signal }) => call(campaignAt, { params: { id }, query: { revision }, signal }),
      staleTime: Infinity,
    }),
  difference: (id: string, from: number, to: number) =>
    queryOptions({
      queryKey: ['campaigns', 'past', id, from, to],
      queryFn: ({ signal }) => call(campaignDiff, { params: { id }, query: { from, to }, signal }),
      staleTime: Infinity,
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
