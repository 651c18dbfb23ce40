import { type Decision, happened, rejected } from '#domain/kit/decision'
import { fault } from '../kit/faults.ts'
import {
  ADVERTISER_ROLES,
  mayBeGranted,
  mayBeTaken,
  rightsAt,
  ROLES,
  rolesHave,
  type OwnRight,
  type Role,
  type SingleRight,
} from '../kit/access.ts'
import { FIRST, type EventSchemas } from '../kit/event-schema.ts'

/**
 * The people of an account, or of the house account of a white-label, who are its staff. Events name people by id: names and
 * addresses are in their records.
 */

/** Most people of an account who are active or invited. */
export const MOST_PEOPLE = 100
/** Most people that an account ever had. */
const MOST_EVER = 500

/** withdrawn: the invitation was taken back before it was accepted. erased: the record of the person is gone. */
export const MEMBER_STATES = ['invited', 'active', 'deactivated', 'withdrawn', 'erased'] as const
export type MemberState = (typeof MEMBER_STATES)[number]

/** A right beyond the roles, or one of theirs that was taken; `by` is the person who did. */
export type MemberRight = OwnRight & { readonly by: string }

type Recorded = { readonly person_id: string; readonly roles: readonly Role[]; readonly state: MemberState }
export type Member = Recorded & {
  /** Absent without any. Those that are over stay until the person's access changes. */
  readonly rights?: readonly MemberRight[]
}

// ── Events ──

/** `asked_by`: who asked for it, where a second person confirmed it. */
export type TeamEvent =
  /** People whose records were made without an invitation: they registered, or came with an import. */
  | { readonly type: 'PeopleRecorded'; readonly data: { readonly people: readonly Recorded[] } }
  | {
      readonly type: 'PersonInvited'
      readonly data: { readonly person_id: string; readonly roles: readonly Role[]; readonly asked_by?: string }
    }
  | { readonly type: 'InvitationRepeated'; readonly data: { readonly person_id: string } }
  | { readonly type: 'InvitationWithdrawn'; readonly data: { readonly person_id: string } }
  | { readonly type: 'PersonJoined'; readonly data: { readonly person_id: string } }
  | {
      readonly type: 'PersonRolesChanged'
      readonly data: {
        readonly person_id: string
        readonly from: readonly Role[]
        readonly to: readonly Role[]
        readonly asked_by?: string
      }
    }
  | {
      readonly type: 'PersonRightChanged'
      readonly data: {
        readonly person_id: string
        readonly right: SingleRight
        /** role: as the roles of the person say. */
        readonly to: OwnRight['kind'] | 'role'
        readonly until: string | null
        readonly by: string
        readonly asked_by?: string
      }
    }
  | { readonly type: 'PersonDeactivated'; readonly data: { readonly person_id: string } }
  | { readonly type: 'PersonReactivated'; readonly data: { readonly person_id: string; readonly asked_by?: string } }

export const TEAM_EVENTS: EventSchemas<TeamEvent> = {
  PeopleRecorded: FIRST,
  PersonInvited: FIRST,
  InvitationRepeated: FIRST,
  InvitationWithdrawn: FIRST,
  PersonJoined: FIRST,
  PersonRolesChanged: FIRST,
  PersonRightChanged: FIRST,
  PersonDeactivated: FIRST,
  PersonReactivated: FIRST,
}

export const isTeamEvent = (event: { readonly type: string }): event is TeamEvent => event.type in TEAM_EVENTS

// ── State ──

export type TeamState = {
  readonly opened: boolean
  readonly house: boolean
  /** In the order in which they came; absent until the first command about people. */
  readonly team?: readonly Member[]
}

export const teamOf = ({ team = [] }: TeamState): readonly Member[] => team
const memberOf = (team: readonly Member[], id: string): Member | undefined => team.find(({ person_id }) => person_id === id)

const rightsOf = (member: Member | undefined): readonly MemberRight[] => member?.rights ?? []

/** The roles that people of this account may have. */
export const rolesOfTeam = (house: boolean): readonly Role[] => ROLES.filter((role) => ADVERTISER_ROLES.includes(role) !== house)

