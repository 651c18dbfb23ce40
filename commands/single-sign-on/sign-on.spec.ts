import { describe, expect, it } from 'vitest'
import type { Member } from '#domain/account/team'
import type { Team } from '../identity/team.ts'
import type { Issuer } from '../identity/team-command.ts'
import type { Invitee, TeamPlace } from '../identity/team-port.ts'
import { createSignOn, type SignOnDeps } from './sign-on.ts'
import type { Identified, Passed, Person, Provider } from './single-sign-on-port.ts'

const OWNERS = [{ value: 'own', roles: ['WL_OWNER'] }] as const
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
  followsClaim: false,
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
function signOnOf({
  claims = {},
  person = null,
  placeOf = 'dsp',
  settings = {},
  rule = false,
  known = null,
  isTaken = false,
}: Given = {}) {
  const provider = { ...PROVIDER, ...settings }
  const asked: string[] = []
  const withdrawn: string[] = []
  const mailed: string[] = []
  const changed: string[] = []
  const invited: Invitee[] = []
  const passed = new Map<string, Passed>()
  let enabled = true
  const store: Partial<SignOnDeps['store']> = {
    enabled: async () => (enabled ? provider : null),
    verifiedDomains: async () => ['acme.example'],
    begin: async () => undefined,
    take: async () => ({ providerId: PROVIDER.id, returnTo: '/' }),
    pass: async (code, _, one) => void passed.set(code, one),
    redeem: async (code) => passed.get(code) ?? null,
    linked: async () => person,
    ofAddress: async () => (invited.length > 0 ? PERSON : known),
    hasLink: async () => isTaken,
    made: async () => undefined,
    link: async () => true,
  }
  const { roles } = person ?? PERSON
  const member: Member = { person_id: PERSON.id, roles, state: 'active' }
  const team = {
    people: async () => ({ state: { house: true, team: [member] } }),
    admit: async (_: TeamPlace, __: unknown, ___: string, invitee: Invitee) => void invited.push(invitee),
    change: async (_: string, __: Issuer, command: Parameters<Team['change']>[2]) => {
      const roles = command.type === 'ChangeRoles' ? command.roles : []
      changed.push(roles.join())
      return { position: 7n }
    },
  }
  const secondKey: SignOnDeps['secondKey'] = {
    asksForRoles: async () => rule,
    askForRoles: async (one) => void asked.push(`${one.personId} ${one.roles.join()} not by ${one.makers.join()}`),
    withdrawRoles: async (of) => void withdrawn.push(of.roles.join()),
    mailOthers: async ({ id, what, by }) => void mailed.push(`${what} of ${id} but to ${by.join()}`),
  }
  const deps = {
    secondKey,
    makersOf: async () => ['maker'],
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
    asked,
    withdrawn,
    mailed,
    changed,
    invited,
    switchOff: () => (enabled = false),
    finish: () => signOn.finish('dsp', 'browser', new URLSearchParams({ state: 'state' })),
    redeem: (code: string) => signOn.redeem('dsp', code, 'browser'),
  }
}
type Rules = {
  readonly settings: Partial<Provider>
  /** Whether roles need a second person. */
  readonly rule: boolean
  /** The person with the address of the claim. */
  readonly known: Person | null
  /** Whether another subject is linked to them. */
  readonly isTaken: boolean
}
type Given = {
  readonly claims?: Partial<Identified>
  readonly person?: Person | null
  readonly placeOf?: string
} & Partial<Rules>

