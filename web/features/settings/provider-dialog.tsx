import { useTranslation } from 'react-i18next'
import { addProvider, changeProvider, type SignOnProvider, type SingleSignOn } from '#contract/single-sign-on'
import { ADVERTISER_ROLES } from '#domain/kit/access'
import { GIVEN_ROLES } from '#domain/single-sign-on/admission'
import { FieldsDialog } from '@/components/form/fields-dialog'
import { call } from '@/data/client'
import { AppError } from '@/data/app-error'
import { initialValues, readMapping, sentOf } from './provider-values.ts'
import { isHeld, SIGN_ON_KEYS } from './sign-on-queries.ts'

type ProviderDialogProps = {
  readonly whiteLabel: string
  readonly settings: SingleSignOn
  /** Null for a new one. */
  readonly provider: SignOnProvider | null
  readonly onClose: () => void
}

/** A line of the mapping that the server would never see. */
const MAPPING_FAULT = {
  code: 2,
  key: 'invalid_argument',
  message: 'Invalid argument provided',
  status: 400,
  faults: [{ path: 'role_mapping', code: 2, message: 'Each line is a value and its roles', key: 'signOn.mapping' }],
} as const

/** The settings of an identity provider. */
export function ProviderDialog({ whiteLabel: id, settings, provider, onClose }: ProviderDialogProps) {
  const { t } = useTranslation(['settings', 'common'])
  const { house_space_id: house } = settings
  const other = provider?.default_space_id ?? null
  const isOther = other !== null && other !== house
  const offered = GIVEN_ROLES.filter((role) => ADVERTISER_ROLES.includes(role) === isOther)
  const start = initialValues(provider)
  const text = <Name extends 'name' | 'issuer' | 'client_id' | 'client_secret' | 'scopes' | 'role_claim'>(
    name: Name,
    required: boolean,
    help?: string,
  ) => ({
    label: t(`signOn.field.${name}`),
    kind: 'text' as const,
    required,
    initial: start[name],
    ...(help !== undefined && { help }),
  })
  return (
    <FieldsDialog
      title={t(provider === null ? 'signOn.add' : 'signOn.change')}
      text={t('signOn.dialogText')}
      fields={{
        name: text('name', true, t('signOn.help.name')),
        issuer: text('issuer', true, t('signOn.help.issuer')),
        client_id: text('client_id', true),
        client_secret: text(
          'client_secret',
          false,
          t(provider?.has_secret === true ? 'signOn.help.secretKept' : 'signOn.help.secret'),
        ),
        scopes: text('scopes', false, t('signOn.help.scopes')),
        default_space_id: {
          label: t('signOn.field.default_space_id'),
          kind: 'choice',
          initial: start.default_space_id,
          options: [
            { value: 'none', label: t('signOn.unknown.none') },
            ...(house === null ? [] : [{ value: house, label: t('signOn.unknown.staff') }]),
            ...(isOther ? [{ value: other, label: t('signOn.unknown.account', { id: other }) }] : []),
          ],
        },
        default_roles: {
          label: t('signOn.field.default_roles'),
          kind: 'choice',
          initial: start.default_roles,
          options: offered.map((role) => ({ value: role, label: t(`common:role.${role}`) })),
        },
        role_claim: text('role_claim', false, t('signOn.help.role_claim')),
        role_mapping: {
          label: t('signOn.field.role_mapping'),
          kind: 'words',
          initial: start.role_mapping,
          help: t('signOn.help.role_mapping'),
        },
        roles_follow_claim: {
          label: t('signOn.field.roles_follow_claim'),
          kind: 'switch',
          initial: start.roles_follow_claim,
          help: t('signOn.help.roles_follow_claim'),
        },
        trusts_addresses: {
          label: t('signOn.field.trusts_addresses'),
          kind: 'switch',
          initial: start.trusts_addresses,
          help: t('signOn.help.trusts_addresses'),
        },
        enabled: { label: t('signOn.field.enabled'), kind: 'switch', initial: start.enabled },
      }}
      confirm={t('signOn.save')}
      send={async (values) => {
        if (readMapping(values.role_mapping) === null) throw new AppError(MAPPING_FAULT)
        const body = sentOf(values)
        return provider === null
          ? call(addProvider, { params: { id }, body })
          : call(changeProvider, { params: { id, provider: provider.id }, body })
      }}
      invalidates={SIGN_ON_KEYS}
      done={(answer) => t(isHeld(answer) ? 'signOn.waits' : 'signOn.saved')}
      onClose={onClose}
    />
  )
}
