import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useDebounced } from '@/lib/use-debounced'

/** What is there sooner needs no word, ms; the router waits as long before it says that a page is loading. */
const WORTH_SAYING = 1000

/**
 * A thin moving line at the top while anything is on its way, for the eyes alone: it also shows while a screen is only brought up to
 * date. Who cannot see it hears what has to be waited for.
 */
export function ProgressBar() {
  const { t } = useTranslation()
  const navigating = useRouterState({ select: (state) => state.isLoading })
  const requests = useIsFetching() + useIsMutating()
  const waiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0 && !navigating
  const long = useDebounced(waiting, WORTH_SAYING) && waiting
  return (
    <>
      {(requests > 0 || navigating) && (
        <div aria-hidden data-slot="progress-bar" className="fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
          <div className="bg-primary-ink animate-travel h-full w-1/3 rounded-full" />
        </div>
      )}
      <output className="sr-only">{long && t('loading')}</output>
    </>
  )
}
