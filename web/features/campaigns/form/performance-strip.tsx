import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import { useTranslation } from 'react-i18next'
import type { Campaign } from '#contract/campaign-body'
import { Skeleton } from '@/components/ui/skeleton'
import { usePerformance } from '../use-performance.tsx'
import type { TabKey } from './form-tabs.ts'

/** Statuses without delivery: the first section then shows no figures (decisions G-070). */
const WITHOUT_FIGURES: readonly number[] = [0, 1, 2, 6]
/** Was never delivered: zeros would say nothing. */

type Shown = Pick<Campaign, 'id' | 'status_key'>

/** All-time figures above the form. */
export function PerformanceStrip({ campaign, tab }: { readonly campaign: Shown; readonly tab: TabKey }) {
  const { t } = useTranslation('campaigns')
  const hidden =
    tab === 'changeLog' ||
    campaign.status_key === STATUS_KEY.draft ||
    (tab === 'basicInfo' && WITHOUT_FIGURES.includes(campaign.status_key))
  const { figures, error } = usePerformance(campaign.id, campaign.status_key, !hidden)
  if (hidden || error !== null) return null
  return (
    <dl
      aria-label={t('performance.title')}
      className="border-border rounded-lg divide-border flex w-fit divide-x border tabular-nums"
    >
      {figures.map(({ key, label, value }) => (
        <div key={key} className="flex min-w-32 flex-col px-4 py-2">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="text-sm flex h-6 items-center font-semibold">{value ?? <Skeleton className="w-12" />}</dd>
        </div>
      ))}
    </dl>
  )
}
