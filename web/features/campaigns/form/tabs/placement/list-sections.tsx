import { useTranslation } from 'react-i18next'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { FormSection } from '../form-section.tsx'
import { useAppSearch } from '../use-app-search.ts'
import { ListFailure } from '../list-failure.tsx'
import { ModeListField } from './mode-list-field.tsx'
import { useCategorySearch } from './use-category-search.ts'

export function AppsList() {
  const { t } = useTranslation('placement')
  const { set, ...field } = useSliceField('placement.apps')
  const { included, excluded } = field.value
  const { setQuery, remember, ...search } = useAppSearch([...included, ...excluded])
  return (
    <FormSection title={t('apps')}>
      <ModeListField
        label={t('apps')}
        search={t('searchApps')}
        onQuery={setQuery}
        {...search}
        {...field}
        onChange={(list) => {
          remember()
          set(list)
        }}
      />
    </FormSection>
  )
}

export function CategoriesList() {
  const { t } = useTranslation('placement')
  const { set, ...field } = useSliceField('placement.categories')
  const { failure, ...search } = useCategorySearch('app')
  return (
    <FormSection title={t('categories')}>
      <ListFailure {...failure} focus={field.focus} />
      <ModeListField label={t('categories')} search={t('searchCategories')} {...search} {...field} onChange={set} />
    </FormSection>
  )
}
