import { useQuery } from '@tanstack/react-query'
import { TREND_METRICS, type CampaignTrends, type ListRow, type TrendMetric } from '#contract/campaign-list'
import { campaignQueries } from '@/data/campaign-queries'

export type Trends = {
  readonly metric: TrendMetric
  readonly days: readonly string[]
  /** Values by day; null without figures, undefined until they are loaded. */
  readonly of: (id: string) => CampaignTrends['trends'][number]['values'] | undefined
}

/** The last days of the campaigns of a page, by one call after its rows: of the figure that sorts the list, else impressions. */
export function useTrends(rows: readonly Pick<ListRow, 'id'>[], sort: string | undefined, shown: boolean): Trends {
  const metric = TREND_METRICS.find((name) => name === sort) ?? 'impressions'
  const ids = rows.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))
  const { data, isError } = useQuery({ ...campaignQueries.trends({ ids, metric }), enabled: shown && ids.length > 0 })
  const values = new Map(data?.trends.map((trend) => [trend.id, trend.values]))
  return {
    metric,
    days: data?.days ?? [],
    of: (id) => (isError ? null : data === undefined ? undefined : (values.get(id) ?? null)),
  }
}
