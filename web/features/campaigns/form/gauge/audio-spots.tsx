import { useTranslation } from 'react-i18next'
import { formatCount } from '@/i18n/format'
import { useFormBase } from '../campaign-form-context.ts'
import { EstimateCard } from './estimate-card.tsx'
import { useAudioSpots } from './use-audio-spots.ts'

/** Shows how many spots the budget of an audio campaign buys. */
export function AudioSpots() {
  const { t } = useTranslation('targeting')
  const { campaign } = useFormBase()
  const { known, spots, failed, updating } = useAudioSpots()
  const shown = known && !failed ? spots : null
  const figure = shown === null ? null : formatCount(shown)
  const problem = !known ? t('spots.needBudget') : t(failed ? 'gauge.failed' : 'gauge.updating')
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
