import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { referenceQueries } from '@/data/reference-queries'
import { useLanguage } from '@/i18n/use-language'
import { useSliceField } from '@/features/campaigns/form/slices/use-slice-field'
import { bestMatches } from '../best-matches.ts'
import { FormSection } from '../form-section.tsx'
import { ListFailure } from '../list-failure.tsx'
import { SelectionField } from './selection-field.tsx'

/** Selects interests on two levels. `include` has no control (decisions G-108). */
export function InterestsSection() {
  const { t } = useTranslation('targeting')
  const { set, ...field } = useSliceField('targeting.interests')
  const { data: items = [], isPending, error, refetch } = useQuery(referenceQueries.dictionary('interests', useLanguage()))
  const [query, setQuery] = useState('')
  const titles = useMemo(() => new Map(items.map(({ key, title }) => [key, title])), [items])
  const options = useMemo(() => {
    const searched = query.trim() !== ''
    const parentOf = (parent: string | null) => (parent === null ? undefined : titles.get(parent))
    // The whole tree can be browsed; search results show their parent.
    const found = bestMatches(items, ({ title }) => title, query, searched ? 50 : items.length)
    return found.map(({ key, title, parent }) => {
      const above = parentOf(parent)
      const note = searched && above !== undefined ? { note: above } : {}
      return { id: key, label: title, nested: !searched && above !== undefined, ...note }
    })
  }, [items, query, titles])
  return (
    <FormSection title={t('interests')} lead={t('interestsLead')}>
      <ListFailure error={error} retry={refetch} focus={field.focus} />
      <SelectionField
        label={t('searchInterests')}
        keys={['includeAny', 'exclude']}
        query={query}
        onQuery={setQuery}
        options={options}
        nameOf={(id) => titles.get(id) ?? id}
        busy={isPending}
        {...field}
        onChange={set}
      />
    </FormSection>
  )
}
