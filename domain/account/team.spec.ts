import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Role } from '../kit/access.ts'
import { decide, evolve, initial, type AccountCommand, type AccountEvent, type AccountState } from './account.ts'
import { givesRoles, isTeamEvent, MOST_PEOPLE, rolesOfTeam, teamOf, type Member, type TeamCommand } from './team.ts'

const opening = (house: boolean): AccountCommand => ({
  type: 'OpenAccount',
  spaceId: 's',
  whitelabelId: 'dsp',
  name: 'Nile',
  currency: 'USD',
  house,
})
const ada: Member = { person_id: 'ada', roles: ['USER_OWNER'], state: 'active' }
const asked = { by: 'ada', byAdministrator: false, known: [ada] }
type Bare = TeamCommand extends infer Each ? (Each extends TeamCommand ? Omit<Each, keyof typeof asked> : never) : never
const by =
  (over: Partial<Pick<TeamCommand, 'by' | 'byAdministrator' | 'known'>>) =>
  (command: Bare): AccountCommand => ({ ...asked, ...over, ...command })
const plain = by({})

const invite = (personId: string, ...roles: readonly Role[]) => plain({ type: 'InvitePerson', personId, roles })
const join = (personId: string) => plain({ type: 'JoinTeam', personId })
const withdraw = (personId: string) => plain({ type: 'WithdrawInvitation', personId })
const repeat = (personId: string) => plain({ type: 'RepeatInvitation', personId })
const roles = (personId: string, ...next: readonly Role[]) => plain({ type: 'ChangeRoles', personId, roles: next })
const deactivate = (personId: string) => plain({ type: 'DeactivatePerson', personId })
const reactivate = (personId: string) => plain({ type: 'ReactivatePerson', personId })
const addRole = (personId: string, role: Role) => plain({ type: 'AddRole', personId, role })
const removeRole = (personId: string, role: Role) => plain({ type: 'RemoveRole', personId, role })
const handOver = (personId: string) => plain({ type: 'HandOver', personId })
const eve = [invite('eve', 'ACCOUNTANT'), join('eve')]

function run(commands: readonly AccountCommand[], house = false): AccountState {
  return [opening(house), ...commands].reduce((state, command) => {
    const decision = decide(command, state)
    return decision.kind === 'events' ? decision.events.reduce<AccountState>(evolve, state) : state
  }, initial)
}
function outcome(command: AccountCommand, state: AccountState): readonly string[] | number {
  const decision = decide(command, state)
  return decision.kind === 'events' ? decision.events.map(({ type }) => type) : decision.rejection.code
}

