import { expect, it } from 'vitest'
import { initialValues, mappingText, readMapping, sentOf } from './provider-values.ts'

it('reads the mapping that it writes, in any case and spacing', () => {
  const mapping = [
    { value: 'cn=buyers', roles: ['USER_OWNER' as const, 'ACCOUNTANT' as const] },
    { value: 'audit', roles: ['AUDITOR' as const] },
  ]
  expect(readMapping(mappingText(mapping))).toEqual(mapping)
  expect(readMapping(' audit=auditor \n\n')).toEqual([{ value: 'audit', roles: ['AUDITOR'] }])
  expect(readMapping('')).toEqual([])
})

it.each(['audit', 'audit =', '= AUDITOR', 'audit = KING', 'audit = AUDITOR, KING'])('refuses the line "%s"', (line) => {
  expect(readMapping(line)).toBeNull()
})

it('keeps the stored secret where none was typed, and the account of a provider that it does not offer', () => {
  const provider = {
    id: 'p',
    name: 'Acme',
    issuer: 'https://id.acme.example',
    client_id: 'placard',
    scopes: ['email'],
    trusts_addresses: true,
    default_space_id: 'space',
    default_roles: ['USER_VIEWER' as const],
    role_claim: null,
    role_mapping: [],
    roles_follow_claim: true,
    enabled: false,
  }
  const { id: _, ...sent } = provider
  expect(sentOf(initialValues({ ...provider, has_secret: true, domains: 0 }))).toEqual(sent)
  expect(sentOf({ ...initialValues(null), client_secret: 's' })).toMatchObject({
    client_secret: 's',
    default_space_id: null,
    default_roles: [],
    enabled: true,
  })
})
