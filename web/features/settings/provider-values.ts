import type { SentProvider, SignOnProvider } from '#contract/single-sign-on'
import { ROLES, type Role } from '#domain/kit/access'
import { USUAL_ROLE } from '#domain/single-sign-on/admission'
import { textOf, type DialogValues } from '@/components/form/fields-dialog'

/** How the settings of an identity provider stand in a dialog, and back. */

const NONE = 'none'

const isRole = (text: string): text is Role => ROLES.some((role) => role === text)
const words = (text: string | null, separator: RegExp): string[] => (text ?? '').split(separator).filter((word) => word !== '')

/** One line for each value of the claim: `group = ROLE, ROLE`. */
export const mappingText = (mapping: SignOnProvider['role_mapping']): string =>
  mapping.map(({ value, roles }) => `${value} = ${roles.join(', ')}`).join('\n')

/** Null for a line that gives no known role. */
export function readMapping(text: string | null): SignOnProvider['role_mapping'] | null {
  const lines = words(text, /\n/).filter((line) => line.trim() !== '')
  const read = lines.map((line) => {
    const at = line.lastIndexOf('=')
    const roles = words(line.slice(at + 1).toUpperCase(), /[\s,]+/)
    return { value: line.slice(0, Math.max(at, 0)).trim(), roles: roles.filter(isRole), isRight: roles.every(isRole) }
  })
  if (read.some(({ value, roles, isRight }) => value === '' || roles.length === 0 || !isRight)) return null
  return read.map(({ value, roles }) => ({ value, roles }))
}

export const initialValues = (provider: SignOnProvider | null): DialogValues => ({
  name: provider?.name ?? '',
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  scopes: (provider?.scopes ?? ['email', 'profile']).join(' '),
  default_space_id: provider?.default_space_id ?? NONE,
  default_roles: provider?.default_roles[0] ?? USUAL_ROLE,
  role_claim: provider?.role_claim ?? '',
  role_mapping: mappingText(provider?.role_mapping ?? []),
  roles_follow_claim: provider?.roles_follow_claim === false ? 'no' : 'yes',
  trusts_addresses: provider?.trusts_addresses === true ? 'yes' : 'no',
  enabled: provider?.enabled === false ? 'no' : 'yes',
})

/** Sent values; an empty secret keeps the one that is stored. */
export function sentOf(values: DialogValues): SentProvider {
  const space = textOf(values, 'default_space_id')
  const role = textOf(values, 'default_roles')
  const secret = textOf(values, 'client_secret')
  return {
    name: textOf(values, 'name') ?? '',
    issuer: textOf(values, 'issuer') ?? '',
    client_id: textOf(values, 'client_id') ?? '',
    ...(secret === null ? {} : { client_secret: secret }),
    scopes: words(textOf(values, 'scopes'), /\s+/),
    trusts_addresses: values['trusts_addresses'] === 'yes',
    default_space_id: space === NONE ? null : space,
    default_roles: space !== NONE && role !== null && isRole(role) ? [role] : [],
    role_claim: textOf(values, 'role_claim'),
    role_mapping: readMapping(textOf(values, 'role_mapping')) ?? [],
    roles_follow_claim: values['roles_follow_claim'] === 'yes',
    enabled: values['enabled'] === 'yes',
  }
}
