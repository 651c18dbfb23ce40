import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isOffline } from '@/data/app-error'
import { LoadError } from './load-error.tsx'

export function RoutePending() {
  const { t } = useTranslation()
  return (
    <output className="text-muted-foreground block p-8">
      {/* The loading text is the only heading until the page has loaded. */}
      <h1>{t('loading')}</h1>
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

export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const onReconnect = useEffectEvent(retry)
  const offline = isOffline(error)
  useEffect(() => {
    if (!offline) return undefined
    window.addEventListener('online', onReconnect)
    return () => window.removeEventListener('online', onReconnect)
  }, [offline])
  return (
    <LoadError
      titleAs="h1"
      title={t('somethingWrong')}
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={retry}
    />
  )
}
