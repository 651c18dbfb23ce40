import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { referenceQueries } from '@/data/reference-queries'
import { useAppNames } from '@/data/use-app-names'
import { formatCount } from '@/i18n/format'
import { useDebounced } from '@/lib/use-debounced'
import { useFormValue } from '../campaign-form-context.ts'

/** campaigns.md §9. */
const APP_SEARCH_DELAY = 300
/** Searches the app catalogue by name or bundle id, and returns the names of apps stored by id. */
export function useAppSearch(stored: readonly string[]) {
  const { t } = useTranslation('targeting')
  const country = useFormValue('country')
  const [query, setQuery] = useState('')
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map())
  const asked = useDebounced(query, APP_SEARCH_DELAY)
  const { data: found = [], isFetching } = useQuery({
    ...referenceQueries.apps(asked.trim(), country),
    placeholderData: keepPreviousData,
  })
  const listed = new Map([...picked, ...found.map(({ id, name }) => [id, name] as const)])
  const storedName = useAppNames(
    stored.filter((id) => !listed.has(id)),
    country,
  )
  return {
    query,
    setQuery,
    busy: isFetching || asked !== query,
    options: found.map(({ id, name, users_min, users_max }) => ({
      id,
      label: name,
      note: t('users', { from: formatCount(users_min), to: formatCount(users_max) }),
    })),
    nameOf: (id: string) => listed.get(id) ?? storedName(id),
    /** Keeps the names of found apps when the search continues. */
    remember: () => setPicked(listed),
  }
}
