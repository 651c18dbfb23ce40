import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkProvider, removeProvider, type SignOnProvider, type SingleSignOn } from '#contract/single-sign-on'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { LoadError } from '@/components/load-error'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { useMe } from '@/session/session-queries'
import { DirectorySection } from './directory-section.tsx'
import { DomainsSection } from './domains-section.tsx'
import { SIGN_ON_KEYS, signOnSettings } from './sign-on-queries.ts'

const ProviderDialog = lazy(async () => ({ default: (await import('./provider-dialog.tsx')).ProviderDialog }))

/** Identity providers of the white-label, and its mail domains (fine print 84). */
export function SingleSignOnSections() {
  const { t } = useTranslation('settings')
  const { whitelabel_id: id } = useMe()
  const { data, error, refetch } = useQuery(signOnSettings(id))
  const [editing, setEditing] = useState<{ readonly provider: SignOnProvider | null } | null>(null)
  return (
    <>
      <SettingsSection
        title={t('signOn.title')}
        text={t('signOn.text')}
        action={
          data !== undefined && (
            <Button variant="outline" onClick={() => setEditing({ provider: null })}>
              {t('signOn.add')}
            </Button>
          )
        }
      >
        {error !== null && <LoadError title={t('signOn.error')} error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton className="h-14 w-full" />}
        {data !== undefined && <Addresses settings={data} />}
        {data?.providers.length === 0 && <p className="text-muted-foreground">{t('signOn.empty')}</p>}
        {data !== undefined && data.providers.length > 0 && (
          <ul className="divide-border -my-2 flex flex-col divide-y">
            {data.providers.map((provider) => (
              <Provider key={provider.id} whiteLabel={id} provider={provider} onEdit={() => setEditing({ provider })} />
            ))}
          </ul>
        )}
      </SettingsSection>
      {data !== undefined && data.providers.length > 0 && <DomainsSection whiteLabel={id} settings={data} />}
      {data !== undefined && data.domains.length > 0 && <DirectorySection whiteLabel={id} />}
      <Suspense>
        {editing !== null && data !== undefined && (
          <ProviderDialog whiteLabel={id} settings={data} provider={editing.provider} onClose={() => setEditing(null)} />
        )}
      </Suspense>
    </>
  )
}

function Addresses({ settings }: { readonly settings: SingleSignOn }) {
  const { t } = useTranslation('settings')
  const addresses = [
    [t('signOn.redirect'), settings.callback_url],
    [t('signOn.signOut'), settings.sign_out_url],
    [t('signOn.backChannel'), settings.back_channel_url],
  ]
  return (
    <div className="text-[0.8125rem]/5">
      <p className="text-muted-foreground">{t('signOn.addresses')}</p>
      <dl>
        {addresses.map(([label, address]) => (
          <div key={label} className="flex flex-wrap gap-x-2">
            <dt className="text-muted-foreground">{label}</dt>
            <dd className="font-mono [overflow-wrap:anywhere]">{address}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

type ProviderProps = { readonly whiteLabel: string; readonly provider: SignOnProvider; readonly onEdit: () => void }

function Provider({ whiteLabel: id, provider: { id: provider, name, issuer, enabled }, onEdit }: ProviderProps) {
  const { t } = useTranslation(['settings', 'common'])
  const [asked, setAsked] = useState(false)
  const params = { id, provider }
  const check = useMutation({
    mutationFn: () => call(checkProvider, { params }),
    onSuccess: ({ reason }) => (reason === null ? toast.success(t('signOn.works')) : toast.error(t(`signOn.fails.${reason}`))),
  })
  const remove = useMutation({
    meta: { invalidates: SIGN_ON_KEYS },
    mutationFn: () => call(removeProvider, { params }),
    onSuccess: () => toast.success(t('signOn.removed')),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {name}
          {!enabled && <Badge variant="secondary">{t('signOn.off')}</Badge>}
        </p>
        <p className="text-muted-foreground text-xs [overflow-wrap:anywhere]">{issuer}</p>
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('signOn.named.check', { name })}
        disabled={check.isPending}
        onClick={() => check.mutate()}
      >
        {t('signOn.check')}
      </Button>
      <Button variant="ghost" size="sm" aria-label={t('signOn.named.edit', { name })} onClick={onEdit}>
        {t('signOn.edit')}
      </Button>
      <Button variant="ghost" size="sm" aria-label={t('signOn.named.remove', { name })} onClick={() => setAsked(true)}>
        {t('signOn.remove')}
      </Button>
      <ConfirmDialog
        open={asked}
        title={t('signOn.removeTitle', { name })}
        text={t('signOn.removeText')}
        confirm={t('signOn.remove')}
        cancel={t('common:cancel')}
        tone="destructive"
        onCancel={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false)
          remove.mutate()
        }}
      />
    </li>
  )
}
