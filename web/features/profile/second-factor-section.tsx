import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, ShieldOff, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '@/components/load-error'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { Skeleton } from '@/components/ui/skeleton'
import { useMe } from '@/session/session-queries'
import type { SecondFactorTask } from './second-factor-dialog.tsx'
import { profileQueries } from './profile-queries.ts'
import { SettingsSection } from '@/components/settings-section'

const SecondFactorDialog = lazy(async () => ({ default: (await import('./second-factor-dialog.tsx')).SecondFactorDialog }))

/** The second factor: codes of an authenticator app. */
export function SecondFactorSection() {
  const { t } = useTranslation('profile')
  const { data, error, refetch } = useQuery(profileQueries.secondFactor())
  const me = useMe()
  const [task, setTask] = useState<SecondFactorTask | null>(null)
  return (
    <SettingsSection
      title={t('factor.title')}
      text={t('factor.text')}
      action={
        data?.on === false && (
          <Button variant="outline" onClick={() => setTask('set-up')}>
            {t('factor.setUp')}
          </Button>
        )
      }
    >
      {error !== null && <LoadError title={t('factor.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-5 w-60" />}
      {data?.on === false && me.second_factor_required && (
        <Notice tone="warn">
          <TriangleAlert aria-hidden />
          <p>{t('factor.required')}</p>
        </Notice>
      )}
      {data !== undefined && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <p className="flex min-w-0 grow items-center gap-2">
            {data.on ? (
              <ShieldCheck aria-hidden className="text-success size-4 shrink-0" />
            ) : (
              <ShieldOff aria-hidden className="text-muted-foreground size-4 shrink-0" />
            )}
            <span>{data.on ? t('factor.on', { count: data.recovery_codes_left }) : t('factor.off')}</span>
          </p>
          {data.on && (
            <div className="flex flex-wrap gap-2">
              <Button variant="outline" onClick={() => setTask('renew')}>
                {t('factor.renew')}
              </Button>
              <Button variant="ghost" onClick={() => setTask('remove')}>
                {t('factor.remove')}
              </Button>
            </div>
          )}
        </div>
      )}
      <Suspense>{task !== null && <SecondFactorDialog task={task} onClose={() => setTask(null)} />}</Suspense>
    </SettingsSection>
  )
}
