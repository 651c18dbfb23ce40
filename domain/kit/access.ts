/** Access rights (access.md): role × action × scope, as one table that the server enforces and the screens mirror. */

export const ROLES = [
  'SYSTEM_ADMIN',
  'WL_OWNER',
  'WL_MODERATOR',
  'WHITELABEL_ACCOUNTANT',
  'ACCOUNTANT',
  'USER_OWNER',
  'USER_VIEWER',
  'AUDITOR',
] as const
export type Role = (typeof ROLES)[number]

/** Reach of a right: every white-label, the own white-label, or the own space. */
export type Scope = 'all' | 'whitelabel' | 'space'

const SCOPE: Record<Role, Scope> = {
  SYSTEM_ADMIN: 'all',
  WL_OWNER: 'whitelabel',
  WL_MODERATOR: 'whitelabel',
  WHITELABEL_ACCOUNTANT: 'whitelabel',
  ACCOUNTANT: 'space',
  USER_OWNER: 'space',
  USER_VIEWER: 'space',
  AUDITOR: 'whitelabel',
}

export const ACCESS = {
  'campaign.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'USER_OWNER', 'USER_VIEWER', 'AUDITOR'],
  'campaign.write': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER'],
  'campaign.replicate-across': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'owner-fields.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'AUDITOR'],
  'owner-fields.write': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'max-margin.read': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'campaign.admin-list': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'AUDITOR'],
  'campaign.moderate': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR'],
  'review.assign': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'review.statistics': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'AUDITOR'],
  'registration.decide': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR'],
  'exchange.decide': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'log.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'AUDITOR'],
  'log.verify': ['SYSTEM_ADMIN', 'WL_OWNER', 'AUDITOR'],
  'webhook.manage': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'events.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'USER_OWNER', 'USER_VIEWER', 'AUDITOR'],
  'events.write': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER'],
  'audience.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'USER_OWNER', 'USER_VIEWER', 'AUDITOR'],
  'audience.write': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER'],
  'balance.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'USER_OWNER', 'AUDITOR'],
  'balance.credit': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'card.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'ACCOUNTANT', 'USER_OWNER'],
  'card.write': ['WL_OWNER', 'USER_OWNER'],
  'invoice.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'USER_OWNER', 'AUDITOR'],
  'invoice.write': ['SYSTEM_ADMIN', 'WL_OWNER', 'WHITELABEL_ACCOUNTANT'],
  'account.switch': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'account.add': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'account.list': ['SYSTEM_ADMIN', 'WL_OWNER', 'WHITELABEL_ACCOUNTANT', 'AUDITOR'],
  'account.read': [
    'SYSTEM_ADMIN',
    'WL_OWNER',
    'WL_MODERATOR',
    'WHITELABEL_ACCOUNTANT',
    'ACCOUNTANT',
    'USER_OWNER',
    'USER_VIEWER',
    'AUDITOR',
  ],
  'account.audit': ['SYSTEM_ADMIN', 'WL_OWNER', 'AUDITOR'],
  'account.manage': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'account.rename': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER'],
  'account.represent': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR', 'WHITELABEL_ACCOUNTANT'],
  'account.search': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER', 'USER_VIEWER'],
  'team.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER', 'USER_VIEWER', 'AUDITOR'],
  'team.manage': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER'],
  'whitelabel.customise': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'whitelabel.manage': ['SYSTEM_ADMIN'],
  'operations.read': ['SYSTEM_ADMIN'],
  'operations.act': ['SYSTEM_ADMIN'],
  'chat.ask': ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'USER_OWNER', 'USER_VIEWER', 'AUDITOR'],
  'chat.answer': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR'],
  'credential.manage': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'security.read': ['SYSTEM_ADMIN', 'WL_OWNER', 'AUDITOR'],
  'profile.own': [
    'SYSTEM_ADMIN',
    'WL_OWNER',
    'WL_MODERATOR',
    'WHITELABEL_ACCOUNTANT',
    'ACCOUNTANT',
    'USER_OWNER',
    'USER_VIEWER',
    'AUDITOR',
  ],
  // Pages that show what several rights allow. Each of their calls has its own right.
  'page.administration': ['SYSTEM_ADMIN', 'WL_OWNER'],
  'page.billing': ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER'],
  'page.staff': ['SYSTEM_ADMIN', 'WL_OWNER', 'AUDITOR'],
  'page.staff-profile': ['SYSTEM_ADMIN', 'WL_OWNER', 'WL_MODERATOR'],
  'page.transactions': ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT'],
} as const satisfies Record<string, readonly Role[]>

