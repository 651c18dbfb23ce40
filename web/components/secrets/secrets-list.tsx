import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { formatDay, formatMinute } from '@/i18n/format'
import { useNow } from '@/lib/clock'
import { cn } from '@/lib/utils'
import { DAY_MS } from '#domain/kit/key-life'
import type { Rotated } from './rotate-dialog.tsx'
import '@/i18n/texts/secrets'

const RotateDialog = lazy(async () => ({ default: (await import('./rotate-dialog.tsx')).RotateDialog }))

type Secret = {
  readonly id: string
  readonly name: string
  /** ISO 8601. */
  readonly expires_at: string
  /** ISO 8601; null while it is valid. */
  readonly revoked_at: string | null
  /** ISO 8601; null unless a rotation replaced it. */
  readonly replaced_at: string | null
}

type SecretsListProps<One extends Secret> = {
  readonly query: { readonly data: readonly One[] | undefined; readonly error: Error | null; readonly refetch: () => unknown }
  readonly texts: {
    readonly title: string
    readonly text: string
    readonly create: string
    readonly error: string
    readonly empty: string
    readonly revoked: string
    readonly expired: string
    readonly revokeText: string
    readonly kept: string
  }
  /** Uses of a valid secret, as badges beside its name. */
  readonly badgesOf: (secret: One) => readonly { readonly key: string; readonly label: string }[]
  /** Before and after the day until which it is valid. */
  readonly detailsOf?: (secret: One) => { readonly before: ReactNode; readonly after: ReactNode }
  readonly rotate: (id: string) => Promise<Rotated>
  readonly revoke: (id: string) => Promise<unknown>
  /** Key of the queries that a rotation or revocation makes out of date. */
  readonly invalidates: readonly unknown[]
  /** The dialog for a new one. */
  readonly renderDialog: (onClose: () => void) => ReactNode
}

/** Days before its end from which a secret shows how many are left. */
const SOON = 7

/** A section with secrets for programs: each with its validity, and ways to rotate and to revoke it. */
export function SecretsList<One extends Secret>(props: SecretsListProps<One>) {
  const { query, texts, badgesOf, detailsOf, invalidates, renderDialog } = props
  const { data, error, refetch } = query
  const { t } = useTranslation(['secrets', 'common'])
  const [creating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Secret | null>(null)
  const [rotating, setRotating] = useState<Secret | null>(null)
  const now = useNow(60_000)
  const revoke = useMutation({ meta: { invalidates: [invalidates] }, mutationFn: props.revoke })
  return (
    <SettingsSection
      title={texts.title}
      text={texts.text}
      action={<Button onClick={() => setCreating(true)}>{texts.create}</Button>}
    >
      {error !== null && <LoadError title={texts.error} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
      {data?.length === 0 && (
        <div className="flex flex-col items-center gap-2 py-6 text-center">
          <KeyRound aria-hidden className="text-muted-foreground size-8 stroke-[1.25]" />
          <p className="text-muted-foreground max-w-sm text-pretty">{texts.empty}</p>
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {data.map((secret) => {
            const ended = secret.revoked_at !== null ? 'revoked' : Date.parse(secret.expires_at) <= now ? 'expired' : null
            const details = detailsOf?.(secret)
            const isReplaced = secret.replaced_at !== null
            // Rounded: the clock of the page is up to a minute behind, and a key of seven days has not eight left.
            const left = Math.max(1, Math.round((Date.parse(secret.expires_at) - now) / DAY_MS))
            return (
              <li key={secret.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
                <div className={cn('min-w-0 grow', ended !== null && 'text-muted-foreground')}>
                  <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
                    {secret.name}
                    {ended !== null && <Badge variant="outline">{texts[ended]}</Badge>}
                    {ended === null && isReplaced && <Badge variant="outline">{t('secrets:replaced')}</Badge>}
                    {ended === null && !isReplaced && left <= SOON && (
                      <Badge variant="outline">{t('secrets:endsIn', { count: left })}</Badge>
                    )}
                    {ended === null &&
                      badgesOf(secret).map(({ key, label }) => (
                        <Badge key={key} variant="secondary">
                          {label}
                        </Badge>
                      ))}
                  </p>
                  <p className="text-muted-foreground text-xs tabular-nums">
                    {details?.before}
                    {ended === null && isReplaced
                      ? t('secrets:worksUntil', { at: formatMinute(secret.expires_at) })
                      : t('secrets:until', { at: formatDay(secret.expires_at) })}
                    {details?.after}
                  </p>
                </div>
                {ended === null && !isReplaced && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t('secrets:rotateNamed', { name: secret.name })}
                    onClick={() => setRotating(secret)}
                  >
                    {t('secrets:rotate')}
                  </Button>
                )}
                {ended === null && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t('secrets:revokeNamed', { name: secret.name })}
                    onClick={() => setRevoking(secret)}
                  >
                    {t('secrets:revoke')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <ConfirmDialog
        open={revoking !== null}
        title={t('secrets:revokeTitle', { name: revoking?.name ?? '' })}
        text={texts.revokeText}
        confirm={t('secrets:revoke')}
        cancel={t('common:cancel')}
        tone="destructive"
        onCancel={() => setRevoking(null)}
        onConfirm={() => {
          if (revoking !== null) revoke.mutate(revoking.id)
          setRevoking(null)
        }}
      />
      <Suspense>
        {creating && renderDialog(() => setCreating(false))}
        {rotating !== null && (
          <RotateDialog
            name={rotating.name}
            kept={texts.kept}
            rotate={() => props.rotate(rotating.id)}
            invalidates={invalidates}
            onClose={() => setRotating(null)}
          />
        )}
      </Suspense>
    </SettingsSection>
  )
}
