import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

/** A thin moving line at the top while anything is on its way. */
export function ProgressBar() {
  const { t } = useTranslation()
  const requests = useIsFetching() + useIsMutating()
  const navigating = useRouterState({ select: (state) => state.isLoading })
  if (requests === 0 && !navigating) return null
  return (
    <div className="fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
      <progress aria-label={t('loading')} className="sr-only" />
      <div aria-hidden className="bg-accent-ink animate-travel h-full w-1/3 rounded-full" />
    </div>
  )
}
