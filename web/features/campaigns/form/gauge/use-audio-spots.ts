import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { referenceQueries } from '@/data/reference-queries'
import { useDebounced } from '@/lib/use-debounced'
import { useCampaignForm, useFormBase } from '../campaign-form-context.ts'
import { readDecimal } from '@/i18n/decimal'
import { GAUGE_DELAY } from './use-audience-size.ts'

/** Returns the number of spots that the budget buys. Queries after a second without changes. */
export function useAudioSpots() {
  const { campaign } = useFormBase()
  const { control } = useCampaignForm()
  const budget = readDecimal(useWatch({ control, name: 'budget' }))
  const asked = useDebounced(budget, GAUGE_DELAY)
  const known = budget !== null && Number.isFinite(budget)
  const query = useQuery({
    ...referenceQueries.audioSpots(campaign?.id ?? null, asked ?? 0),
    enabled: known && asked !== null && Number.isFinite(asked),
  })
  return { known, spots: query.data?.spot ?? null, failed: query.isError, updating: query.isFetching || asked !== budget }
}
