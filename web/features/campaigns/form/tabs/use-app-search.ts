import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { referenceQueries } from '../../../../domain/reference-queries.ts'
import { formatCount } from '../../../../i18n/format.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'
import { useFormValue } from '../campaign-form-context.ts'

/** campaign.md §9. */
const APP_SEARCH_DELAY = 300
/** Stored apps are few; of many only the first are looked up by name. */
const NAMED = 30

/** What an app is called is part of its id: "google-maps" is found under "google maps". */
const wordsOf = (id: string) => id.replaceAll(/[-_]/g, ' ')

/** Apps of the catalogue by name or bundle id, and the names of those that are stored by their id. */
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
  const unnamed = stored.filter((id) => !listed.has(id)).slice(0, NAMED)
  const named = useQueries({
    queries: unnamed.map((id) => referenceQueries.apps(wordsOf(id), country)),
    combine: (results) => new Map(results.flatMap(({ data = [] }) => data.map(({ id, name }) => [id, name] as const))),
  })
  return {
    query,
    setQuery,
    busy: isFetching || asked !== query,
    options: found.map(({ id, name, users_min, users_max }) => ({
      id,
      label: name,
      note: t('users', { from: formatCount(users_min), to: formatCount(users_max) }),
    })),
    nameOf: (id: string) => listed.get(id) ?? named.get(id) ?? id,
    /** Names of what was found are kept when the search goes on. */
    remember: () => setPicked(listed),
  }
}
