import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCredentials, revokeCredential } from '#contract/service-credential'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatDay } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { cn } from '@/lib/utils'
import '@/i18n/texts/settings'

const CredentialDialog = lazy(async () => ({ default: (await import('./credential-dialog.tsx')).CredentialDialog }))

/** Sections of `/settings`: what an owner sets up for the whole white-label besides its looks. */
export function WhiteLabelSections() {
  const { t } = useTranslation('settings')
  return (
    <>
      <Credentials />
      <SettingsSection
        title={t('more.title')}
        text={t('more.text')}
        action={
          <Button asChild variant="outline">
            <Link to="/admin/customization">{t('more.open')}</Link>
          </Button>
        }
      />
    </>
  )
}

function Credentials() {
  const { t } = useTranslation(['settings', 'profile'])
  const { data, error, refetch } = useQuery({
    queryKey: ['credentials'],
    queryFn: ({ signal }) => call(listCredentials, { signal }),
  })
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const now = useNow()
  const revoke = useMutation({
    meta: { invalidates: [['credentials']] },
    mutationFn: (id: string) => call(revokeCredential, { params: { id } }),
  })
  return (
    <SettingsSection
      title={t('credentials.title')}
      text={t('credentials.text')}
      action={<Button onClick={() => setCreating(true)}>{t('credentials.create')}</Button>}
    >
      {error !== null && <LoadError title={t('credentials.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
      {data?.length === 0 && <p className="text-muted-foreground">{t('credentials.empty')}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {data.map((one) => {
            const ended = one.revoked_at !== null ? 'revoked' : Date.parse(one.expires_at) <= now ? 'expired' : null
            return (
              <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
                <div className={cn('min-w-0 grow', ended !== null && 'text-muted-foreground')}>
                  <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
                    {one.name}
                    <Badge variant={ended === null ? 'secondary' : 'outline'}>
                      {ended === null ? (one.exchange ?? t('credentials.bidder')) : t(`credentials.${ended}`)}
                    </Badge>
                  </p>
                  <p className="text-muted-foreground text-xs tabular-nums">
                    {t('credentials.until', { at: formatDay(one.expires_at) })}
                  </p>
                </div>
                {ended === null && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t('credentials.revokeNamed', { name: one.name })}
                    onClick={() => setRevoking(one)}
                  >
                    {t('credentials.revoke')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <ConfirmDialog
        open={revoking !== null}
        title={t('credentials.revokeTitle', { name: revoking?.name ?? '' })}
        text={t('credentials.revokeText')}
        confirm={t('credentials.revoke')}
        cancel={t('profile:cancel')}
        tone="destructive"
        onCancel={() => setRevoking(null)}
        onConfirm={() => {
          if (revoking !== null) revoke.mutate(revoking.id)
          setRevoking(null)
        }}
      />
      <Suspense>{creating && <CredentialDialog onClose={() => setCreating(false)} />}</Suspense>
    </SettingsSection>
  )
}