describe('the people of an account', () => {
  it.each<[string, readonly AccountCommand[], AccountCommand, readonly string[] | number]>([
    ['are recorded before the first command about them', [], invite('eve', 'ACCOUNTANT'), ['PeopleRecorded', 'PersonInvited']],
    ['are recorded once', eve, invite('bob', 'ACCOUNTANT'), ['PersonInvited']],
    ['join by their invitation', [invite('eve', 'ACCOUNTANT')], join('eve'), ['PersonJoined']],
    ['join once', eve, join('eve'), []],
    ['cannot join once the invitation was taken back', [invite('eve', 'ACCOUNTANT'), withdraw('eve')], join('eve'), 6],
    ['cannot join while they are kept out', [...eve, deactivate('eve')], join('eve'), 5],
    ['are invited once', [invite('eve', 'ACCOUNTANT')], invite('eve', 'USER_OWNER'), 1400],
    ['need no invitation', eve, invite('eve', 'USER_OWNER'), 1401],
    [
      'are invited again after it was taken back',
      [invite('eve', 'ACCOUNTANT'), withdraw('eve')],
      invite('eve', 'USER_OWNER'),
      ['PersonInvited'],
    ],
    ['get one role', eve, addRole('eve', 'USER_VIEWER'), ['PersonRolesChanged']],
    ['get a role once', eve, addRole('eve', 'ACCOUNTANT'), []],
    ['lose one role', [...eve, addRole('eve', 'USER_VIEWER')], removeRole('eve', 'ACCOUNTANT'), ['PersonRolesChanged']],
    ['do not lose a role that they have not', eve, removeRole('eve', 'USER_VIEWER'), []],
    ['keep their only role', eve, removeRole('eve', 'ACCOUNTANT'), 2],
    ['get no role of another kind of account', eve, addRole('eve', 'WL_OWNER'), 2],
    ['get no role before they join', [invite('eve', 'ACCOUNTANT')], addRole('eve', 'USER_VIEWER'), 1402],
    ['get their mail again', [invite('eve', 'ACCOUNTANT')], repeat('eve'), ['InvitationRepeated']],
    ['get no mail again that they accepted', eve, repeat('eve'), 1401],
    ['lose no invitation that they accepted', eve, withdraw('eve'), 1401],
    ['need a role', [], invite('eve'), 2],
    ['have each role once', [], invite('eve', 'ACCOUNTANT', 'ACCOUNTANT'), 2],
    ['are no staff of the white-label', [], invite('eve', 'WL_MODERATOR'), 2],
    ['get other roles', eve, roles('eve', 'USER_OWNER'), ['PersonRolesChanged']],
    ['have these roles already', eve, roles('eve', 'ACCOUNTANT'), []],
    ['get no other roles before they joined', [invite('eve', 'ACCOUNTANT')], roles('eve', 'USER_OWNER'), 1402],
    ['are kept out', eve, deactivate('eve'), ['PersonDeactivated']],
    ['are not kept out before they joined', [invite('eve', 'ACCOUNTANT')], deactivate('eve'), 1402],
    ['are let in again', [...eve, deactivate('eve')], reactivate('eve'), ['PersonReactivated']],
    ['do not change their own access', [...eve, roles('eve', 'USER_OWNER')], roles('ada', 'ACCOUNTANT'), 3],
    ['do not keep themselves out', [...eve, roles('eve', 'USER_OWNER')], deactivate('ada'), 3],
    ['are unknown', [], deactivate('zed'), 6],
    ['take the ownership over', eve, handOver('eve'), ['PersonRolesChanged', 'PersonRolesChanged']],
    ['do not take it over before they joined', [invite('eve', 'ACCOUNTANT')], handOver('eve'), 1402],
  ])('%s', (_, before, command, expected) => expect(outcome(command, run(before))).toEqual(expected))

  it('swap their roles when one hands the ownership over', () => {
    const team = teamOf(run([...eve, handOver('eve')]))
    expect(team.map((member) => [member.person_id, member.roles])).toEqual([
      ['ada', ['ACCOUNTANT']],
      ['eve', ['USER_OWNER', 'ACCOUNTANT']],
    ])
  })

  it('keep their last owner, also when staff ask', () => {
    const staff = by({ by: 'owner of the white-label' })
    const state = run(eve)
    expect(outcome(staff({ type: 'DeactivatePerson', personId: 'ada' }), state)).toBe(2)
    expect(outcome(staff({ type: 'ChangeRoles', personId: 'ada', roles: ['ACCOUNTANT'] }), state)).toBe(2)
    expect(outcome(staff({ type: 'HandOver', personId: 'eve' }), state)).toBe(3)
  })

  it('are as many as an account may have, those who were kept out not counted', () => {
    const many = Array.from({ length: MOST_PEOPLE - 1 }, (_, n) => invite(`p${n}`, 'ACCOUNTANT'))
    expect(outcome(invite('one more', 'ACCOUNTANT'), run(many))).toBe(2)
    const left = run([...many, join('p0'), deactivate('p0')])
    expect(outcome(invite('one more', 'ACCOUNTANT'), left)).toEqual(['PersonInvited'])
    expect(outcome(reactivate('p0'), run([...many, join('p0'), deactivate('p0'), invite('one more', 'ACCOUNTANT')]))).toBe(2)
  })

  it('follow their records where those say more: who confirmed by themselves, and who was erased', () => {
    const waiting: Member = { person_id: 'bob', roles: ['ACCOUNTANT'], state: 'invited' }
    const first = run([by({ known: [ada, waiting] })({ type: 'RecordPeople' })])
    expect(teamOf(first).map(({ state }) => state)).toEqual(['active', 'invited'])
    const later = by({
      known: [
        { ...ada, state: 'erased' },
        { ...waiting, state: 'active' },
      ],
    })({ type: 'RecordPeople' })
    const decision = decide(later, first)
    const events = decision.kind === 'events' ? decision.events : []
    expect(teamOf(events.reduce<AccountState>(evolve, first)).map(({ state }) => state)).toEqual(['erased', 'active'])
  })

  it('who were kept out stay out, whatever an older record says', () => {
    const out = run([...eve, deactivate('eve')])
    const stale = by({ known: [ada, { person_id: 'eve', roles: ['ACCOUNTANT'], state: 'active' }] })
    expect(outcome(stale({ type: 'RecordPeople' }), out)).toEqual([])
  })
})