/** Roles that an account which has them must not lose. */
const KEPT: readonly Role[] = ['USER_OWNER', 'WL_OWNER', 'SYSTEM_ADMIN']
const ownerRoleOf = (house: boolean): Role => (house ? 'WL_OWNER' : 'USER_OWNER')

const STATE_AFTER = {
  InvitationWithdrawn: 'withdrawn',
  PersonJoined: 'active',
  PersonDeactivated: 'deactivated',
  PersonReactivated: 'active',
} as const satisfies Partial<Record<TeamEvent['type'], MemberState>>

export function evolveTeam<State extends TeamState>(state: State, event: TeamEvent): State {
  const team = teamOf(state)
  const withMembers = (members: readonly Member[]): State => {
    const added = members.filter(({ person_id }) => memberOf(team, person_id) === undefined)
    return { ...state, team: [...team.map((before) => memberOf(members, before.person_id) ?? before), ...added] }
  }
  const changed = (id: string, change: Partial<Member>): State => {
    const before = memberOf(team, id)
    return before === undefined ? state : withMembers([{ ...before, ...change }])
  }
  switch (event.type) {
    case 'PeopleRecorded':
      return withMembers(event.data.people)
    case 'PersonInvited':
      return withMembers([{ person_id: event.data.person_id, roles: event.data.roles, state: 'invited' }])
    case 'InvitationRepeated':
      return state
    case 'PersonRolesChanged':
      return changed(event.data.person_id, { roles: event.data.to })
    case 'PersonRightChanged': {
      const { person_id, right, to, until, by } = event.data
      const others = rightsOf(memberOf(team, person_id)).filter((own) => own.right !== right)
      return changed(person_id, { rights: to === 'role' ? others : [...others, { right, kind: to, until, by }] })
    }
    case 'InvitationWithdrawn':
    case 'PersonJoined':
    case 'PersonDeactivated':
    case 'PersonReactivated':
      return changed(event.data.person_id, { state: STATE_AFTER[event.type] })
  }
}

// ── Commands ──

/** User who asks, and the records of the account's people. */
type Asked = {
  /** Id of the person who asks. */
  readonly by: string
  /** Whether a second person confirmed what `by` asked for. */
  readonly confirmed?: boolean
  /** System administrators stand above white-labels: only one of them makes or changes another. */
  readonly byAdministrator: boolean
  /** By the records of people, which may be older than the state. */
  readonly known: readonly Member[]
}

export type TeamCommand = Asked &
  (
    | { readonly type: 'InvitePerson'; readonly personId: string; readonly roles: readonly Role[] }
    | { readonly type: 'RepeatInvitation'; readonly personId: string }
    | { readonly type: 'WithdrawInvitation'; readonly personId: string }
    | { readonly type: 'JoinTeam'; readonly personId: string }
    | { readonly type: 'ChangeRoles'; readonly personId: string; readonly roles: readonly Role[] }
    /** Changes one role and keeps the others, which another call may change at the same time. */
    | { readonly type: 'AddRole' | 'RemoveRole'; readonly personId: string; readonly role: Role }
    /** `now` and `until` are instants (ISO 8601); a grant without `until` has no end. */
    | {
        readonly type: 'GrantRight'
        readonly personId: string
        readonly right: SingleRight
        readonly until: string | null
        readonly now: string
      }
    | { readonly type: 'TakeRight'; readonly personId: string; readonly right: SingleRight; readonly now: string }
    | { readonly type: 'DeactivatePerson'; readonly personId: string }
    | { readonly type: 'ReactivatePerson'; readonly personId: string }
    /** The person who asks gives the owner's role away, and takes the roles of the other. */
    | { readonly type: 'HandOver'; readonly personId: string }
    /** Records what only the records of people say. */
    | { readonly type: 'RecordPeople' }
  )

const TEAM_COMMANDS: ReadonlySet<string> = new Set<TeamCommand['type']>([
  'InvitePerson',
  'RepeatInvitation',
  'WithdrawInvitation',
  'JoinTeam',
  'ChangeRoles',
  'AddRole',
  'RemoveRole',
  'GrantRight',
  'TakeRight',
  'DeactivatePerson',
  'ReactivatePerson',
  'HandOver',
  'RecordPeople',
])
export const isTeamCommand = (command: { readonly type: string }): command is TeamCommand => TEAM_COMMANDS.has(command.type)

