import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LoadError } from './load-error.tsx'

export function RoutePending() {
  const { t } = useTranslation()
  return <output className="text-ink-soft block p-8">{t('loading')}</output>
}

export function RouteError({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <LoadError title={t('somethingWrong')} error={error instanceof Error ? error : new Error(String(error))} onRetry={retry} />
  )
}
