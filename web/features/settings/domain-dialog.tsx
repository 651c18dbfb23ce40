import { useTranslation } from 'react-i18next'
import { addDomain, type SignOnProvider } from '#contract/single-sign-on'
import { FieldsDialog } from '@/components/form/fields-dialog'
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
      fields={{
        domain: { label: t('signOn.field.domain'), kind: 'text', required: true },
        provider_id: {
          label: t('signOn.field.provider_id'),
          kind: 'choice',
          initial: providers[0]?.id ?? '',
          options: providers.map((one) => ({ value: one.id, label: one.name })),
        },
      }}
      confirm={t('signOn.domains.add')}
      send={(body) => call(addDomain, { params: { id }, body })}
      invalidates={SIGN_ON_KEYS}
      done={(answer) => t(isHeld(answer) ? 'signOn.waits' : 'signOn.saved')}
      onClose={onClose}
    />
  )
}
