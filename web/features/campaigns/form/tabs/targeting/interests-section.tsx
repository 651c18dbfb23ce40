import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { referenceQueries } from '@/data/reference-queries'
import { useLanguage } from '@/i18n/use-language'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { ListFailure } from '../list-failure.tsx'
import { SelectionField } from './selection-field.tsx'

/** Selects interests on two levels. `include` has no control (decisions G-108). */
export function InterestsSection() {
  const { t } = useTranslation('targeting')
  const { set, ...field } = useSliceField('targeting.interests')
  const { data: items = [], isPending, error, refetch } = useQuery(referenceQueries.dictionary('interests', useLanguage()))
  const titles = useMemo(() => new Map(items.map(({ key, title }) => [key, title])), [items])
  const options = items.map(({ key, title, parent }) => ({
    id: key,
    label: title,
    parent: parent === null ? undefined : titles.get(parent),
  }))
  return (
    <FormSection title={t('interests')} lead={t('interestsLead')}>
      <ListFailure error={error} retry={refetch} focus={field.focus} />
      <SelectionField
        label={t('searchInterests')}
        keys={['includeAny', 'exclude']}
        options={options}
        nameOf={(id) => titles.get(id) ?? id}
        busy={isPending}
        {...field}
        onChange={set}
      />
    </FormSection>
  )
}
