import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { campaignTotal } from '#contract/reports'
import type { z } from '#contract/zod'
import { Money } from '@/components/money'
import { formatCount, formatPercent } from '@/i18n/format'
import { campaignQueries } from '@/data/campaign-queries'

export const IN_MODERATION = 1
const KEYS = ['clicks', 'ctr', 'impressions', 'spent'] as const
type Key = (typeof KEYS)[number]

type ShownFigure = { readonly key: Key; readonly label: string; readonly value: ReactNode }

/**
 * Returns the formatted all-time figures of a campaign, without values until loaded. During moderation it returns clicks only
 * (decisions G-071).
 */
export function usePerformance(id: string, statusKey: number, enabled = true) {
  const { t } = useTranslation('campaigns')
  const { data, error, refetch } = useQuery({ ...campaignQueries.total(id), enabled })
  const values = data === undefined ? null : valuesOf(data)
  const figures = KEYS.slice(0, statusKey === IN_MODERATION ? 1 : KEYS.length).map((key): ShownFigure => ({
    key,
    label: t(`performance.${key}`),
    value: values?.[key] ?? null,
  }))
  return { figures, error: data === undefined ? error : null, refetch }
}

function valuesOf(total: z.infer<typeof campaignTotal.output>): Readonly<Record<Key, ReactNode>> {
  const { current_period_clicks: clicks, current_period_impressions: impressions, current_period_spent: spent, currency } = total
  return {
    clicks: formatCount(clicks),
    ctr: formatPercent(impressions === 0 ? 0 : (clicks / impressions) * 100),
    impressions: formatCount(impressions),
    spent: <Money value={spent} currency={currency} />,
  }
}
