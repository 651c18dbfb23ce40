import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { referenceQueries } from '@/data/reference-queries'
import { useDebounced } from '@/lib/use-debounced'
import { useCampaignForm, useFormBase } from '../campaign-form-context.ts'
import type { CampaignFormValues } from '../form-schema.ts'
import { audienceBody, gaugeKey } from './audience-body.ts'

/** campaigns.md §9. */
export const GAUGE_DELAY = 1000

const asksOf = (values: CampaignFormValues) => ({ now: gaugeKey(values), people: audienceBody(values) })

/** Returns the estimate for the form values. Queries after a second without changes. */
export function useAudienceSize() {
  const { campaign } = useFormBase()
  const { control } = useCampaignForm()
  const { now, people } = useWatch({ control, compute: asksOf })
  const body = { ...people, ...(campaign === null ? {} : { cpm: campaign.cpm }) }
  const asked = useDebounced({ body, about: now }, GAUGE_DELAY, now)
  const known = people.country !== null
  const query = useQuery({
    ...referenceQueries.audienceSize(asked.body, asked.about),
    enabled: known && asked.body.country !== null,
  })
  return { known, estimate: query.data ?? null, failed: query.isError, updating: query.isFetching || asked.about !== now }
}
