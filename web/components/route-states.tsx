import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isOffline } from '@/data/app-error'
import { useOnline } from '@/lib/use-online'
import { LoadError } from './load-error.tsx'
import { Skeleton } from './ui/skeleton.tsx'

export function RoutePending() {
  const { t } = useTranslation()
  return (
    <output className="flex flex-col gap-4 p-4 lg:p-8">
      {/* The only heading until the page has loaded. */}
      <h1 className="sr-only">{t('loading')}</h1>
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-10 w-full max-w-3xl rounded-md" />
      <Skeleton className="h-80 w-full rounded-lg" />
    </output>
  )
}

/** Pending and error states outside the frame: they are the main content themselves. */
export const FramePending = () => (
  <main>
    <RoutePending />
  </main>
)

export const FrameError = (props: ErrorComponentProps) => (
  <main>
    <RouteError {...props} />
  </main>
)

/** The code of a page that the server no longer has, or that did not arrive. */
const isMissingCode = (error: unknown) =>
  error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)

export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const onReconnect = useEffectEvent(retry)
  // Without a connection, the code of a page that was not opened before cannot be loaded either.
  const online = useOnline()
  const offline = isOffline(error) || !online
  useEffect(() => {
    if (!offline) return undefined
    window.addEventListener('online', onReconnect)
    return () => window.removeEventListener('online', onReconnect)
  }, [offline])
  return (
    <LoadError
      titleAs="h1"
      title={t(offline ? 'offlineTitle' : 'somethingWrong')}
      {...(offline ? { text: t('offlinePage') } : isMissingCode(error) ? { text: t('pageFailed'), action: t('reload') } : {})}
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={isMissingCode(error) && !offline ? () => location.reload() : retry}
    />
  )
}
