import { useTranslation } from 'react-i18next'
import { addDomain, type SignOnProvider } from '#contract/single-sign-on'
import { FieldsDialog, textOf } from '@/components/form/fields-dialog'
import { call } from '@/data/client'
import { isHeld, SIGN_ON_KEYS } from './sign-on-queries.ts'

type DomainDialogProps = {
  readonly whiteLabel: string
  readonly providers: readonly SignOnProvider[]
  readonly onClose: () => void
}

/** Binds a mail domain to a provider. */
export function DomainDialog({ whiteLabel: id, providers, onClose }: DomainDialogProps) {
  const { t } = useTranslation('settings')
  return (
    <FieldsDialog
      title={t('signOn.domains.add')}
      text={t('signOn.domains.dialogText')}
      fields={[
        { name: 'domain', label: t('signOn.field.domain'), kind: 'text', required: true },
        {
          name: 'provider_id',
          label: t('signOn.field.provider_id'),
          kind: 'choice',
          options: providers.map((one) => ({ value: one.id, label: one.name })),
        },
      ]}
      initial={{ provider_id: providers[0]?.id ?? '' }}
      currency=""
      confirm={t('signOn.domains.add')}
      send={(values) =>
        call(addDomain, {
          params: { id },
          body: { domain: textOf(values, 'domain') ?? '', provider_id: textOf(values, 'provider_id') ?? '' },
        })
      }
      invalidates={SIGN_ON_KEYS}
      done={(answer) => t(isHeld(answer) ? 'signOn.waits' : 'signOn.saved')}
      onClose={onClose}
    />
  )
}
