import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { givenFor } from '#test/support/decider'
import { ACCESS, mayEver, rightsAt, type Action, type Role, type SingleRight } from '../kit/access.ts'
import type { ErrorCode } from '../kit/errors.ts'
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
  (over: Partial<Pick<TeamCommand, 'by' | 'byAdministrator' | 'confirmed' | 'known'>>) =>
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
const NOW = '2026-11-27T12:00:00.000Z'
const LATER = '2026-11-28T12:00:00.000Z'
const grant = (personId: string, right: SingleRight, until: string | null = null, now = NOW) =>
  plain({ type: 'GrantRight', personId, right, until, now })
const take = (personId: string, right: SingleRight, now = NOW) => plain({ type: 'TakeRight', personId, right, now })
const viewer = [invite('vera', 'USER_VIEWER'), join('vera')]
const handOver = (personId: string) => plain({ type: 'HandOver', personId })
const eve = [invite('eve', 'ACCOUNTANT'), join('eve')]

const team = givenFor({ decide, evolve, initial })
const given: typeof team = (...past) => team(opening(false), ...past)

describe('the people of an account', () => {
  it.each<[string, readonly AccountCommand[], AccountCommand, readonly AccountEvent['type'][] | ErrorCode]>([
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
    ['get a right beyond their role', viewer, grant('vera', 'campaign.write'), ['PersonRightChanged']],
    ['get a right once', [...viewer, grant('vera', 'campaign.write')], grant('vera', 'campaign.write'), []],
    ['get a right until an instant', viewer, grant('vera', 'campaign.write', LATER), ['PersonRightChanged']],
    [
      'keep a right for longer',
      [...viewer, grant('vera', 'campaign.write', LATER)],
      grant('vera', 'campaign.write'),
      ['PersonRightChanged'],
    ],
    ['get no right that is over', viewer, grant('vera', 'campaign.write', NOW), 2],
    ['get no right until what is no instant', viewer, grant('vera', 'campaign.write', 'soon'), 2],
    [
      'get a right again that is over',
      [...viewer, grant('vera', 'campaign.write', LATER)],
      grant('vera', 'campaign.write', null, LATER),
      ['PersonRightChanged'],
    ],
    ['get no right that is for other roles', viewer, grant('vera', 'invoice.write'), 2],
    ['get no right that their role has', viewer, grant('vera', 'campaign.read'), []],
    ['get no right of their role until an instant', viewer, grant('vera', 'campaign.read', LATER), 2],
    ['get no right before they joined', [invite('vera', 'USER_VIEWER')], grant('vera', 'campaign.write'), 1402],
    ['get no right while they are kept out', [...viewer, deactivate('vera')], grant('vera', 'campaign.write'), 1402],
    [
      'lose a right that was granted',
      [...viewer, grant('vera', 'campaign.write')],
      take('vera', 'campaign.write'),
      ['PersonRightChanged'],
    ],
    [
      'lose no right that is over',
      [...viewer, grant('vera', 'campaign.write', LATER)],
      take('vera', 'campaign.write', LATER),
      [],
    ],
    ['lose no right that other rights stand on', viewer, take('vera', 'campaign.read'), 2],
    ['lose a right of their role', eve, take('eve', 'balance.read'), ['PersonRightChanged']],
    ['lose a right once', [...eve, take('eve', 'balance.read')], take('eve', 'balance.read'), []],
    ['lose no right that they have not', viewer, take('vera', 'campaign.write'), []],
    ['lose no right of an owner', [...viewer, roles('vera', 'USER_OWNER')], take('vera', 'campaign.write'), 2],
    [
      'get a right of their role back',
      [...eve, take('eve', 'balance.read')],
      grant('eve', 'balance.read'),
      ['PersonRightChanged'],
    ],
    [
      'lose with their role what the new one may not have',
      [...viewer, grant('vera', 'campaign.write')],
      roles('vera', 'ACCOUNTANT'),
      ['PersonRolesChanged', 'PersonRightChanged'],
    ],
    [
      'keep with another role what both may have',
      [...viewer, grant('vera', 'campaign.write')],
      addRole('vera', 'ACCOUNTANT'),
      ['PersonRolesChanged'],
    ],
    [
      'lose what was granted when they are kept out',
      [...viewer, grant('vera', 'campaign.write')],
      deactivate('vera'),
      ['PersonDeactivated', 'PersonRightChanged'],
    ],
    [
      'do not get back what was taken when they are kept out',
      [...eve, take('eve', 'balance.read')],
      deactivate('eve'),
      ['PersonDeactivated'],
    ],
    ['do not change their own rights', [...eve, roles('eve', 'USER_OWNER')], grant('ada', 'campaign.read'), 3],
    ['do not take their own rights', [...eve, roles('eve', 'USER_OWNER')], take('ada', 'campaign.read'), 3],
    ['take the ownership over', eve, handOver('eve'), ['PersonRolesChanged', 'PersonRolesChanged']],
    ['do not take it over before they joined', [invite('eve', 'ACCOUNTANT')], handOver('eve'), 1402],
    [
      'do not take it over from one who is kept out',
      [...eve, invite('bob', 'USER_OWNER'), join('bob'), by({ by: 'bob' })({ type: 'DeactivatePerson', personId: 'ada' })],
      handOver('eve'),
      3,
    ],
  ])('the people of an account: %s', (_, before, command, expected) => {
    given(before).when(command).then(expected)
  })

  it('the people of an account swap their roles when one hands the ownership over', () => {
    expect(teamOf(given(eve, handOver('eve')).state).map((member) => [member.person_id, member.roles])).toEqual([
      ['ada', ['ACCOUNTANT']],
      ['eve', ['USER_OWNER', 'ACCOUNTANT']],
    ])
  })

  it('the people of an account have rights that name who granted them, and whom a second person confirmed', () => {
    const { state } = given(viewer)
      .when(by({ confirmed: true })({ type: 'GrantRight', personId: 'vera', right: 'balance.read', until: LATER, now: NOW }))
      .then([
        {
          type: 'PersonRightChanged',
          data: expect.objectContaining({
            person_id: 'vera',
            right: 'balance.read',
            to: 'granted',
            until: LATER,
            by: 'ada',
            asked_by: 'ada',
          }),
        },
      ])
    expect(teamOf(state).at(-1)?.rights).toEqual([{ right: 'balance.read', kind: 'granted', until: LATER, by: 'ada' }])
  })

  it('the people of an account need no second person to lose a right, only to get one or to get one back', () => {
    const gives = (command: AccountCommand, before: readonly AccountCommand[]) =>
      givesRoles(given(before).when(command).events.filter(isTeamEvent), command.type as TeamCommand['type'])
    expect(gives(grant('vera', 'campaign.write'), viewer)).toBe(true)
    expect(gives(grant('eve', 'balance.read'), [...eve, take('eve', 'balance.read')])).toBe(true)
    expect(gives(grant('vera', 'campaign.read'), viewer)).toBe(false)
    expect(gives(take('eve', 'balance.read'), eve)).toBe(false)
    expect(gives(take('vera', 'campaign.write'), [...viewer, grant('vera', 'campaign.write')])).toBe(false)
    expect(gives(deactivate('vera'), [...viewer, grant('vera', 'campaign.write')])).toBe(false)
  })

  it('the people of an account keep their last owner, also when staff ask', () => {
    const staff = by({ by: 'owner of the white-label' })
    const { when } = given(eve)
    when(staff({ type: 'DeactivatePerson', personId: 'ada' })).then(2, 'id:lastOwner')
    when(staff({ type: 'ChangeRoles', personId: 'ada', roles: ['ACCOUNTANT'] })).then(2)
    when(staff({ type: 'HandOver', personId: 'eve' })).then(3)
  })

  // covers FP-77
  it('the people of an account are as many as an account may have, those who were kept out not counted', () => {
    const many = Array.from({ length: MOST_PEOPLE - 1 }, (_, n) => invite(`p${n}`, 'ACCOUNTANT'))
    const oneMore = invite('one more', 'ACCOUNTANT')
    given(many).when(oneMore).then(2)
    given(many, join('p0'), deactivate('p0')).when(oneMore).then(['PersonInvited']).when(reactivate('p0')).then(2)
  })

  it('the people of an account follow their records where those say more: who confirmed by themselves, and who was erased', () => {
    const waiting: Member = { person_id: 'bob', roles: ['ACCOUNTANT'], state: 'invited' }
    const first = given(by({ known: [ada, waiting] })({ type: 'RecordPeople' }))
    expect(teamOf(first.state).map(({ state }) => state)).toEqual(['active', 'invited'])
    const later = by({
      known: [
        { ...ada, state: 'erased' },
        { ...waiting, state: 'active' },
      ],
    })({ type: 'RecordPeople' })
    expect(teamOf(first.when(later).state).map(({ state }) => state)).toEqual(['erased', 'active'])
  })

  it('the people of an account who were kept out stay out, whatever an older record says', () => {
    const stale = by({ known: [ada, { person_id: 'eve', roles: ['ACCOUNTANT'], state: 'active' }] })
    given(eve, deactivate('eve'))
      .when(stale({ type: 'RecordPeople' }))
      .then([])
  })
})

