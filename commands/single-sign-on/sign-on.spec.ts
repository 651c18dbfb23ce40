import { describe, expect, it } from 'vitest'
import type { Member } from '#domain/account/team'
import type { Asker, Invitee, TeamPlace } from '../identity/team.ts'
import { createSignOn, type SignOnDeps } from './sign-on.ts'
import type { Identified, Passed, Person, Provider } from './single-sign-on-port.ts'

const PROVIDER: Provider = {
  id: 'acme',
  whitelabelId: 'dsp',
  name: 'Acme',
  issuer: 'https://acme.example',
  clientId: 'placard',
  clientSecret: null,
  scopes: [],
  trustsAddresses: false,
  defaultSpaceId: 'house',
  defaultRoles: ['WL_MODERATOR'],
  roleClaim: 'groups',
  roleMapping: [{ value: 'judges', roles: ['WL_MODERATOR'] }],
  enabled: true,
  version: '1',
}
const IVY: Identified = {
  subject: 'ivy',
  email: 'ivy@acme.example',
  emailVerified: true,
  firstName: 'Ivy',
  lastName: 'Okafor',
  roleValues: null,
  signOut: null,
  session: null,
}
const PERSON: Person = {
  id: 'ivy',
  whitelabelId: 'dsp',
  spaceId: 'house',
  roles: ['WL_MODERATOR', 'AUDITOR'],
  status_key: 5,
  suspended: false,
  deactivated: false,
}

/** A sign-in at a provider of the white-label `dsp`, and what it does to the people of its staff. */
function signOnOf({ claims = {}, person = null, placeOf = 'dsp' }: Given = {}) {
  const changed: string[] = []
  const invited: Invitee[] = []
  const passed = new Map<string, Passed>()
  let enabled = true
  const store: Partial<SignOnDeps['store']> = {
    enabled: async () => (enabled ? PROVIDER : null),
    verifiedDomains: async () => ['acme.example'],
    begin: async () => undefined,
    take: async () => ({ providerId: PROVIDER.id, returnTo: '/' }),
    pass: async (code, _, one) => void passed.set(code, one),
    redeem: async (code) => passed.get(code) ?? null,
    linked: async () => person,
    ofAddress: async () => (invited.length > 0 ? PERSON : null),
    link: async () => true,
  }
  const member: Member = { person_id: PERSON.id, roles: PERSON.roles, state: 'active' }
  const team = {
    people: async () => ({ state: { house: true, team: [member] } }),
    admit: async (_: TeamPlace, __: unknown, ___: string, invitee: Invitee) => void invited.push(invitee),
    changeRoles: async (_: string, __: Asker, ___: string, roles: readonly string[]) => void changed.push(roles.join()),
  }
  const deps = {
    store,
    team,
    openId: { identify: async () => ({ ...IVY, ...claims }) },
    placeOf: async (spaceId: string) => ({ spaceId, whitelabelId: placeOf, name: 'House' }),
    redirectUriOf: () => 'https://dsp.example/callback',
    newId: () => 'id',
    derivedId: (...parts: readonly string[]) => parts.join(),
    onFault: () => undefined,
    onLinked: async () => undefined,
  } as unknown as SignOnDeps
  const signOn = createSignOn(deps)
  return {
    changed,
    invited,
    switchOff: () => (enabled = false),
    finish: () => signOn.finish('dsp', 'browser', new URLSearchParams({ state: 'state' })),
    redeem: (code: string) => signOn.redeem('dsp', code, 'browser'),
  }
}
type Given = { readonly claims?: Partial<Identified>; readonly person?: Person | null; readonly placeOf?: string }

describe('a sign-in at a provider', () => {
  it('is not redeemed when its provider was switched off since', async () => {
    const { finish, redeem, switchOff } = signOnOf({ person: PERSON })
    const finished = await finish()
    const code = finished.kind === 'passed' ? finished.code : ''
    expect(await redeem(code)).toMatchObject({ personId: 'ivy' })
    switchOff()
    expect(await redeem(code)).toBeNull()
  })

  it('takes the roles away that the claim no longer says', async () => {
    const { changed, finish } = signOnOf({ person: PERSON, claims: { roleValues: ['judges'] } })
    expect((await finish()).kind).toBe('passed')
    expect(changed).toEqual(['WL_MODERATOR'])
  })

  it('of an unknown person makes none in an account of another white-label', async () => {
    const { finish, invited } = signOnOf({ placeOf: 'other' })
    expect(await finish()).toEqual({ kind: 'refused', reason: 'unknown' })
    expect(invited).toEqual([])
  })

  it.each([
    ['Ivy', 'Ivy'],
    ['  Ivy ', 'Ivy'],
    ['https://evil.example', ''],
    ['x'.repeat(101), ''],
  ])('makes a person of the first name %j with the name %j', async (firstName, first_name) => {
    const { finish, invited } = signOnOf({ claims: { firstName } })
    expect((await finish()).kind).toBe('passed')
    expect(invited).toMatchObject([{ first_name, last_name: 'Okafor' }])
  })
})
