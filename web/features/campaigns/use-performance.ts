import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatCount, formatMoney, formatPercent } from '../../i18n/format.ts'
import { campaignQueries } from './campaign-queries.ts'

const IN_MODERATION = 1

export type ShownFigure = {
  readonly key: 'clicks' | 'ctr' | 'impressions' | 'spent'
  readonly label: string
  readonly value: string
}

/** All-time figures of a campaign, as they are shown; while it is in moderation its clicks only (decisions G-071). */
export function usePerformance(id: string, statusKey: number, enabled = true) {
  const { t } = useTranslation('campaigns')
  const { data, error, refetch } = useQuery({ ...campaignQueries.total(id), enabled })
  if (!enabled || data === undefined) return { figures: null, error, refetch }
  const { current_period_clicks: clicks, current_period_impressions: impressions, current_period_spent: spent, currency } = data
  const figure = (key: ShownFigure['key'], value: string): ShownFigure => ({ key, label: t(`performance.${key}`), value })
  const figures = [
    figure('clicks', formatCount(clicks)),
    figure('ctr', formatPercent(impressions === 0 ? 0 : (clicks / impressions) * 100)),
    figure('impressions', formatCount(impressions)),
    figure('spent', formatMoney(spent, currency)),
  ]
  return { figures: statusKey === IN_MODERATION ? figures.slice(0, 1) : figures, error, refetch }
}
