import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { revokeApiKey } from '#contract/profile'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LoadError } from '@/components/load-error'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatDay, formatMinute } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { cn } from '@/lib/utils'
import { profileQueries } from './profile-queries.ts'
import { SettingsSection } from '@/components/settings-section'

const ApiKeyDialog = lazy(async () => ({ default: (await import('./api-key-dialog.tsx')).ApiKeyDialog }))

/** The user's API keys. */
export function ApiKeysSection() {
  const { t } = useTranslation('profile')
  const { data, error, refetch } = useQuery(profileQueries.apiKeys())
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const now = useNow()
  const revoke = useMutation({
    meta: { invalidates: [['profile']] },
    mutationFn: (id: string) => call(revokeApiKey, { params: { id } }),
  })
  return (
    <SettingsSection
      title={t('keys.title')}
      text={t('keys.text')}
      action={<Button onClick={() => setCreating(true)}>{t('keys.create')}</Button>}
    >
      {error !== null && <LoadError title={t('keys.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
      {data?.length === 0 && (
        <div className="flex flex-col items-center gap-2 py-6 text-center">
          <KeyRound aria-hidden className="text-muted-foreground size-8 stroke-[1.25]" />
          <p className="text-muted-foreground max-w-sm text-pretty">{t('keys.empty')}</p>
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {data.map((key) => {
            const ended = key.revoked_at !== null ? 'revoked' : Date.parse(key.expires_at) <= now ? 'expired' : null
            return (
              <li key={key.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
                <div className={cn('min-w-0 grow', ended !== null && 'text-muted-foreground')}>
                  <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
                    {key.name}
                    {ended !== null && <Badge variant="outline">{t(`keys.${ended}`)}</Badge>}
                    {ended === null &&
                      key.scopes.map((scope) => (
                        <Badge key={scope} variant="secondary">
                          {t(`keys.scope.${scope}`)}
                        </Badge>
                      ))}
                  </p>
                  <p className="text-muted-foreground text-xs tabular-nums">
                    <code translate="no">…{key.hint}</code>
                    {' · '}
                    {t('keys.until', { at: formatDay(key.expires_at) })}
                    {' · '}
                    {key.used_at === null ? t('keys.neverUsed') : t('keys.used', { at: formatMinute(key.used_at) })}
                  </p>
                </div>
                {ended === null && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t('keys.revokeNamed', { name: key.name })}
                    onClick={() => setRevoking(key)}
                  >
                    {t('keys.revoke')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <ConfirmDialog
        open={revoking !== null}
        title={t('keys.revokeTitle', { name: revoking?.name ?? '' })}
        text={t('keys.revokeText')}
        confirm={t('keys.revoke')}
        cancel={t('cancel')}
        tone="destructive"
        onCancel={() => setRevoking(null)}
        onConfirm={() => {
          if (revoking !== null) revoke.mutate(revoking.id)
          setRevoking(null)
        }}
      />
      <Suspense>{creating && <ApiKeyDialog onClose={() => setCreating(false)} />}</Suspense>
    </SettingsSection>
  )
}
