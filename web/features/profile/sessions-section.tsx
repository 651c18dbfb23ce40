import { useMutation, useQuery } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { endOtherSessions, endSession } from '#contract/profile'
import { LoadError } from '@/components/load-error'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { profileQueries } from './profile-queries.ts'
import { SettingsSection } from '@/components/settings-section'

const MOBILE = /Android|iOS/

/** Where the user is signed in, and signing out there. */
export function SessionsSection() {
  const { t } = useTranslation('profile')
  const { data, error, refetch } = useQuery(profileQueries.sessions())
  const others = useMutation({
    meta: { invalidates: [['profile']] },
    mutationFn: () => call(endOtherSessions),
    onSuccess: ({ ended }) => toast.success(t('sessions.ended', { count: ended })),
  })
  const one = useMutation({
    meta: { invalidates: [['profile']] },
    mutationFn: (id: string) => call(endSession, { params: { id } }),
    onSuccess: () => toast.success(t('sessions.ended', { count: 1 })),
  })
  return (
    <SettingsSection
      title={t('sessions.title')}
      text={t('sessions.text')}
      action={
        data !== undefined &&
        data.length > 1 && (
          <Button variant="outline" disabled={others.isPending} onClick={() => others.mutate()}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {error !== null && <LoadError title={t('sessions.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
      {data !== undefined && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {data.map((session) => {
            const Icon = MOBILE.test(session.system ?? '') ? Smartphone : Laptop
            const name = [session.browser ?? t('sessions.unknown'), session.system].filter(Boolean).join(' · ')
            return (
              <li key={session.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
                <Icon aria-hidden className="text-muted-foreground size-5 shrink-0" />
                <div className="min-w-0 grow">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {name}
                    {session.current && <Badge variant="secondary">{t('sessions.current')}</Badge>}
                  </p>
                  <p className="text-muted-foreground text-xs tabular-nums">
                    {[session.network, t('sessions.used', { at: formatMinute(session.used_at) })].filter(Boolean).join(' · ')}
                  </p>
                </div>
                {!session.current && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t('sessions.endNamed', { name })}
                    disabled={one.isPending}
                    onClick={() => one.mutate(session.id)}
                  >
                    {t('sessions.end')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </SettingsSection>
  )
}
