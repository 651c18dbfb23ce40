import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createScimToken, listScimTokens, withdrawScimToken } from '#contract/scim'
import { MOST_SCIM_TOKENS } from '#domain/scim/limits'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { DialogPanel } from '@/components/dialog-panel'
import { LoadError } from '@/components/load-error'
import { SecretShown } from '@/components/secrets/secret-shown'
import { SettingsSection } from '@/components/settings-section'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { formatDay } from '@/i18n/format'
import { toast } from '@/lib/toast'

const KEY = ['scim-tokens'] as const

/** The address of SCIM for a directory, and the tokens for it (fine print 85). */
export function DirectorySection({ whiteLabel: id }: { readonly whiteLabel: string }) {
  const { t } = useTranslation('settings')
  const { data, error, refetch } = useQuery({
    queryKey: [...KEY, id],
    queryFn: ({ signal }) => call(listScimTokens, { params: { id }, signal }),
  })
  const create = useMutation({
    meta: { invalidates: [KEY] },
    mutationFn: () => call(createScimToken, { params: { id } }),
  })
  return (
    <SettingsSection
      title={t('directory.title')}
      text={t('directory.text')}
      action={
        data !== undefined &&
        data.tokens.length < MOST_SCIM_TOKENS && (
          <Button variant="outline" disabled={create.isPending} onClick={() => create.mutate()}>
            {t('directory.create')}
          </Button>
        )
      }
    >
      {error !== null && <LoadError title={t('directory.error')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
      {data !== undefined && (
        <p className="text-[0.8125rem]/5">
          <span className="text-muted-foreground">{t('directory.address')}</span>{' '}
          <span className="font-mono [overflow-wrap:anywhere]">{data.base_url}</span>
        </p>
      )}
      {data?.tokens.length === 0 && <p className="text-muted-foreground">{t('directory.empty')}</p>}
      {data !== undefined && data.tokens.length > 0 && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {data.tokens.map((token) => (
            <Token key={token.id} whiteLabel={id} token={token} />
          ))}
        </ul>
      )}
      {create.data !== undefined && (
        <Dialog open onOpenChange={(open) => !open && create.reset()}>
          <DialogPanel title={t('directory.createdTitle')} closable={false}>
            <SecretShown
              text={t(create.data.approval_id === null ? 'directory.createdText' : 'directory.createdWaits')}
              secret={create.data.secret}
              done={t('directory.kept')}
              onDone={() => create.reset()}
            />
          </DialogPanel>
        </Dialog>
      )}
    </SettingsSection>
  )
}

type TokenProps = {
  readonly whiteLabel: string
  readonly token: { readonly id: string; readonly created_at: string; readonly last_used_at: string | null }
}

function Token({ whiteLabel: id, token: { id: token, created_at, last_used_at } }: TokenProps) {
  const { t } = useTranslation(['settings', 'common'])
  const [asked, setAsked] = useState(false)
  const created = t('directory.created', { day: formatDay(created_at) })
  const withdraw = useMutation({
    meta: { invalidates: [KEY] },
    mutationFn: () => call(withdrawScimToken, { params: { id, token } }),
    onSuccess: () => toast.success(t('directory.withdrawn')),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <div className="min-w-0 grow">
        <p className="font-medium">{created}</p>
        <p className="text-muted-foreground text-xs">
          {last_used_at === null ? t('directory.unused') : t('directory.used', { day: formatDay(last_used_at) })}
        </p>
      </div>
      <Button variant="ghost" size="sm" onClick={() => setAsked(true)}>
        {t('directory.withdraw')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('directory.withdrawTitle')}
        text={t('directory.withdrawText')}
        confirm={t('directory.withdraw')}
        cancel={t('common:cancel')}
        tone="destructive"
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false)
          withdraw.mutate()
        }}
      />
    </li>
  )
}
