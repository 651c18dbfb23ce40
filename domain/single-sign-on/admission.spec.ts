import { describe, expect, it } from 'vitest'
import {
  admission,
  claimValues,
  keepsPassword,
  mappedRoles,
  NO_POWER,
  widens,
  type Known,
  type ProviderPower,
} from './admission.ts'

const RULES = { trustsAddresses: false, domains: ['acme.example'], admitsUnknown: true }
const VERIFIED = { email: 'ada@acme.example', emailVerified: true }
const ADA: Known = { id: 'ada', roles: ['USER_OWNER'], status_key: 5, suspended: false, deactivated: false }
const UNKNOWN = { linked: null, ofAddress: null }

describe('admission of a first sign-in', () => {
  it('links the person with the verified address', () =>
    expect(admission(VERIFIED, RULES, { ...UNKNOWN, ofAddress: ADA })).toEqual({
      kind: 'known',
      person: ADA,
      link: true,
      joins: false,
    }))

  it('makes a person for an unknown address where the provider admits them, and refuses it elsewhere', () => {
    expect(admission(VERIFIED, RULES, UNKNOWN)).toEqual({ kind: 'new', email: 'ada@acme.example' })
    expect(admission(VERIFIED, { ...RULES, admitsUnknown: false }, UNKNOWN)).toMatchObject({ reason: 'unknown' })
  })

  it.each([
    ['an address that is not verified', { ...VERIFIED, emailVerified: false }, 'unverified'],
    ['an address about which the provider says nothing', { ...VERIFIED, emailVerified: null }, 'unverified'],
    ['no address', { email: null, emailVerified: true }, 'unverified'],
    ['an address of another domain', { ...VERIFIED, email: 'ada@other.example' }, 'domain'],
    ['an address below the domain', { ...VERIFIED, email: 'ada@mail.acme.example' }, 'domain'],
  ] as const)('refuses %s', (_, claims, reason) =>
    expect(admission(claims, RULES, { ...UNKNOWN, ofAddress: ADA })).toEqual({ kind: 'refused', reason }),
  )

  it('takes a silent provider at its word where its addresses are trusted, and never against its word', () => {
    const trusting = { ...RULES, trustsAddresses: true }
    expect(admission({ ...VERIFIED, emailVerified: null }, trusting, UNKNOWN).kind).toBe('new')
    expect(admission({ ...VERIFIED, emailVerified: false }, trusting, UNKNOWN)).toMatchObject({ reason: 'unverified' })
  })

  it('lets an invited person join', () =>
    expect(admission(VERIFIED, RULES, { ...UNKNOWN, ofAddress: { ...ADA, status_key: 2 } })).toMatchObject({ joins: true }))
})

describe('admission of a linked person', () => {
  it('needs no address any more', () =>
    expect(admission({ email: null, emailVerified: null }, RULES, { linked: ADA, ofAddress: null })).toMatchObject({
      kind: 'known',
      link: false,
    }))

  // covers FP-84
  it.each([
    ['deactivated', { deactivated: true }, 'inactive'],
    ['suspended', { suspended: true }, 'inactive'],
    ['rejected', { status_key: 3 }, 'inactive'],
    ['a system administrator', { roles: ['WL_OWNER', 'SYSTEM_ADMIN'] as const }, 'administrator'],
  ])('refuses one who is %s', (_, change, reason) => {
    const person = { ...ADA, ...change }
    expect(admission(VERIFIED, RULES, { linked: person, ofAddress: null })).toEqual({ kind: 'refused', reason })
    expect(admission(VERIFIED, RULES, { linked: null, ofAddress: person })).toEqual({ kind: 'refused', reason })
  })
})

describe('roles by claim', () => {
  const MAPPING = [
    { value: 'buyers', roles: ['USER_OWNER'] as const },
    { value: 'finance', roles: ['ACCOUNTANT', 'USER_VIEWER'] as const },
    { value: 'root', roles: ['SYSTEM_ADMIN'] as const },
  ]
  const OF_ACCOUNT = ['ACCOUNTANT', 'USER_OWNER', 'USER_VIEWER'] as const

  it('adds up the roles of all values that are mapped', () => {
    expect(mappedRoles(['finance', 'buyers', 'other'], MAPPING, OF_ACCOUNT)).toEqual(['ACCOUNTANT', 'USER_OWNER', 'USER_VIEWER'])
    expect(mappedRoles(['finance'], MAPPING, ['USER_VIEWER'])).toEqual(['USER_VIEWER'])
  })

  it('gives none for values that are not mapped, and never that of system administrators', () => {
    expect(mappedRoles(['other'], MAPPING, OF_ACCOUNT)).toBeNull()
    expect(mappedRoles(null, MAPPING, OF_ACCOUNT)).toBeNull()
    expect(mappedRoles(['root'], MAPPING, [...OF_ACCOUNT, 'SYSTEM_ADMIN'])).toBeNull()
  })

  it('reads a claim by its name or by its path', () => {
    expect(claimValues({ 'https://x.example/roles': 'a' }, 'https://x.example/roles')).toEqual(['a'])
    expect(claimValues({ realm_access: { roles: ['a', 1, 'b'] } }, 'realm_access.roles')).toEqual(['a', 'b'])
    expect(claimValues({ groups: [] }, 'groups')).toEqual([])
    expect(claimValues({ groups: 1 }, 'groups')).toBeNull()
    expect(claimValues({}, '__proto__.constructor')).toBeNull()
  })

  it('leaves the password to owners alone', () => {
    expect(keepsPassword({ roles: ['WL_OWNER'] })).toBe(true)
    expect(keepsPassword({ roles: ['USER_OWNER', 'WL_MODERATOR'] })).toBe(false)
  })
})

describe('the settings of a provider', () => {
  const BEFORE: ProviderPower = { ...NO_POWER, clientId: 'placard', roleMapping: [{ value: 'a', roles: ['AUDITOR'] }] }

  it.each<[string, Partial<ProviderPower>]>([
    ['another client', { clientId: 'other' }],
    ['being switched on', { enabled: true }],
    ['addresses that are not verified', { trustsAddresses: true }],
    ['an account for unknown people', { defaultSpaceId: 'house' }],
    ['a role for them', { defaultRoles: ['AUDITOR'] }],
    ['another claim', { roleClaim: 'groups' }],
    ['roles that outlive the claim', { followsClaim: false }],
    ['another value', { roleMapping: [{ value: 'b', roles: ['AUDITOR'] }] }],
    ['another role of a value', { roleMapping: [{ value: 'a', roles: ['AUDITOR', 'WL_OWNER'] }] }],
  ])('the settings of a provider are wider by %s', (_, change) => {
    expect(widens(BEFORE, { ...BEFORE, ...change })).toBe(true)
  })

  it('the settings of a provider are not wider when something is taken away', () => {
    expect(widens(BEFORE, BEFORE)).toBe(false)
    const all = {
      ...BEFORE,
      enabled: true,
      trustsAddresses: true,
      defaultSpaceId: 'house',
      roleClaim: 'groups',
      followsClaim: false,
    }
    expect(widens(all, { ...BEFORE, roleMapping: [] })).toBe(false)
  })
})