/**
 * Refuses an account that was never opened (110), a person who is none of its people (6), an invitation of one who is (1400, 1401),
 * what needs an accepted invitation (1402) or an open one (1401), roles of another kind of account (2), rights that the roles of a
 * person may neither get nor lose (2), a change of one's own access and of an administrator's by others (3), and whatever would leave
 * the account without an owner (2).
 */
export function decideTeam(command: TeamCommand, state: TeamState): Decision<TeamEvent> {
  if (!state.opened) return rejected(110)
  const before = recordings(command.known, state)
  const recorded = before.reduce<TeamState>(evolveTeam, state)
  const decision = decided(command, recorded)
  if (decision.kind === 'rejected') return decision
  const { by } = command
  const events = [...decision.events, ...endedRights(decision.events, recorded, by)]
  return happened(...before, ...events.map((event) => (command.confirmed === true ? askedBy(event, by) : event)))
}

/** Ends own rights that people may no longer have after these events: other roles, or a removal, which ends what was granted. */
function endedRights(events: readonly TeamEvent[], state: TeamState, by: string): readonly TeamEvent[] {
  const changed = events.filter(({ type }) => type === 'PersonRolesChanged' || type === 'PersonDeactivated')
  if (changed.length === 0) return []
  return teamOf(events.reduce<TeamState>(evolveTeam, state)).flatMap((member) =>
    rightsOf(member)
      .filter((own) => !mayKeep(member, own))
      .map(({ right }): TeamEvent => rightChanged(member.person_id, right, 'role', by)),
  )
}

const mayKeep = ({ roles, state }: Member, { right, kind }: MemberRight): boolean =>
  kind === 'taken' ? mayBeTaken(roles, right) : state === 'active' && mayBeGranted(roles, right)

const rightChanged = (
  person_id: string,
  right: SingleRight,
  to: OwnRight['kind'] | 'role',
  by: string,
  until: string | null = null,
): TeamEvent => ({ type: 'PersonRightChanged', data: { person_id, right, to, until, by } })

function askedBy(event: TeamEvent, by: string): TeamEvent {
  switch (event.type) {
    case 'PersonInvited':
      return { type: event.type, data: { ...event.data, asked_by: by } }
    case 'PersonReactivated':
      return { type: event.type, data: { ...event.data, asked_by: by } }
    case 'PersonRolesChanged':
      return { type: event.type, data: { ...event.data, asked_by: by } }
    case 'PersonRightChanged':
      return { type: event.type, data: { ...event.data, asked_by: by } }
    case 'PeopleRecorded':
    case 'InvitationRepeated':
    case 'InvitationWithdrawn':
    case 'PersonJoined':
    case 'PersonDeactivated':
      return event
  }
}

/**
 * Whether these events of a command give a person a role or a right that they did not have, or could not use (fine print 87 and 89).
 */
export const givesRoles = (events: readonly TeamEvent[], command: TeamCommand['type']): boolean =>
  events.some(
    (event) =>
      (event.type === 'PersonRightChanged' && command === 'GrantRight') ||
      event.type === 'PersonInvited' ||
      event.type === 'PersonReactivated' ||
      (event.type === 'PersonRolesChanged' && event.data.to.some((role) => !event.data.from.includes(role))),
  )

/** The people of an account once what their records say is recorded. */
export const peopleOf = (known: readonly Member[], state: TeamState): readonly Member[] =>
  teamOf(recordings(known, state).reduce<TeamState>(evolveTeam, state))

function recordings(known: readonly Member[], state: TeamState): readonly TeamEvent[] {
  const people = recordedPeople(known, teamOf(state))
  return people.length === 0 ? [] : [{ type: 'PeopleRecorded', data: { people } }]
}