describe('the staff of a white-label', () => {
  const root: Member = { person_id: 'root', roles: ['SYSTEM_ADMIN'], state: 'active' }
  const owner: Member = { person_id: 'own', roles: ['WL_OWNER'], state: 'active' }
  const known = [root, owner]
  const asOwner = by({ by: 'own', known })
  const asRoot = by({ by: 'root', byAdministrator: true, known })

  // covers FP-77
  it('the staff of a white-label leave system administrators to each other', () => {
    const { when } = team(opening(true), asOwner({ type: 'RecordPeople' }))
    when(asOwner({ type: 'InvitePerson', personId: 'eve', roles: ['SYSTEM_ADMIN'] })).then(3)
    when(asOwner({ type: 'DeactivatePerson', personId: 'root' })).then(6)
    when(asRoot({ type: 'InvitePerson', personId: 'eve', roles: ['SYSTEM_ADMIN'] })).then(['PersonInvited'])
  })

  it('the staff of a white-label are no people of an advertiser', () => {
    team(opening(true))
      .when(asOwner({ type: 'InvitePerson', personId: 'eve', roles: ['USER_OWNER'] }))
      .then(2)
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
      // Records as of the time when the command was asked: possibly long ago.
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

  /** Members and owners, from the events alone. */
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
        let life = given()
        const events: AccountEvent[] = []
        for (const one of commands) {
          const after = life.when(one)
          if (after.refusal !== null) continue
          events.push(...after.events)
          life = after
          const { inside, owners } = told(events)
          expect(owners.length).toBeGreaterThan(0)
          const active = teamOf(life.state).filter((member) => member.state === 'active')
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
        let life = given(plain({ type: 'RecordPeople' }))
        // Records that arrive later are no act of an owner.
        for (const one of commands.map((each) => ({ ...each, known: [] }))) {
          const { state, events, refusal, when } = life.when(one)
          if (refusal !== null) continue
          const before = pairs(life.state)
          life = { state, when }
          const after = pairs(state)
          const gives =
            after.held.some((pair) => !before.held.includes(pair)) || after.usable.some((pair) => !before.usable.includes(pair))
          expect(givesRoles(events.filter(isTeamEvent), one.type as TeamCommand['type'])).toBe(gives)
          reached.set(gives, (reached.get(gives) ?? 0) + 1)
        }
      }),
      { numRuns: 300 },
    )
    for (const gives of [true, false]) expect(reached.get(gives), String(gives)).toBeGreaterThan(100)
  })

  it('says who asked, where a second person confirmed it', () => {
    const invited = (confirmed: boolean) =>
      given().when({ ...asked, confirmed, type: 'InvitePerson', personId: 'eve', roles: ['ACCOUNTANT'] })
    const data = { person_id: 'eve', roles: ['ACCOUNTANT'] } as const
    invited(true).then(['PeopleRecorded', { type: 'PersonInvited', data: { ...data, asked_by: 'ada' } }])
    invited(false).then(['PeopleRecorded', { type: 'PersonInvited', data }])
  })
})

