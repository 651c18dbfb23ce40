import type { TeamMember } from '#contract/team'
import { decideTeam, type TeamCommand, type TeamEvent } from '#domain/account/team'
import { ADVERTISER_ROLES, rolesHave, SINGLE_RIGHT_NAMES, type Role, type SingleRight } from '#domain/kit/access'
import { now } from '@/lib/clock'
import { can, canEver, type User } from '@/session/can'
import type { Team } from './team-queries.ts'

/** Actions on a person, in the order of their menu. */
export const TEAM_ACTIONS = [
  'resend',
  'withdraw',
  'roles',
  'rights',
  'handOver',
  'reactivate',
  'lostFactor',
  'freeLink',
  'signOut',
  'deactivate',
] as const
export type TeamAction = (typeof TEAM_ACTIONS)[number]

const COMMANDS = {
  resend: 'RepeatInvitation',
  withdraw: 'WithdrawInvitation',
  handOver: 'HandOver',
  reactivate: 'ReactivatePerson',
  deactivate: 'DeactivatePerson',
} as const satisfies Readonly<
  Record<Exclude<TeamAction, 'roles' | 'rights' | 'lostFactor' | 'freeLink' | 'signOut'>, TeamCommand['type']>
>

type TeamView = Pick<Team, 'people' | 'roles'>
type Asked = Pick<TeamCommand, 'by' | 'byAdministrator' | 'known'>

/** Decides a command as the server does, by the people that the page shows; without events when it is refused or changes nothing. */
function eventsOf(user: User, { people, roles }: TeamView, commandOf: (asked: Asked) => TeamCommand): readonly TeamEvent[] {
  const house = roles.some((role) => !ADVERTISER_ROLES.includes(role))
  const team = people.map(({ id, state, roles: own, rights }) => ({ person_id: id, roles: own, rights, state }))
  const asked = { by: user.id, byAdministrator: canEver(user, 'whitelabel.manage'), known: [] }
  const decision = decideTeam(commandOf(asked), { opened: true, house, team })
  return decision.kind === 'events' ? decision.events : []
}

/** The actions that would change something about a person; none about oneself. */
export function offersFor(user: User, team: TeamView, person: TeamMember): readonly TeamAction[] {
  if (!can(user, 'team.manage') || person.id === user.id) return []
  return TEAM_ACTIONS.filter((action) => {
    if (action === 'roles') return rolesFor(user, team, person).length > 0
    if (action === 'rights') return rightsFor(user, team, person).length > 0
    // No commands: they change nothing about who belongs to the account.
    const isReached = person.state === 'active' && person.roles.every((role) => team.roles.includes(role))
    if (action === 'signOut') return isReached
    if (action === 'freeLink') return isReached && person.sign_on
    if (action === 'lostFactor') return isReached && person.second_factor && !person.elsewhere
    return eventsOf(user, team, (asked) => ({ ...asked, type: COMMANDS[action], personId: person.id })).length > 0
  })
}

/** The roles that a person may get instead of theirs. */
export const rolesFor = (user: User, team: TeamView, person: TeamMember): readonly Role[] =>
  team.roles.filter(
    (role) => eventsOf(user, team, (asked) => ({ ...asked, type: 'ChangeRoles', personId: person.id, roles: [role] })).length > 0,
  )

/** A right that may be granted to a person, taken from them or given back. */
export type OfferedRight = {
  readonly right: SingleRight
  /** Whether the roles of the person have it. */
  readonly byRole: boolean
  /** Difference from the roles; null where there is none. */
  readonly own: TeamMember['rights'][number] | null
  readonly act: 'grant' | 'take' | 'giveBack'
}

/** The rights of a person that can be changed, and how. */
export function rightsFor(user: User, team: TeamView, person: TeamMember): readonly OfferedRight[] {
  const at = new Date(now()).toISOString()
  return SINGLE_RIGHT_NAMES.flatMap((right): readonly OfferedRight[] => {
    const own = person.rights.find((one) => one.right === right) ?? null
    const byRole = rolesHave(person.roles, right)
    const act = own?.kind === 'taken' ? 'giveBack' : own !== null || byRole ? 'take' : 'grant'
    const about = { personId: person.id, right, now: at }
    const events = eventsOf(user, team, (asked) =>
      act === 'take' ? { ...asked, ...about, type: 'TakeRight' } : { ...asked, ...about, type: 'GrantRight', until: null },
    )
    return events.length > 0 ? [{ right, byRole, own, act }] : []
  })
}

/** The user's own roles after the ownership is with another person. */
export const rolesAfterHandOver = (user: User, team: TeamView, person: TeamMember): readonly Role[] =>
  eventsOf(user, team, (asked) => ({ ...asked, type: 'HandOver', personId: person.id })).flatMap((event) =>
    event.type === 'PersonRolesChanged' && event.data.person_id === user.id ? event.data.to : [],
  )