/** Changes in the records of people beyond the state: new people, those who accepted, and those whose record was erased. */
function recordedPeople(known: readonly Member[], team: readonly Member[]): readonly Recorded[] {
  return known.flatMap((record) => {
    const member = memberOf(team, record.person_id)
    if (member === undefined) return [record]
    const { person_id, roles } = member
    const follows =
      (record.state === 'erased' && member.state !== 'erased') || (record.state === 'active' && member.state === 'invited')
    return follows ? [{ person_id, roles, state: record.state }] : []
  })
}

function decided(command: TeamCommand, state: TeamState): Decision<TeamEvent> {
  if (command.type === 'RecordPeople') return happened()
  const team = teamOf(state)
  const { by, byAdministrator, personId: person_id } = command
  const found = memberOf(team, person_id)
  const member = found?.state === 'withdrawn' || found?.state === 'erased' ? undefined : found
  if (command.type === 'InvitePerson') return invited(command, state, found)
  if (member === undefined || (member.roles.includes('SYSTEM_ADMIN') && !byAdministrator && by !== person_id)) return rejected(6)
  switch (command.type) {
    case 'RepeatInvitation':
    case 'WithdrawInvitation': {
      const type = command.type === 'RepeatInvitation' ? 'InvitationRepeated' : 'InvitationWithdrawn'
      return member.state === 'invited' ? happened({ type, data: { person_id } }) : rejected(1401)
    }
    case 'JoinTeam':
      if (member.state === 'deactivated') return rejected(5)
      return member.state === 'active' ? happened() : happened({ type: 'PersonJoined', data: { person_id } })
    case 'ChangeRoles':
      return rolesChanged(command, member, state)
    case 'AddRole':
    case 'RemoveRole': {
      const others = member.roles.filter((role) => role !== command.role)
      return rolesChanged({ ...command, roles: command.type === 'AddRole' ? [...others, command.role] : others }, member, state)
    }
    case 'GrantRight':
      return granted(command, member)
    case 'TakeRight':
      return taken(command, member)
    case 'DeactivatePerson': {
      if (member.state === 'invited') return rejected(1402)
      if (by === person_id) return rejected(3)
      if (member.state === 'deactivated') return happened()
      return keepsOwners(team, member, []) ? happened({ type: 'PersonDeactivated', data: { person_id } }) : lastOwner('id')
    }
    case 'ReactivatePerson': {
      if (member.state === 'invited') return rejected(1402)
      if (member.state === 'active') return happened()
      return isFull(team) ? full() : happened({ type: 'PersonReactivated', data: { person_id } })
    }
    case 'HandOver':
      return handedOver(memberOf(team, by), member, state)
  }
}

function invited(
  { personId: person_id, roles, byAdministrator }: Extract<TeamCommand, { readonly type: 'InvitePerson' }>,
  state: TeamState,
  found: Member | undefined,
): Decision<TeamEvent> {
  if (found?.state === 'active' || found?.state === 'deactivated') return rejected(1401)
  if (found?.state === 'invited' || found?.state === 'erased')
    return rejected(1400, [fault('email', 1400, found.state === 'invited' ? 'alreadyInvited' : 'cannotBeInvited')])
  const wrong = rolesFault(roles, state, byAdministrator)
  if (wrong !== null) return wrong
  if (isFull(teamOf(state)) || (found === undefined && teamOf(state).length >= MOST_EVER)) return full()
  return happened({ type: 'PersonInvited', data: { person_id, roles } })
}

function rolesChanged(
  { by, byAdministrator, personId: person_id, roles }: Asked & { readonly personId: string; readonly roles: readonly Role[] },
  member: Member,
  state: TeamState,
): Decision<TeamEvent> {
  if (member.state === 'invited') return rejected(1402)
  if (by === person_id) return rejected(3)
  const wrong = rolesFault(roles, state, byAdministrator)
  if (wrong !== null) return wrong
  if (sameRoles(roles, member.roles)) return happened()
  if (!keepsOwners(teamOf(state), member, roles)) return lastOwner('roles')
  return happened({ type: 'PersonRolesChanged', data: { person_id, from: member.roles, to: roles } })
}

type OfRight<Type> = Extract<TeamCommand, { readonly type: Type }>