describe('single rights', () => {
  // Copied by hand, like the model below: they share nothing with the product.
  const HAS: Readonly<Record<string, readonly string[]>> = {
    'campaign.read': ['WL_OWNER', 'WL_MODERATOR', 'USER_OWNER', 'USER_VIEWER', 'AUDITOR'],
    'campaign.write': ['WL_OWNER', 'USER_OWNER'],
    'campaign.moderate': ['WL_OWNER', 'WL_MODERATOR'],
    'log.read': ['WL_OWNER', 'WL_MODERATOR', 'AUDITOR'],
    'events.write': ['WL_OWNER', 'USER_OWNER'],
    'audience.write': ['WL_OWNER', 'USER_OWNER'],
    'balance.read': ['WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'USER_OWNER', 'AUDITOR'],
    'invoice.read': ['WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'USER_OWNER', 'AUDITOR'],
    'invoice.write': ['WL_OWNER', 'WHITELABEL_ACCOUNTANT'],
    'account.list': ['WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'],
  }
  const MAY_GET: Readonly<Record<string, readonly string[]>> = {
    WHITELABEL_ACCOUNTANT: ['campaign.read', 'campaign.moderate', 'log.read'],
    ACCOUNTANT: ['campaign.read'],
    USER_VIEWER: ['campaign.write', 'events.write', 'audience.write', 'balance.read', 'invoice.read'],
    WL_MODERATOR: ['balance.read', 'invoice.read', 'invoice.write', 'account.list'],
  }
  const RIGHTS = Object.keys(HAS) as SingleRight[]
  const OWNERS: readonly Role[] = ['USER_OWNER', 'WL_OWNER']
  const HOUR_MS = 3_600_000
  const at = (hour: number): string => new Date(Date.parse(NOW) + hour * HOUR_MS).toISOString()

  type Step =
    | { readonly do: 'grant'; readonly who: string; readonly right: SingleRight; readonly hours: number | null }
    | { readonly do: 'take'; readonly who: string; readonly right: SingleRight }
    | { readonly do: 'roles'; readonly who: string; readonly roles: readonly Role[] }
    | { readonly do: 'deactivate' | 'reactivate'; readonly who: string }
    | { readonly do: 'wait'; readonly hours: number }
  type Known = {
    roles: readonly Role[]
    active: boolean
    /** The hour at which each is over. */
    readonly granted: Map<string, number>
    readonly taken: Set<string>
  }

  const byRole = ({ roles: own }: Known, right: string) => own.some((role) => HAS[right]?.includes(role))
  const mayGet = (known: Known, right: string) =>
    !byRole(known, right) && known.roles.some((role) => MAY_GET[role]?.includes(right))
  const isOwner = ({ roles: own }: Known) => own.some((role) => OWNERS.includes(role))

  function follow(known: Known, step: Exclude<Step, { readonly do: 'wait' }>, hour: number): void {
    const { granted, taken } = known
    switch (step.do) {
      case 'grant':
        if (!known.active) return
        if (byRole(known, step.right)) {
          if (step.hours === null) taken.delete(step.right)
        } else if (mayGet(known, step.right) && (step.hours === null || step.hours > 0))
          granted.set(step.right, step.hours === null ? Infinity : hour + step.hours)
        return
      case 'take':
        if (!known.active) return
        if ((granted.get(step.right) ?? -1) > hour) granted.delete(step.right)
        else if (step.right !== 'campaign.read' && byRole(known, step.right) && !isOwner(known)) taken.add(step.right)
        return
      case 'roles':
        known.roles = step.roles
        for (const right of RIGHTS) {
          if (!mayGet(known, right)) granted.delete(right)
          if (!byRole(known, right) || isOwner(known)) taken.delete(right)
        }
        return
      case 'deactivate':
        known.active = false
        granted.clear()
        return
      case 'reactivate':
        known.active = true
    }
  }

  function commandOf(step: Exclude<Step, { readonly do: 'wait' }>, hour: number): AccountCommand {
    switch (step.do) {
      case 'grant':
        return grant(step.who, step.right, step.hours === null ? null : at(hour + step.hours), at(hour))
      case 'take':
        return take(step.who, step.right, at(hour))
      case 'roles':
        return roles(step.who, ...step.roles)
      case 'deactivate':
        return deactivate(step.who)
      case 'reactivate':
        return reactivate(step.who)
    }
  }

  const stepsOf = (possible: readonly Role[]) => {
    const who = fc.constantFrom('vera', 'karim')
    const right = fc.constantFrom(...RIGHTS)
    return fc.array(
      fc.oneof(
        {
          weight: 5,
          arbitrary: fc.record({
            do: fc.constant('grant' as const),
            who,
            right,
            hours: fc.option(fc.integer({ min: 0, max: 6 })),
          }),
        },
        { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), who, right }) },
        {
          weight: 2,
          arbitrary: fc.record({
            do: fc.constant('roles' as const),
            who,
            roles: fc.subarray([...possible], { minLength: 1, maxLength: 2 }),
          }),
        },
        { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('deactivate' as const, 'reactivate' as const), who }) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 4 }) }) },
      ),
      { minLength: 1, maxLength: 30 },
    )
  }

  it.each<[string, boolean, Role, readonly Role[]]>([
    ['an account', false, 'USER_OWNER', ['USER_VIEWER', 'ACCOUNTANT', 'USER_OWNER']],
    ['staff', true, 'WL_OWNER', ['WL_MODERATOR', 'WHITELABEL_ACCOUNTANT', 'AUDITOR', 'WL_OWNER']],
  ])(
    'the rights of people of %s are those of their roles, with what was granted and without what was taken',
    (_, house, owner, possible) => {
      const [first = owner, second = owner] = possible
      const people: readonly Member[] = [
        { person_id: 'ada', roles: [owner], state: 'active' },
        { person_id: 'vera', roles: [first], state: 'active' },
        { person_id: 'karim', roles: [second], state: 'active' },
      ]
      const others = (Object.keys(ACCESS) as Action[]).filter((action) => HAS[action] === undefined)
      const met = new Set<string>()
      fc.assert(
        fc.property(stepsOf(possible), (steps) => {
          let hour = 0
          let life: ReturnType<typeof given> = team(opening(house), by({ known: people })({ type: 'RecordPeople' }))
          const model = new Map<string, Known>(
            people.map(({ person_id, roles: own }) => [
              person_id,
              { roles: own, active: true, granted: new Map(), taken: new Set() },
            ]),
          )
          for (const step of steps) {
            if (step.do === 'wait') hour += step.hours
            else {
              const known = model.get(step.who)
              if (known !== undefined) follow(known, step, hour)
              life = life.when(commandOf(step, hour))
            }
            for (const { person_id, roles: own, rights = [] } of teamOf(life.state)) {
              const known = model.get(person_id)
              if (known === undefined) throw new Error(`${person_id} is not in the model`)
              const actor = { roles: own, rights: rightsAt(rights, at(hour)) }
              for (const right of RIGHTS) {
                const isGranted = (known.granted.get(right) ?? -1) > hour
                const isTaken = known.taken.has(right)
                if (isGranted || isTaken) met.add(`${isGranted ? 'granted' : 'taken'} ${right}`)
                if (mayEver(actor, right) !== ((byRole(known, right) || isGranted) && !isTaken))
                  throw new Error(
                    `${person_id} ${mayEver(actor, right) ? 'has' : 'lacks'} ${right} after ${JSON.stringify(step)}`,
                  )
              }
              for (const action of others)
                if (mayEver(actor, action) !== mayEver({ roles: own }, action))
                  throw new Error(`${action} changed for ${person_id}`)
            }
          }
        }),
        { numRuns: 300 },
      )
      // The examples have granted and taken enough.
      expect(met.size).toBeGreaterThan(5)
    },
  )
})
