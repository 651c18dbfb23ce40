import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { EXCHANGES, type Exchange } from '#domain/campaign/content/options'
import { createCredential } from '#contract/service-credential'
import { DialogPanel, DialogPanelBody, DialogPanelFooter } from '@/components/dialog-panel'
import { FieldInput, FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { Segmented } from '@/components/form/segmented'
import { SecretShown } from '@/components/secret-shown'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { errorText } from '@/i18n/error-text'
import { now } from '@/lib/clock'

/** Lifetimes offered, days. */
const LIFETIMES = [30, 90, 180, 365]
const DAY_MS = 86_400_000

/** A new credential of an exchange or bidder; its secret is shown once. */
export function CredentialDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['settings', 'profile'])
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'exchange' | 'bidder'>('exchange')
  const [exchange, setExchange] = useState<Exchange>(EXCHANGES[0])
  const [days, setDays] = useState(180)
  const create = useMutation({
    meta: { silent: true, invalidates: [['credentials']] },
    mutationFn: () =>
      call(createCredential, {
        body: {
          name: name.trim(),
          kind,
          exchange: kind === 'exchange' ? exchange : null,
          expires_at: new Date(now() + days * DAY_MS).toISOString(),
        },
      }),
  })
  const secret = create.data?.secret
  const faults = fieldFaults(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogPanel
        title={t(secret === undefined ? 'credentials.createTitle' : 'credentials.createdTitle')}
        closable={secret === undefined}
      >
        {secret !== undefined ? (
          <SecretShown text={t('credentials.createdText')} secret={secret} done={t('credentials.kept')} onDone={onClose} />
        ) : (
          <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
            <DialogPanelBody>
              <LabelledField label={t('credentials.name')} error={faults['name']}>
                <FieldInput maxLength={100} value={name} onChange={({ target }) => setName(target.value)} />
              </LabelledField>
              <Segmented
                label={t('credentials.kind')}
                segments={[
                  { value: 'exchange', label: t('credentials.exchange') },
                  { value: 'bidder', label: t('credentials.bidder') },
                ]}
                value={kind}
                onChange={(next) => setKind(next === 'bidder' ? 'bidder' : 'exchange')}
              />
              {kind === 'exchange' && (
                <LabelledField label={t('credentials.which')}>
                  <FieldSelect
                    value={exchange}
                    onChange={({ target }) => setExchange(EXCHANGES.find((one) => one === target.value) ?? EXCHANGES[0])}
                  >
                    {EXCHANGES.map((one) => (
                      <option key={one} value={one}>
                        {one}
                      </option>
                    ))}
                  </FieldSelect>
                </LabelledField>
              )}
              <LabelledField label={t('credentials.lifetime')}>
                <FieldSelect value={String(days)} onChange={({ target }) => setDays(Number(target.value))}>
                  {LIFETIMES.map((count) => (
                    <option key={count} value={count}>
                      {t('credentials.days', { count })}
                    </option>
                  ))}
                </FieldSelect>
              </LabelledField>
              {create.isError && Object.keys(faults).length === 0 && (
                <p role="alert" className="text-destructive text-xs">
                  {errorText(create.error)}
                </p>
              )}
            </DialogPanelBody>
            <DialogPanelFooter>
              <Button type="button" variant="ghost" onClick={onClose}>
                {t('profile:cancel')}
              </Button>
              <Button type="submit" disabled={create.isPending || name.trim() === ''}>
                {t('credentials.create')}
              </Button>
            </DialogPanelFooter>
          </form>
        )}
      </DialogPanel>
    </Dialog>
  )
}
