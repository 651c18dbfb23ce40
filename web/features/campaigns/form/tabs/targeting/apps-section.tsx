import { useTranslation } from 'react-i18next'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { useAppSearch } from '../use-app-search.ts'
import { SelectionField } from './selection-field.tsx'

export function AppsSection() {
  const { t } = useTranslation('targeting')
  const { set, ...field } = useSliceField('targeting.apps')
  const { includeAny, include, exclude } = field.value
  const { query, setQuery, busy, options, nameOf, remember } = useAppSearch([...includeAny, ...include, ...exclude])
  return (
    <FormSection title={t('apps')} lead={t('appsLead')}>
      <SelectionField
        label={t('searchApps')}
        keys={['includeAny', 'include', 'exclude']}
        query={query}
        onQuery={setQuery}
        options={options}
        nameOf={nameOf}
        busy={busy}
        {...field}
        onChange={(selection) => {
          remember()
          set(selection)
        }}
      />
    </FormSection>
  )
}
