import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EXCHANGES, type Exchange } from '#domain/campaign/content/options'
import { createCredential } from '#contract/service-credential'
import { FieldSelect, LabelledField } from '@/components/form/labelled-field'
import { Segmented } from '@/components/form/segmented'
import { SecretDialog, type NewSecret } from '@/components/secrets/secret-dialog'
import { call } from '@/data/client'
import { fieldFaults } from '@/data/field-faults'
import { now } from '@/lib/clock'

/** Lifetimes offered, days. */
const LIFETIMES = [30, 90, 180, 365]
const DAY_MS = 86_400_000

/** A new credential of an exchange or bidder; its secret is shown once. */
export function CredentialDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('settings')
  const [kind, setKind] = useState<'exchange' | 'bidder'>('exchange')
  const [exchange, setExchange] = useState<Exchange>(EXCHANGES[0])
  const create = useMutation({
    meta: { silent: true, invalidates: [['credentials']] },
    mutationFn: ({ name, days }: NewSecret) =>
      call(createCredential, {
        body: {
          name,
          kind,
          exchange: kind === 'exchange' ? exchange : null,
          expires_at: new Date(now() + days * DAY_MS).toISOString(),
        },
      }),
  })
  return (
    <SecretDialog
      texts={{
        title: t('credentials.createTitle'),
        createdTitle: t('credentials.createdTitle'),
        createdText: t('credentials.createdText'),
        create: t('credentials.create'),
        kept: t('credentials.kept'),
      }}
      lifetimes={LIFETIMES}
      lifetime={180}
      creation={create}
      faults={fieldFaults(create.error)}
      secret={create.data?.secret}
      onClose={onClose}
    >
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
    </SecretDialog>
  )
}