describe('the staff of a white-label', () => {
  const root: Member = { person_id: 'root', roles: ['SYSTEM_ADMIN'], state: 'active' }
  const owner: Member = { person_id: 'own', roles: ['WL_OWNER'], state: 'active' }
  const known = [root, owner]
  const asOwner = by({ by: 'own', known })
  const asRoot = by({ by: 'root', byAdministrator: true, known })

  it('leave system administrators to each other', () => {
    const state = run([asOwner({ type: 'RecordPeople' })], true)
    expect(outcome(asOwner({ type: 'InvitePerson', personId: 'eve', roles: ['SYSTEM_ADMIN'] }), state)).toBe(3)
    expect(outcome(asOwner({ type: 'DeactivatePerson', personId: 'root' }), state)).toBe(6)
    expect(outcome(asRoot({ type: 'InvitePerson', personId: 'eve', roles: ['SYSTEM_ADMIN'] }), state)).toEqual(['PersonInvited'])
  })

  it('are no people of an advertiser', () => {
    expect(outcome(asOwner({ type: 'InvitePerson', personId: 'eve', roles: ['USER_OWNER'] }), run([], true))).toBe(2)
    expect([...rolesOfTeam(true), ...rolesOfTeam(false)].length).toBe(new Set([...rolesOfTeam(true), ...rolesOfTeam(false)]).size)
  })
})

