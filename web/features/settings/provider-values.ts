import type { SentProvider, SignOnProvider } from '#contract/single-sign-on'
import { ROLES, type Role } from '#domain/kit/access'
import { USUAL_ROLE } from '#domain/single-sign-on/admission'

/** How the settings of an identity provider stand in a dialog, and back. */

const NONE = 'none'

const isRole = (text: string): text is Role => ROLES.some((role) => role === text)
const words = (text: string, separator: RegExp): string[] => text.split(separator).filter((word) => word !== '')

/** One line for each value of the claim: `group = ROLE, ROLE`. */
export const mappingText = (mapping: SignOnProvider['role_mapping']): string =>
  mapping.map(({ value, roles }) => `${value} = ${roles.join(', ')}`).join('\n')

/** Null for a line that gives no known role. */
export function readMapping(text: string): SignOnProvider['role_mapping'] | null {
  const lines = words(text, /\n/).filter((line) => line.trim() !== '')
  const read = lines.map((line) => {
    const at = line.lastIndexOf('=')
    const roles = words(line.slice(at + 1).toUpperCase(), /[\s,]+/)
    return { value: line.slice(0, Math.max(at, 0)).trim(), roles: roles.filter(isRole), isRight: roles.every(isRole) }
  })
  if (read.some(({ value, roles, isRight }) => value === '' || roles.length === 0 || !isRight)) return null
  return read.map(({ value, roles }) => ({ value, roles }))
}

export function initialValues(provider: SignOnProvider | null) {
  const usual: string = provider?.default_roles[0] ?? USUAL_ROLE
  return {
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scopes: (provider?.scopes ?? ['email', 'profile']).join(' '),
    default_space_id: provider?.default_space_id ?? NONE,
    default_roles: usual,
    role_claim: provider?.role_claim ?? '',
    role_mapping: mappingText(provider?.role_mapping ?? []),
    roles_follow_claim: provider?.roles_follow_claim !== false,
    trusts_addresses: provider?.trusts_addresses === true,
    enabled: provider?.enabled !== false,
  }
}

export type ProviderValues = Readonly<ReturnType<typeof initialValues>>

/** The body of a change; an empty secret keeps the one that is stored. */
export function sentOf({ client_secret, default_space_id: space, default_roles: role, ...values }: ProviderValues): SentProvider {
  return {
    ...values,
    ...(client_secret !== '' && { client_secret }),
    scopes: words(values.scopes, /\s+/),
    default_space_id: space === NONE ? null : space,
    default_roles: space !== NONE && isRole(role) ? [role] : [],
    role_claim: values.role_claim || null,
    role_mapping: readMapping(values.role_mapping) ?? [],
  }
}
