import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListView } from '#contract/views'
import { useShortcuts } from '@/app/shortcuts/shortcuts'
import type { ListScope } from '@/data/campaign-queries'
import type { ListSearch } from '../list/campaign-list-search.ts'
import { asPatch, isPlain, isUnchanged, plainSearch, searchOf } from './view-state.ts'
import { viewsQuery } from './view-queries.ts'

type Viewed = {
  readonly scope: ListScope
  readonly search: ListSearch
  readonly today: Date
  readonly onSearch: (patch: Partial<ListSearch>, history: 'push' | 'replace') => void
}

/** The saved views of a list: which one is open, and what opens another. The default opens with a list without a query. */
export function useListViews({ scope, search, today, onSearch }: Viewed) {
  const { t } = useTranslation('campaigns')
  const { data, isPending } = useQuery(viewsQuery(scope))
  const views = data?.views ?? []
  const shown = views.find(({ id }) => id === search.view) ?? null
  const open = (view: ListView, history: 'push' | 'replace' = 'push') => onSearch(asPatch(searchOf(view, today)), history)

  const [opensDefault] = useState(() => isPlain(search, today))
  const awaitsDefault = useRef(opensDefault)
  const preferred = views.find(({ id }) => id === data?.default_id) ?? null
  useEffect(() => {
    if (!awaitsDefault.current || isPending) return
    awaitsDefault.current = false
    // A user who has set a filter already keeps it.
    if (preferred !== null && isPlain(search, today)) open(preferred, 'replace')
  })

  useShortcuts(
    views.map((view) => ({
      id: `campaigns.view ${view.id}`,
      label: t('views.open', { name: view.name }),
      keys: [],
      Icon: Bookmark,
      when: () => view.id !== search.view,
      run: () => open(view),
    })),
  )
  return {
    views,
    defaultId: data?.default_id ?? null,
    mayShare: data?.may_share === true,
    /** The open view; null without one. */
    shown,
    isChanged: shown !== null && !isUnchanged(search, shown, today),
    /** True until it is known whether a default opens. */
    isOpening: opensDefault && isPending,
    open,
    leave: () => onSearch(plainSearch(), 'push'),
  }
}
export type ListViews = ReturnType<typeof useListViews>
