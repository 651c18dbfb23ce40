import { AUDIENCE_STATUS } from '#domain/audience/audience-status'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SMALLEST_SERVED } from '#domain/audience/audience'
import { audienceQueries } from '@/data/audience-queries'
import { useFormBase } from '@/features/campaigns/form/campaign-form-context'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { formatCount } from '@/i18n/format'
import { useDebounced } from '@/lib/use-debounced'
import { shownSpace } from '@/session/identity'
import { FormSection } from '../form-section.tsx'
import { ListFailure } from '../list-failure.tsx'
import { SelectionField } from './selection-field.tsx'

/** campaigns.md §9. */
const SEARCH_DELAY = 300
const OFFERED = 50

/** Selects audiences of the campaign's account. They are stored by id. */
export function AudiencesSection() {
  const { t } = useTranslation('targeting')
  const { set, ...field } = useSliceField('targeting.audiences')
  const { campaign } = useFormBase()
  const space_id = campaign?.space_id ?? shownSpace()
  const [query, setQuery] = useState('')
  const name = useDebounced(query, SEARCH_DELAY).trim()
  const chosen = [...field.value.includeAny, ...field.value.include, ...field.value.exclude]
  const found = useQuery({ ...audienceQueries.page({ space_id, name, page_size: OFFERED }), placeholderData: keepPreviousData })
  const named = useQuery({
    ...audienceQueries.page({ space_id, ids: chosen.slice(0, 150), page_size: 150 }),
    enabled: chosen.length > 0,
    placeholderData: keepPreviousData,
  })
  const names = new Map([...(named.data?.data ?? []), ...(found.data?.data ?? [])].map((one) => [one.id, one.name]))
  const options = (found.data?.data ?? []).map(({ id, name: label, matched, status_key: status }) => ({
    id,
    label,
    note:
      status === AUDIENCE_STATUS.processing
        ? t('audienceProcessing')
        : [
            t('audienceMembers', { count: matched, shown: formatCount(matched) }),
            ...(matched < SMALLEST_SERVED ? [t('audienceSmall')] : []),
          ].join(' · '),
  }))
  const isEmpty = found.data?.total_size === 0 && name === '' && chosen.length === 0
  return (
    <FormSection title={t('audiences')} lead={isEmpty ? t('noAudiences') : t('audiencesLead')}>
      <ListFailure error={found.error} retry={found.refetch} focus={field.focus} />
      <SelectionField
        label={t('searchAudiences')}
        keys={['includeAny', 'include', 'exclude']}
        query={query}
        onQuery={setQuery}
        options={options}
        nameOf={(id) => names.get(id) ?? id}
        busy={found.isFetching || name !== query.trim()}
        {...field}
        onChange={set}
      />
    </FormSection>
  )
}