export type Action = keyof typeof ACCESS

/**
 * Rights that an owner may grant to a person whose role lacks them, each with the roles that may get it (fine print 89). None of
 * them gives roles, credits, keys or settings, none reaches further than its holder, and auditors get none: they change nothing.
 */
export const SINGLE_RIGHTS = {
  'campaign.read': ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT'],
  'campaign.write': ['USER_VIEWER'],
  'campaign.moderate': ['WHITELABEL_ACCOUNTANT'],
  'log.read': ['WHITELABEL_ACCOUNTANT'],
  'events.write': ['USER_VIEWER'],
  'audience.write': ['USER_VIEWER'],
  'balance.read': ['WL_MODERATOR', 'USER_VIEWER'],
  'invoice.read': ['WL_MODERATOR', 'USER_VIEWER'],
  'invoice.write': ['WL_MODERATOR'],
  'account.list': ['WL_MODERATOR'],
} as const satisfies { readonly [Right in Action]?: readonly Role[] }
export type SingleRight = keyof typeof SINGLE_RIGHTS
export const SINGLE_RIGHT_NAMES = Object.keys(SINGLE_RIGHTS) as [SingleRight, ...SingleRight[]]

/** Difference from the roles of one person: a right beyond them, or one of theirs that was taken. */
export type OwnRight = {
  readonly right: SingleRight
  readonly kind: 'granted' | 'taken'
  /** Instant at which it is over (ISO 8601); null for no end. */
  readonly until: string | null
}

const mayGet = (role: Role, right: SingleRight): boolean => (SINGLE_RIGHTS[right] as readonly Role[]).includes(role)

/** Lists of staff, moderation and the log show campaigns by their own rights: this one is not taken alone. */
const STAYS: SingleRight = 'campaign.read'

/** Roles that keep every right: their holders give and take the rights of others. */
const WHOLE: readonly Role[] = ['SYSTEM_ADMIN', 'WL_OWNER', 'USER_OWNER']

/** Whether one of these roles has the right by the table. */
export const rolesHave = (roles: readonly Role[], action: Action): boolean =>
  roles.some((role) => rolesWith(action).includes(role))
/** Whether the right may be granted to a person with these roles. */
export const mayBeGranted = (roles: readonly Role[], right: SingleRight): boolean =>
  !rolesHave(roles, right) && roles.some((role) => mayGet(role, right))
/** Whether the right may be taken from a person with these roles. */
export const mayBeTaken = (roles: readonly Role[], right: SingleRight): boolean =>
  right !== STAYS && rolesHave(roles, right) && !roles.some((role) => WHOLE.includes(role))

declare const current: unique symbol
/** Rights that are not over. `rightsAt` alone makes them. */
export type CurrentRights<Right extends OwnRight = OwnRight> = readonly Right[] & { readonly [current]: true }

/** Those that are not over at `now` (ISO 8601). */
export const rightsAt = <Right extends OwnRight>(rights: readonly Right[], now: string): CurrentRights<Right> =>
  rights.filter(({ until }) => until === null || Date.parse(until) > Date.parse(now)) as unknown as CurrentRights<Right>

/** The signed-in user, as rules see it. Ids only: names are in the person record. */
export type Actor = {
  readonly userId: string
  readonly roles: readonly Role[]
  /** The user's own rights that are not over; none when absent. */
  readonly rights?: CurrentRights
  readonly whitelabelId: string
  /** The home space: an advertiser's account, or the white-label's house space for staff. */
  readonly homeSpaceId: string
  /** The space chosen by switching; the home space until then. */
  readonly spaceId: string
}

