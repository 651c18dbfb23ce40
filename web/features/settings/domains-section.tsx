import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeDomain, removeDomain, verifyDomain, type SignOnDomain, type SingleSignOn } from '#contract/single-sign-on'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { SettingsSection } from '@/components/settings-section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { call } from '@/data/client'
import { toast } from '@/lib/toast'
import { isHeld, SIGN_ON_KEYS } from './sign-on-queries.ts'

const DomainDialog = lazy(async () => ({ default: (await import('./domain-dialog.tsx')).DomainDialog }))

type DomainsSectionProps = { readonly whiteLabel: string; readonly settings: SingleSignOn }

/** The mail domains of a white-label, each bound to a provider. */
export function DomainsSection({ whiteLabel, settings: { domains, providers } }: DomainsSectionProps) {
  const { t } = useTranslation('settings')
  const [adding, setAdding] = useState(false)
  return (
    <SettingsSection
      title={t('signOn.domains.title')}
      text={t('signOn.domains.text')}
      action={
        <Button variant="outline" onClick={() => setAdding(true)}>
          {t('signOn.domains.add')}
        </Button>
      }
    >
      {domains.length === 0 && <p className="text-muted-foreground">{t('signOn.domains.empty')}</p>}
      {domains.length > 0 && (
        <ul className="divide-border -my-2 flex flex-col divide-y">
          {domains.map((domain) => (
            <Domain
              key={domain.domain}
              whiteLabel={whiteLabel}
              domain={domain}
              provider={providers.find(({ id }) => id === domain.provider_id)?.name ?? ''}
            />
          ))}
        </ul>
      )}
      <Suspense>
        {adding && <DomainDialog whiteLabel={whiteLabel} providers={providers} onClose={() => setAdding(false)} />}
      </Suspense>
    </SettingsSection>
  )
}

type DomainProps = { readonly whiteLabel: string; readonly domain: SignOnDomain; readonly provider: string }

function Domain({ whiteLabel: id, domain: one, provider }: DomainProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { domain, provider_id, record, verified_at, password_allowed, waits } = one
  const [asked, setAsked] = useState<'off' | 'remove' | null>(null)
  const params = { id, domain }
  const meta = { invalidates: SIGN_ON_KEYS }
  const verify = useMutation({
    meta,
    mutationFn: () => call(verifyDomain, { params }),
    onSuccess: (answer) => {
      if (answer.verified) toast.success(t('signOn.domains.done'))
      else if (isHeld(answer)) toast.success(t('signOn.waits'))
      else toast.error(t('signOn.domains.missing'))
    },
  })
  const change = useMutation({
    meta,
    mutationFn: (allowed: boolean) => call(changeDomain, { params, body: { provider_id, password_allowed: allowed } }),
    onSuccess: () => toast.success(t('signOn.saved')),
  })
  const remove = useMutation({
    meta,
    mutationFn: () => call(removeDomain, { params }),
    onSuccess: () => toast.success(t('signOn.removed')),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
          {domain}
          {waits && <Badge variant="secondary">{t('signOn.domains.held')}</Badge>}
          <Badge variant="secondary">{t(verified_at === null ? 'signOn.domains.waiting' : 'signOn.domains.verified')}</Badge>
          {!password_allowed && <Badge variant="secondary">{t('signOn.domains.passwordOff')}</Badge>}
        </p>
        <p className="text-muted-foreground text-xs">{provider}</p>
        {verified_at === null && (
          <p className="text-xs [overflow-wrap:anywhere]">
            {t('signOn.domains.record', { domain })} <code>{record}</code>
          </p>
        )}
      </div>
      {waits ? null : verified_at === null ? (
        <Button
          variant="ghost"
          size="sm"
          aria-label={t('signOn.domains.verifyNamed', { domain })}
          disabled={verify.isPending}
          onClick={() => verify.mutate()}
        >
          {t('signOn.domains.verify')}
        </Button>
      ) : (
        <Button
          variant="ghost"
          size="sm"
          disabled={change.isPending}
          onClick={() => (password_allowed ? setAsked('off') : change.mutate(true))}
        >
          {t(password_allowed ? 'signOn.domains.switchOff' : 'signOn.domains.switchOn')}
        </Button>
      )}
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('signOn.domains.removeNamed', { domain })}
        onClick={() => setAsked('remove')}
      >
        {t('signOn.domains.remove')}
      </Button>
      <ConfirmDialog
        open={asked !== null}
        title={t(asked === 'off' ? 'signOn.domains.switchOffTitle' : 'signOn.domains.removeTitle', { domain })}
        text={t(asked === 'off' ? 'signOn.domains.switchOffText' : 'signOn.domains.removeText')}
        confirm={t(asked === 'off' ? 'signOn.domains.switchOff' : 'signOn.domains.remove')}
        cancel={t('common:cancel')}
        tone="destructive"
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked === 'off') change.mutate(false)
          else remove.mutate()
          setAsked(null)
        }}
      />
    </li>
  )
}