describe('an account with an owner', () => {
  const PEOPLE = ['ada', 'bob', 'eve', 'kim']
  const person = fc.constantFrom(...PEOPLE)
  const role = fc.constantFrom<Role[]>(['USER_OWNER'], ['ACCOUNTANT'], ['USER_OWNER', 'ACCOUNTANT'])
  const command: fc.Arbitrary<AccountCommand> = fc
    .record({
      by: person,
      personId: person,
      roles: role,
      role: fc.constantFrom('USER_OWNER' as const, 'ACCOUNTANT' as const),
      // What the records said when the command was asked: possibly long ago.
      known: fc.constantFrom<readonly Member[]>([ada], [ada, { person_id: 'kim', roles: ['USER_OWNER'], state: 'active' }]),
      type: fc.constantFrom(
        'InvitePerson',
        'WithdrawInvitation',
        'JoinTeam',
        'ChangeRoles',
        'AddRole',
        'RemoveRole',
        'DeactivatePerson',
        'ReactivatePerson',
        'HandOver',
      ),
    })
    .map((given) => ({ ...given, byAdministrator: false }))

  /** Who is in and who owns, told from the events alone. */
  function told(events: readonly AccountEvent[]) {
    const inside = new Set<string>()
    const owning = new Set<string>()
    const owns = (id: string, given: readonly Role[]) => (given.includes('USER_OWNER') ? owning.add(id) : owning.delete(id))
    for (const { type, data } of events) {
      if (type === 'PeopleRecorded')
        for (const one of data.people) {
          if (one.state === 'active') inside.add(one.person_id)
          owns(one.person_id, one.roles)
        }
      if (type === 'PersonInvited') owns(data.person_id, data.roles)
      if (type === 'PersonRolesChanged') owns(data.person_id, data.to)
      if (type === 'PersonJoined' || type === 'PersonReactivated') inside.add(data.person_id)
      if (type === 'PersonDeactivated') inside.delete(data.person_id)
    }
    return { inside, owners: [...owning].filter((id) => inside.has(id)) }
  }

  it('keeps one in every order of invitations, roles, removals and hand-overs', () => {
    const reached = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 40, size: 'max' }), (commands) => {
        let state = run([])
        const events: AccountEvent[] = []
        for (const one of commands) {
          const decision = decide(one, state)
          if (decision.kind === 'rejected') continue
          events.push(...decision.events)
          state = decision.events.reduce<AccountState>(evolve, state)
          const { inside, owners } = told(events)
          expect(owners.length).toBeGreaterThan(0)
          const active = teamOf(state).filter((member) => member.state === 'active')
          expect(new Set(active.map(({ person_id }) => person_id))).toEqual(inside)
        }
        for (const { type } of events) reached.set(type, (reached.get(type) ?? 0) + 1)
      }),
      { numRuns: 600 },
    )
    for (const type of ['PersonJoined', 'PersonRolesChanged', 'PersonDeactivated', 'PersonReactivated', 'InvitationWithdrawn'])
      expect(reached.get(type), type).toBeGreaterThan(50)
  })

  it('knows which acts give a person a role, as a comparison of everyone before and after does', () => {
    const reached = new Map<boolean, number>()
    /** Person and role: those that a member has, and those that they may use. */
    const pairs = (state: AccountState) => {
      const members = teamOf(state).filter((member) => member.state !== 'withdrawn' && member.state !== 'erased')
      const of = (some: readonly Member[]) =>
        some.flatMap(({ person_id, roles: held }) => held.map((one) => `${person_id} ${one}`))
      return { held: of(members), usable: of(members.filter((member) => member.state !== 'deactivated')) }
    }
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 40, size: 'max' }), (commands) => {
        let state = run([plain({ type: 'RecordPeople' })])
        // Records that arrive later are no act of an owner.
        for (const one of commands.map((each) => ({ ...each, known: [] }))) {
          const decision = decide(one, state)
          if (decision.kind === 'rejected') continue
          const before = pairs(state)
          state = decision.events.reduce<AccountState>(evolve, state)
          const after = pairs(state)
          const gives =
            after.held.some((pair) => !before.held.includes(pair)) || after.usable.some((pair) => !before.usable.includes(pair))
          expect(givesRoles(decision.events.filter(isTeamEvent))).toBe(gives)
          reached.set(gives, (reached.get(gives) ?? 0) + 1)
        }
      }),
      { numRuns: 300 },
    )
    for (const gives of [true, false]) expect(reached.get(gives), String(gives)).toBeGreaterThan(100)
  })

  it('says who asked, where a second person confirmed it', () => {
    const events = (confirmed: boolean) => {
      const decision = decide({ ...asked, confirmed, type: 'InvitePerson', personId: 'eve', roles: ['ACCOUNTANT'] }, run([]))
      return decision.kind === 'events' ? decision.events.at(-1)?.data : null
    }
    expect(events(true)).toEqual({ person_id: 'eve', roles: ['ACCOUNTANT'], asked_by: 'ada' })
    expect(events(false)).toEqual({ person_id: 'eve', roles: ['ACCOUNTANT'] })
  })
})