/** An actor as it is stored: rights may be over by now, so it fits no command. `actorAt` makes an actor of it. */
export type StoredActor = Omit<Actor, 'rights'> & { readonly rights: readonly OwnRight[] }

/** The stored actor with the rights that are not over at `now` (ISO 8601). */
export const actorAt = ({ rights, ...stored }: StoredActor, now: string): Actor => ({ ...stored, rights: rightsAt(rights, now) })

export type Place = { readonly whitelabelId: string; readonly spaceId: string }

const rank: Record<Scope, number> = { space: 0, whitelabel: 1, all: 2 }

const covers = (scope: Scope, actor: Actor, place: Place): boolean =>
  scope === 'all' ||
  (scope === 'whitelabel' && place.whitelabelId === actor.whitelabelId) ||
  (scope === 'space' && place.spaceId === actor.homeSpaceId)

/** The roles that have this right. */
export const rolesWith = (action: Action): readonly Role[] => ACCESS[action]

/** Those of these roles whose users may confirm what waits for a second person. */
export const confirmingAmong = (roles: readonly Role[]): readonly Role[] =>
  roles.filter((role) => rolesWith('balance.credit').includes(role))

/**
 * The roles under which the actor has this right: those of the table, less what was taken from the actor, and those that carry what
 * was granted. Every other question about rights asks here.
 */
function rolesUnder({ roles, rights }: Pick<Actor, 'roles' | 'rights'>, action: Action): readonly Role[] {
  const own = rights?.find(({ right }) => right === action)
  if (own?.kind === 'taken') return []
  return roles.filter((role) => rolesWith(action).includes(role) || (own !== undefined && mayGet(role, own.right)))
}

/** True when some role of the actor has this right somewhere. Decides the early 403 (fine print 4). */
export const mayEver = (actor: Pick<Actor, 'roles' | 'rights'>, action: Action): boolean => rolesUnder(actor, action).length > 0

/** The actor's roles that have this right and reach this place. */
export const rolesFor = (actor: Actor, action: Action, place: Place): readonly Role[] =>
  rolesUnder(actor, action).filter((role) => covers(SCOPE[role], actor, place))

/** The role under which an event records a command: the lowest, of several that allow it. */
const RECORDED: Record<Role, number> = {
  USER_VIEWER: 0,
  USER_OWNER: 1,
  ACCOUNTANT: 2,
  WL_OWNER: 3,
  WL_MODERATOR: 4,
  WHITELABEL_ACCOUNTANT: 5,
  AUDITOR: 6,
  SYSTEM_ADMIN: 7,
}

/** The role for the metadata of a command. The actor has been authorized for `action` at `place`. */
export function recordedRole(actor: Actor, action: Action, place: Place): Role {
  const [first, ...others] = rolesFor(actor, action, place)
  if (first === undefined) throw new Error(`no role of the actor allows ${action} there`)
  return others.reduce((lowest, role) => (RECORDED[role] < RECORDED[lowest] ? role : lowest), first)
}

/** Roles of an advertiser: those that reach one space. */
export const ADVERTISER_ROLES: readonly Role[] = ROLES.filter((role) => SCOPE[role] === 'space')

/** True when some role of the actor that has this right reaches this place. */
export const may = (actor: Actor, action: Action, place: Place): boolean => rolesFor(actor, action, place).length > 0

/** True when the place is in reach of any role of the actor; a place out of reach is not found. */
export const sees = (actor: Actor, place: Place): boolean => actor.roles.some((role) => covers(SCOPE[role], actor, place))

/** The widest reach among the roles that give this right; null without one. Lists filter by it. */
export function reachOf(actor: Actor, action: Action): Scope | null {
  const scopes = rolesUnder(actor, action).map((role) => SCOPE[role])
  return scopes.reduce<Scope | null>((widest, scope) => (widest === null || rank[scope] > rank[widest] ? scope : widest), null)
}

/** White-label staff: users with a reach beyond one space. */
export const isStaff = (actor: Pick<Actor, 'roles'>): boolean => actor.roles.some((role) => SCOPE[role] !== 'space')
