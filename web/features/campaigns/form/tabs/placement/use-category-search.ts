import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { referenceQueries } from '@/data/reference-queries'
import { useLanguage } from '@/i18n/use-language'
import { bestMatches } from '../best-matches.ts'

/** Categories of apps or games: few enough to list all of them. */
export function useCategorySearch(type: 'app' | 'game') {
  const { data: categories = [], isPending, error, refetch } = useQuery(referenceQueries.appCategories(type, useLanguage()))
  const [query, setQuery] = useState('')
  const names = useMemo(() => new Map(categories.map((each) => [each.category_id, each.category_name])), [categories])
  const found = bestMatches(categories, ({ category_name }) => category_name, query, categories.length)
  return {
    query,
    onQuery: setQuery,
    busy: isPending,
    options: found.map(({ category_id, category_name }) => ({ id: category_id, label: category_name })),
    failure: { error, retry: refetch },
    nameOf: (id: string) => names.get(id) ?? id,
  }
}
