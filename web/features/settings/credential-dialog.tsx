import { useMutation } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { EXCHANGES, type Exchange } from '#domain/campaign/content/options'
import { createCredential } from '#contract/service-credential'
import { SegmentedField } from '@/components/form/choice-fields'
import { SelectField } from '@/components/form/fields'
import { showFaults, useShortForm } from '@/components/form/short-form'
import { endOf, type NewSecret } from '@/components/secrets/lifetime'
import { SecretDialog } from '@/components/secrets/secret-dialog'
import { call } from '@/data/client'
import { useMe } from '@/session/session-queries'

type Values = NewSecret & { readonly kind: 'exchange' | 'bidder'; readonly exchange: Exchange }

/** A new credential of an exchange or bidder; its secret is shown once. */
export function CredentialDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('settings')
  const { api_key_days: most } = useMe()
  const form = useShortForm<Values>({ name: '', days: String(most), expires_at: '', kind: 'exchange', exchange: EXCHANGES[0] })
  const kind = useWatch({ control: form.control, name: 'kind' })
  const create = useMutation({
    meta: { silent: true, invalidates: [['credentials']] },
    mutationFn: ({ name, ...values }: Values) =>
      call(createCredential, {
        body: {
          name: name.trim(),
          kind: values.kind,
          exchange: values.kind === 'exchange' ? values.exchange : null,
          ...endOf(values),
        },
      }),
    onError: (error) => void showFaults(form, error),
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
      most={most}
      form={form}
      creation={create}
      secret={create.data?.secret}
      onClose={onClose}
    >
      <SegmentedField<keyof Values, Values['kind']>
        name="kind"
        label={t('credentials.kind')}
        segments={[
          { value: 'exchange', label: t('credentials.exchange') },
          { value: 'bidder', label: t('credentials.bidder') },
        ]}
      />
      {kind === 'exchange' && (
        <SelectField<keyof Values> name="exchange" label={t('credentials.which')}>
          {EXCHANGES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </SelectField>
      )}
    </SecretDialog>
  )
}
