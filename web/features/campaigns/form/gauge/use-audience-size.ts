import { useQuery } from '@tanstack/react-query'
import { referenceQueries } from '../../../../domain/reference-queries.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'
import { useCampaignForm, useFormBase } from '../campaign-form-context.ts'
import { audienceBody, gaugeKey } from './audience-body.ts'

/** campaign.md §9. */
export const GAUGE_DELAY = 1000

/** The estimate for what stands in the form, asked for once it has kept still for a second. */
export function useAudienceSize() {
  const { campaign, tabs } = useFormBase()
  const values = useCampaignForm().watch()
  const now = gaugeKey(values)
  const body = { ...audienceBody(values, tabs.audio), ...(campaign === null ? {} : { cpm: campaign.cpm }) }
  const asked = useDebounced({ body, about: now }, GAUGE_DELAY, now)
  const known = values.country !== ''
  const query = useQuery({
    ...referenceQueries.audienceSize(asked.body, asked.about),
    enabled: known && asked.body.country !== null,
  })
  return { known, estimate: query.data ?? null, failed: query.isError, updating: query.isFetching || asked.about !== now }
}