describe('a sign-in at a provider', () => {
  it('a sign-in at a provider is not redeemed when its provider was switched off since', async () => {
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

  it('leaves the roles of a person whom the claim names no more, unless roles follow the claim', async () => {
    const { changed, finish } = signOnOf({ person: PERSON, claims: { roleValues: ['others'] } })
    expect((await finish()).kind).toBe('passed')
    expect(changed).toEqual([])
  })

  it.each([[[]], [['others']], [null]])('takes the role of an owner whom the claim %j names no more', async (roleValues) => {
    const owner: Person = { ...PERSON, roles: ['WL_OWNER'] }
    const settings = { followsClaim: true, roleMapping: OWNERS }
    const { changed, finish, withdrawn } = signOnOf({ person: owner, claims: { roleValues }, settings })
    expect((await finish()).kind).toBe('passed')
    expect(changed).toEqual(['WL_MODERATOR'])
    expect(withdrawn).toEqual(['SYSTEM_ADMIN,WL_OWNER'])
  })

  it('keeps the roles that the claim does not give, where the provider has none for others, and refuses a person without any', async () => {
    const settings = { followsClaim: true, roleMapping: OWNERS, defaultSpaceId: null, defaultRoles: [] }
    const claims = { roleValues: [] }
    const both = signOnOf({ person: { ...PERSON, roles: ['WL_OWNER', 'AUDITOR'] }, claims, settings })
    expect((await both.finish()).kind).toBe('passed')
    expect(both.changed).toEqual(['AUDITOR'])
    const one = signOnOf({ person: { ...PERSON, roles: ['WL_OWNER'] }, claims, settings })
    expect(await one.finish()).toEqual({ kind: 'refused', reason: 'unknown' })
  })

  it('lets the role of an owner wait where roles need a second person, for known and new people', async () => {
    const given = { rule: true, claims: { roleValues: ['own'] }, settings: { roleMapping: OWNERS } }
    const known = signOnOf({ ...given, person: PERSON })
    expect((await known.finish()).kind).toBe('passed')
    expect(known.changed).toEqual([])
    expect(known.asked).toEqual(['ivy WL_OWNER not by maker'])
    const added = signOnOf(given)
    expect((await added.finish()).kind).toBe('passed')
    expect(added.invited).toMatchObject([{ roles: ['WL_MODERATOR'] }])
    expect(new Set(added.asked)).toEqual(new Set(['ivy WL_OWNER not by maker']))
  })

  it('gives the role of an owner at once where they have it, and where roles need no second person', async () => {
    const given = { claims: { roleValues: ['own'] }, settings: { roleMapping: OWNERS } }
    const owner = signOnOf({ ...given, rule: true, person: { ...PERSON, roles: ['WL_OWNER', 'AUDITOR'] } })
    expect((await owner.finish()).kind).toBe('passed')
    expect([owner.changed, owner.asked]).toEqual([['WL_OWNER'], []])
    const free = signOnOf({ ...given, person: PERSON })
    expect((await free.finish()).kind).toBe('passed')
    expect([free.changed, free.asked]).toEqual([['WL_OWNER'], []])
  })

  it('mails the other owners when a claim makes an owner who needs no second person, known or new, and else not', async () => {
    const given = { claims: { roleValues: ['own'] }, settings: { roleMapping: OWNERS } }
    const mailsOf = async (over: Given) => {
      const { finish, mailed } = signOnOf({ ...given, ...over })
      expect((await finish()).kind).toBe('passed')
      return mailed
    }
    expect(await mailsOf({ person: PERSON })).toEqual(['confirming_roles of ivy 7 but to ivy'])
    expect(await mailsOf({})).toContain('confirming_roles of ivy new but to ivy')
    expect(await mailsOf({ person: { ...PERSON, roles: ['WL_OWNER', 'AUDITOR'] } })).toEqual([])
    expect(await mailsOf({ person: PERSON, rule: true })).toEqual([])
  })

  it('a sign-in of a second subject does not take over a linked person', async () => {
    expect(await signOnOf({ known: PERSON, isTaken: true }).finish()).toEqual({ kind: 'refused', reason: 'unverified' })
    expect((await signOnOf({ known: PERSON }).finish()).kind).toBe('passed')
  })

  it('a sign-in of an unknown person makes none in an account of another white-label', async () => {
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