/** Grants a right beyond the roles, or gives back one of theirs that was taken, which has no end. */
function granted({ by, personId: person_id, right, until, now }: OfRight<'GrantRight'>, member: Member): Decision<TeamEvent> {
  if (member.state !== 'active') return rejected(1402)
  if (by === person_id) return rejected(3)
  const own = ownRight(member, right, now)
  if (rolesHave(member.roles, right)) {
    if (until !== null) return rejected(2, [fault('until', 2, 'notAllowed')])
    return own === undefined ? happened() : happened(rightChanged(person_id, right, 'role', by))
  }
  if (!mayBeGranted(member.roles, right)) return rejected(2, [fault('right', 2, 'notAllowed')])
  // Also refuses what is no instant.
  if (until !== null && !(Date.parse(until) > Date.parse(now))) return rejected(2, [fault('until', 2, 'endInPast')])
  return own?.until === until ? happened() : happened(rightChanged(person_id, right, 'granted', by, until))
}

/** Ends what was granted, or takes a right of the roles. */
function taken({ by, personId: person_id, right, now }: OfRight<'TakeRight'>, member: Member): Decision<TeamEvent> {
  if (member.state !== 'active') return rejected(1402)
  if (by === person_id) return rejected(3)
  const own = ownRight(member, right, now)
  if (own?.kind === 'granted') return happened(rightChanged(person_id, right, 'role', by))
  if (own?.kind === 'taken' || !rolesHave(member.roles, right)) return happened()
  if (!mayBeTaken(member.roles, right)) return rejected(2, [fault('right', 2, 'notAllowed')])
  return happened(rightChanged(person_id, right, 'taken', by))
}

/** The person's own right of this name that is not over. */
const ownRight = (member: Member, right: SingleRight, now: string): MemberRight | undefined =>
  rightsAt(rightsOf(member), now).find((own) => own.right === right)

function handedOver(giver: Member | undefined, taker: Member, { house }: TeamState): Decision<TeamEvent> {
  const role = ownerRoleOf(house)
  if (giver === undefined || giver.state !== 'active' || !giver.roles.includes(role) || giver === taker) return rejected(3)
  if (taker.state !== 'active') return rejected(1402)
  if (taker.roles.includes(role)) return happened()
  const changed = (member: Member, to: readonly Role[]): TeamEvent => ({
    type: 'PersonRolesChanged',
    data: { person_id: member.person_id, from: member.roles, to },
  })
  const others = giver.roles.filter((own) => own !== role)
  return happened(changed(taker, [role, ...taker.roles]), changed(giver, [...new Set([...others, ...taker.roles])]))
}

const sameRoles = (a: readonly Role[], b: readonly Role[]): boolean => [...a].sort().join() === [...b].sort().join()

/** Null when people of this account may have these roles. */
function rolesFault(roles: readonly Role[], { house }: TeamState, byAdministrator: boolean): Decision<TeamEvent> | null {
  const known = rolesOfTeam(house)
  if (roles.length === 0) return rejected(2, [fault('roles', 2, 'required')])
  if (!roles.every((role) => known.includes(role)) || new Set(roles).size < roles.length)
    return rejected(2, [fault('roles', 2, 'notAllowed')])
  return roles.includes('SYSTEM_ADMIN') && !byAdministrator ? rejected(3) : null
}

/** Whether each role that must not be lost stays with some active person once this one has only `left`. */
const keepsOwners = (team: readonly Member[], member: Member, left: readonly Role[]): boolean =>
  member.state !== 'active' ||
  KEPT.every(
    (role) =>
      !member.roles.includes(role) ||
      left.includes(role) ||
      team.some((other) => other !== member && other.state === 'active' && other.roles.includes(role)),
  )

const isFull = (team: readonly Member[]): boolean =>
  team.filter(({ state }) => state === 'active' || state === 'invited').length >= MOST_PEOPLE

const full = (): Decision<TeamEvent> => rejected(2, [fault('email', 2, 'tooMany', { max: MOST_PEOPLE })])
const lastOwner = (path: string): Decision<TeamEvent> => rejected(2, [fault(path, 2, 'lastOwner')])
