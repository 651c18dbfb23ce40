import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '../../../../api/contract/campaign-body.ts'
import { formatCount, formatMoney, formatPercent } from '../../../i18n/format.ts'
import { campaignQueries } from '../campaign-queries.ts'
import type { TabKey } from './form-tabs.ts'

const IN_MODERATION = 1
/** Nothing has been delivered yet, or nothing is being delivered: the first section then shows no figures (decisions G-070). */
const WITHOUT_FIGURES: readonly number[] = [0, IN_MODERATION, 2, 6]

type Shown = Pick<Campaign, 'id' | 'status_key'>

/** All-time figures above the form. */
export function PerformanceStrip({ campaign, tab }: { readonly campaign: Shown; readonly tab: TabKey }) {
  const { t } = useTranslation('form')
  const hidden = tab === 'changeLog' || (tab === 'basicInfo' && WITHOUT_FIGURES.includes(campaign.status_key))
  const { data } = useQuery({ ...campaignQueries.total(campaign.id), enabled: !hidden })
  if (hidden || data === undefined) return null
  const { current_period_clicks: clicks, current_period_impressions: impressions, current_period_spent: spent, currency } = data
  const moderated = campaign.status_key === IN_MODERATION
  return (
    <dl
      aria-label={t('performance.title')}
      className="border-hairline rounded-card divide-hairline flex w-fit divide-x border tabular-nums"
    >
      <Figure label={t('performance.clicks')} value={formatCount(clicks)} />
      {!moderated && (
        <>
          <Figure label={t('performance.ctr')} value={formatPercent(impressions === 0 ? 0 : (clicks / impressions) * 100)} />
          <Figure label={t('performance.impressions')} value={formatCount(impressions)} />
          <Figure label={t('performance.spent')} value={formatMoney(spent, currency)} />
        </>
      )}
    </dl>
  )
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div className="flex min-w-32 flex-col px-4 py-2">
      <dt className="text-ink-soft text-meta">{label}</dt>
      <dd className="text-body font-semibold">{value}</dd>
    </div>
  )
}
