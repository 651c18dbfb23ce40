import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { removePasskey, type Passkey } from '#contract/passkeys'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatDay, formatMinute } from '@/i18n/format'
import { toast } from '@/lib/toast'
import { hasPasskeys } from '@/session/passkeys'
import { profileQueries } from './profile-queries.ts'

const PasskeyDialog = lazy(async () => ({ default: (await import('./passkey-dialog.tsx')).PasskeyDialog }))
const RenameDialog = lazy(async () => ({ default: (await import('./rename-passkey-dialog.tsx')).RenamePasskeyDialog }))

type Task = { readonly name: 'add' } | { readonly name: 'rename' | 'remove'; readonly passkey: Passkey }

/** The user's passkeys: which devices sign in without a password. */
export function PasskeysSection() {
  const { t } = useTranslation(['profile', 'common'])
  const { data, error, refetch } = useQuery(profileQueries.passkeys())
  const [task, setTask] = useState<Task | null>(null)
  const done = () => setTask(null)
  const remove = useMutation({
    meta: { invalidates: [['profile']] },
    mutationFn: (id: string) => call(removePasskey, { params: { id } }),
    onSuccess: () => toast.success(t('passkeys.removed')),
  })
  return (
    <SettingsSection
      title={t('passkeys.title')}
      text={t('passkeys.text')}
      action={
        hasPasskeys() && (
          <Button variant="outline" onClick={() => setTask({ name: 'add' })}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      {error !== null && <LoadError title={t('passkeys.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
      {data?.length === 0 && (
        <p className="text-muted-foreground">{t(hasPasskeys() ? 'passkeys.empty' : 'passkeys.unsupported')}</p>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {data.map((passkey) => (
            <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
              <KeyRound aria-hidden className="text-muted-foreground size-5 shrink-0" />
              <div className="min-w-0 grow">
                <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
                  {passkey.name}
                  {passkey.backed_up && <Badge variant="secondary">{t('passkeys.backedUp')}</Badge>}
                </p>
                <p className="text-muted-foreground text-xs tabular-nums">
                  {[
                    passkey.host !== globalThis.location.hostname && passkey.host,
                    t('passkeys.created', { at: formatDay(passkey.created_at) }),
                    passkey.used_at === null
                      ? t('passkeys.neverUsed')
                      : t('passkeys.used', { at: formatMinute(passkey.used_at) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t('passkeys.renameNamed', { name: passkey.name })}
                onClick={() => setTask({ name: 'rename', passkey })}
              >
                {t('passkeys.rename')}
              </Button>
              <Button
                variant="ghost"
                size="sm"
                aria-label={t('passkeys.removeNamed', { name: passkey.name })}
                onClick={() => setTask({ name: 'remove', passkey })}
              >
                {t('passkeys.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={task?.name === 'remove'}
        title={t('passkeys.removeTitle', { name: task?.name === 'remove' ? task.passkey.name : '' })}
        text={t('passkeys.removeText')}
        confirm={t('passkeys.remove')}
        cancel={t('common:cancel')}
        tone="destructive"
        onCancel={done}
        onConfirm={() => {
          if (task?.name === 'remove') remove.mutate(task.passkey.id)
          done()
        }}
      />
      <Suspense>
        {task?.name === 'add' && <PasskeyDialog onClose={done} />}
        {task?.name === 'rename' && <RenameDialog passkey={task.passkey} onClose={done} />}
      </Suspense>
    </SettingsSection>
  )
}
