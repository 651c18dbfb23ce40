import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { referenceQueries } from '@/data/reference-queries'
import { useLanguage } from '@/i18n/use-language'

/** Categories of apps or games: few enough to list all of them. */
export function useCategorySearch(type: 'app' | 'game') {
  const { data: categories = [], isPending, error, refetch } = useQuery(referenceQueries.appCategories(type, useLanguage()))
  const names = useMemo(() => new Map(categories.map((each) => [each.category_id, each.category_name])), [categories])
  return {
    busy: isPending,
    options: categories.map(({ category_id, category_name }) => ({ id: category_id, label: category_name })),
    failure: { error, retry: refetch },
    nameOf: (id: string) => names.get(id) ?? id,
  }
}
