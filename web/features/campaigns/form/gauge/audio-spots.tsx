import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DEFAULT_CPM_RATE } from '#domain/estimates/spots'
import { accountQueries } from '@/data/account-queries'
import { referenceQueries } from '@/data/reference-queries'
import { readDecimal } from '@/i18n/decimal'
import { formatCount } from '@/i18n/format'
import { useDebounced } from '@/lib/use-debounced'
import { shownSpace } from '@/session/identity'
import { useCampaignForm, useFormBase } from '../campaign-form-context.ts'
import { EstimateCard } from './estimate-card.tsx'
import { GAUGE_DELAY } from './use-audience-size.ts'

/** Shows how many spots the budget of an audio campaign buys. */
export function AudioSpots() {
  const { t } = useTranslation('targeting')
  const { campaign } = useFormBase()
  const { known, spots, failed, rateFailed, updating } = useAudioSpots()
  const shown = known && !failed && !rateFailed ? spots : null
  const figure = shown === null ? null : formatCount(shown)
  const problem = rateFailed
    ? t('spots.rateFailed')
    : !known
      ? t('spots.needBudget')
      : t(failed ? 'gauge.failed' : 'gauge.updating')
  const meaning = t(campaign?.budget_type_key === 1 ? 'spots.total' : 'spots.daily')
  return (
    <EstimateCard
      title={t('spots.title')}
      figure={figure}
      words={shown === null ? problem : meaning}
      updating={known && updating}
    >
      <p className="text-muted-foreground text-xs border-border mt-1 border-t pt-2">{t('spots.note')}</p>
    </EstimateCard>
  )
}

/** Returns the number of spots that the budget buys. Queries after a second without changes. */
function useAudioSpots() {
  const { campaign } = useFormBase()
  const { control } = useCampaignForm()
  const budget = readDecimal(useWatch({ control, name: 'budget' }))
  const asked = useDebounced(budget, GAUGE_DELAY)
  const known = budget !== null && Number.isFinite(budget)
  const account = useQuery(accountQueries.space(campaign?.space_id ?? shownSpace() ?? ''))
  const rate = account.data?.rewarded_ads_cpm_rate
  const query = useQuery({
    ...referenceQueries.audioSpots(campaign?.id ?? null, rate ?? DEFAULT_CPM_RATE, asked ?? 0),
    enabled: known && asked !== null && Number.isFinite(asked) && rate !== undefined,
  })
  return {
    known,
    spots: query.data?.spot ?? null,
    failed: query.isError,
    rateFailed: account.isError && rate === undefined,
    updating: query.isFetching || account.isFetching || asked !== budget,
  }
}
