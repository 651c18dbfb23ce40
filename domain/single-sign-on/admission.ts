import { PERSON_STATUS } from '../registration/person-status.ts'
import { ROLES, type Role } from '../kit/access.ts'
import { domainOfAddress } from './domains.ts'

/** Admission of users who sign in at an identity provider, and their roles (fine print 84). */

/** Claims about its subject in an ID token that was checked in full. */
export type Claims = {
  readonly subject: string
  /** Lower case; null where the provider sends none. */
  readonly email: string | null
  /** Null where the provider does not say. */
  readonly emailVerified: boolean | null
  readonly firstName: string
  readonly lastName: string
  /** Values of the claim that decides about roles; null without such a claim. */
  readonly roleValues: readonly string[] | null
}

/** Roles that a sign-in may give: system administrators stand above white-labels, whose owners choose the provider. */
export const GIVEN_ROLES: readonly Role[] = ROLES.filter((role) => role !== 'SYSTEM_ADMIN')
/** The role of new staff, unless the owner chooses another. */
export const USUAL_ROLE: Role = 'WL_MODERATOR'

export type RoleMapping = readonly { readonly value: string; readonly roles: readonly Role[] }[]

export type AdmissionRules = {
  /** The provider's addresses count as verified where it does not say whether they are. */
  readonly trustsAddresses: boolean
  /** Verified mail domains that are bound to the provider. */
  readonly domains: readonly string[]
  /** Whether people without a record get one. */
  readonly admitsUnknown: boolean
}

/** The parts of a person's record that decide. */
export type Known = {
  readonly id: string
  readonly roles: readonly Role[]
  readonly status_key: number
  readonly suspended: boolean
  readonly deactivated: boolean
}

/** Why a sign-in was refused; the sign-in page has a sentence for each. */
export const REFUSALS = [
  /** The request expired, was answered before, or began in another browser. */
  'over',
  /** The provider does not answer. */
  'away',
  /** The person or the provider declined. */
  'declined',
  /** The answer of the provider proves nothing. */
  'invalid',
  'unverified',
  'domain',
  'unknown',
  'inactive',
  'administrator',
] as const
export type SignOnRefusal = (typeof REFUSALS)[number]

export type Admission =
  | { readonly kind: 'refused'; readonly reason: SignOnRefusal }
  /** `link`: the person is not linked to the provider so far. `joins`: they accept their invitation by it. */
  | { readonly kind: 'known'; readonly person: Known; readonly link: boolean; readonly joins: boolean }
  | { readonly kind: 'new'; readonly email: string }

const refused = (reason: SignOnRefusal): Admission => ({ kind: 'refused', reason })

type Found = { readonly linked: Known | null; readonly ofAddress: Known | null; readonly isTaken?: boolean }

/**
 * Decides on a sign-in. `linked` is the person of the subject, `ofAddress` the person with its address in the white-label. The first
 * sign-in of a subject needs a verified address in a verified domain of the provider; later ones need neither. `isTaken`: another subject is
 * linked to the person with the address.
 */
export function admission(
  claims: Pick<Claims, 'email' | 'emailVerified'>,
  rules: AdmissionRules,
  { linked, ofAddress, isTaken = false }: Found,
): Admission {
  if (linked !== null) return letIn(linked, false)
  const { email, emailVerified } = claims
  const isVerified = emailVerified ?? rules.trustsAddresses
  if (email === null || !isVerified) return refused('unverified')
  const domain = domainOfAddress(email)
  if (domain === null || !rules.domains.includes(domain)) return refused('domain')
  if (ofAddress !== null) {
    const decided = letIn(ofAddress, true)
    // Addresses are given to others: the subject of before stays until an owner frees the person from it.
    return decided.kind === 'known' && isTaken ? refused('unverified') : decided
  }
  return rules.admitsUnknown ? { kind: 'new', email } : refused('unknown')
}

function letIn(person: Known, link: boolean): Admission {
  // They stand above white-labels, whose owners choose the provider.
  if (person.roles.includes('SYSTEM_ADMIN')) return refused('administrator')
  const joins = person.status_key === PERSON_STATUS.approved
  if (person.suspended || person.deactivated || (person.status_key !== PERSON_STATUS.active && !joins)) return refused('inactive')
  return { kind: 'known', person, link, joins }
}

/** The roles that the values of the claim give among those that the account knows; null where they give none. */
export function mappedRoles(
  values: readonly string[] | null,
  mapping: RoleMapping,
  ofAccount: readonly Role[],
): readonly Role[] | null {
  if (values === null) return null
  const given = mapping.filter(({ value }) => values.includes(value)).flatMap(({ roles }) => roles)
  const roles = ofAccount.filter((role) => given.includes(role) && GIVEN_ROLES.includes(role))
  return roles.length === 0 ? null : roles
}

/** Settings of a provider that decide whom it lets in, and as what. */
export type ProviderPower = {
  readonly clientId: string
  readonly trustsAddresses: boolean
  readonly defaultSpaceId: string | null
  readonly defaultRoles: readonly Role[]
  readonly roleClaim: string | null
  readonly roleMapping: RoleMapping
  /** Whether people lose the roles that the claim no longer names. */
  readonly followsClaim: boolean
  readonly enabled: boolean
}

/** The same on the wire: where roles need a second person, more of it waits (fine print 87). */
export const PROVIDER_POWER = [
  'client_id',
  'trusts_addresses',
  'default_space_id',
  'default_roles',
  'role_claim',
  'role_mapping',
  'roles_follow_claim',
  'enabled',
] as const

/** Power of a new provider before a second person confirmed its settings. */
export const NO_POWER: Omit<ProviderPower, 'clientId'> = {
  trustsAddresses: false,
  defaultSpaceId: null,
  defaultRoles: [],
  roleClaim: null,
  roleMapping: [],
  followsClaim: true,
  enabled: false,
}

/** Whether a provider lets in more, or as more, than before. */
export function widens(before: ProviderPower, after: ProviderPower): boolean {
  const pairs = ({ roleMapping }: ProviderPower) =>
    roleMapping.flatMap(({ value, roles }) => roles.map((role) => JSON.stringify([value, role])))
  const isNew = <T>(from: T | null, to: T | null) => to !== null && to !== from
  return (
    after.clientId !== before.clientId ||
    (after.enabled && !before.enabled) ||
    (after.trustsAddresses && !before.trustsAddresses) ||
    (before.followsClaim && !after.followsClaim) ||
    isNew(before.defaultSpaceId, after.defaultSpaceId) ||
    isNew(before.roleClaim, after.roleClaim) ||
    after.defaultRoles.some((role) => !before.defaultRoles.includes(role)) ||
    pairs(after).some((pair) => !pairs(before).includes(pair))
  )
}

/** Whether a person keeps the password where their domain has it switched off: a provider that is away must not lock owners out. */
export const keepsPassword = ({ roles }: Pick<Known, 'roles'>): boolean =>
  roles.includes('WL_OWNER') || roles.includes('SYSTEM_ADMIN')

/** Values of a claim, which a provider may nest: `realm_access.roles` is the list `roles` in the object `realm_access`. */
export function claimValues(claims: Readonly<Record<string, unknown>>, name: string): readonly string[] | null {
  const value = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(stepInto, claims)
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : null
}

const stepInto = (value: unknown, step: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, step)
    ? (value as Readonly<Record<string, unknown>>)[step]
    : undefined
