import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { stepUp } from '@/data/step-up'
import { useDebounced } from '@/lib/use-debounced'

/** Loads shorter than this are not announced, ms. The router waits as long before it shows that a page is loading. */
const WORTH_SAYING = 1000

/**
 * A thin animated line at the top while anything is loading, background refreshes included. It is visual only; screen readers get
 * a message for the loads that block the user.
 */
export function ProgressBar() {
  const { t } = useTranslation()
  const navigating = useRouterState({ select: (state) => state.isLoading })
  const requests = useIsFetching() + useIsMutating()
  // A call that waits for the user's proof loads nothing.
  const isAsked = useSyncExternalStore(stepUp.subscribe, stepUp.asked) !== null
  const waiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0 && !navigating
  const long = useDebounced(waiting, WORTH_SAYING) && waiting
  return (
    <>
      {(requests > 0 || navigating) && !isAsked && (
        <div aria-hidden data-slot="progress-bar" className="fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
          <div className="bg-primary-ink animate-travel h-full w-1/3 rounded-full" />
        </div>
      )}
      <output className="sr-only">{long && t('loading')}</output>
    </>
  )
}
