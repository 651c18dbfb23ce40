/**
 * The access table, copied by hand from the access rules, and the result for one user and one space. The product has its own
 * table: this one must never be derived from it, or a mistake in one would be in both.
 */

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
export type RoleName = (typeof ROLES)[number]

type Reach = 'all' | 'label' | 'own' | '–'
type Row = readonly [Reach, Reach, Reach, Reach, Reach, Reach, Reach, Reach]

/** Columns in the order of ROLES. */
const TABLE = {
  'read campaigns': ['all', 'label', 'label', '–', '–', 'own', 'own', 'label'],
  'manage campaigns': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'replicate into another account': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  // The campaign list of the white-label: staff among those who may read campaigns.
  'read campaigns as staff': ['all', 'label', 'label', '–', '–', '–', '–', 'label'],
  'read owner fields': ['all', 'label', 'label', '–', '–', '–', '–', 'label'],
  'write owner fields': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'screen registrants': ['all', 'label', 'label', '–', '–', '–', '–', '–'],
  'add accounts': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  moderate: ['all', 'label', 'label', '–', '–', '–', '–', '–'],
  'assign reviews': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'read review statistics': ['all', 'label', 'label', '–', '–', '–', '–', 'label'],
  'decide for exchanges': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'read the change log': ['all', 'label', 'label', '–', '–', '–', '–', 'label'],
  verify: ['all', 'label', '–', '–', '–', '–', '–', 'label'],
  'read accounts': ['all', 'label', '–', 'label', '–', '–', '–', 'label'],
  'read an account': ['all', 'label', 'label', 'label', 'own', 'own', 'own', 'label'],
  'manage accounts': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'rename accounts': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'read the history of accounts': ['all', 'label', '–', '–', '–', '–', '–', 'label'],
  'read the people of accounts': ['all', 'label', '–', '–', '–', 'own', 'own', 'label'],
  'manage the people of accounts': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'switch accounts': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'read balances': ['all', 'label', '–', 'label', 'own', 'own', '–', 'label'],
  'credit accounts': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'read invoices': ['all', 'label', '–', 'label', 'own', 'own', '–', 'label'],
  'write invoices': ['all', 'label', '–', 'label', '–', '–', '–', '–'],
  'read cards': ['all', 'label', '–', '–', 'own', 'own', '–', '–'],
  'write cards': ['–', 'label', '–', '–', '–', 'own', '–', '–'],
  'read events': ['all', 'label', 'label', '–', '–', 'own', 'own', 'label'],
  'write events': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'read audiences': ['all', 'label', 'label', '–', '–', 'own', 'own', 'label'],
  'write audiences': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'read whitelists': ['all', 'label', 'label', '–', '–', 'own', 'own', 'label'],
  'write whitelists': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'manage credentials': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'manage webhooks': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'read the highest margin': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  search: ['all', 'label', '–', '–', '–', 'own', 'own', '–'],
  'answer chats': ['all', 'label', 'label', '–', '–', '–', '–', '–'],
  'ask in a chat': ['–', '–', '–', 'label', 'own', 'own', 'own', 'label'],
  'read security events': ['all', 'label', '–', '–', '–', '–', '–', 'label'],
  'confirm money by hand': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'read operations': ['all', '–', '–', '–', '–', '–', '–', '–'],
  'act on operations': ['all', '–', '–', '–', '–', '–', '–', '–'],
  'see the guide': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
} as const satisfies Record<string, Row>
export type ActionName = keyof typeof TABLE

/** Rights that no call checks: what the screens show, and whom accounts may name. By their names in the product. */
export const UNCALLED: Readonly<Record<string, Row>> = {
  'account.represent': ['all', 'label', 'label', 'label', '–', '–', '–', '–'],
  'page.administration': ['all', 'label', '–', '–', '–', '–', '–', '–'],
  'page.billing': ['all', 'label', '–', '–', '–', 'own', '–', '–'],
  'page.staff': ['all', 'label', '–', '–', '–', '–', '–', 'label'],
  'page.staff-profile': ['all', 'label', 'label', '–', '–', '–', '–', '–'],
  'page.transactions': ['–', '–', '–', 'label', 'own', '–', '–', '–'],
}

/** The scope that each role can see: objects outside it do not exist for the role. */
const SIGHT: Row = ['all', 'label', 'label', 'label', 'own', 'own', 'own', 'label']

export type SpaceKey = 'A1' | 'A2' | 'A house' | 'B1' | 'B2'
export const SPACES: readonly SpaceKey[] = ['A1', 'A2', 'A house', 'B1', 'B2']
const labelOf = (space: SpaceKey): string => space.slice(0, 1)

/** A user of white-label A, with what an owner granted beyond the roles or took from them. */
export type Persona = {
  readonly name: string
  readonly roles: readonly RoleName[]
  readonly home: SpaceKey
  readonly granted?: readonly ActionName[]
  readonly taken?: readonly ActionName[]
}

type Single = {
  readonly actions: readonly ActionName[]
  /** Roles that lack it and may get it. */
  readonly for: readonly RoleName[]
  /** Roles that have it and may lose it. */
  readonly from: readonly RoleName[]
}

/** Single rights (fine print 89), by their names in the product. */
export const SINGLE: Readonly<Record<string, Single>> = {
  'campaign.read': {
    actions: ['read campaigns', 'read whitelists'],
    for: ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT'],
    from: [],
  },
  'campaign.write': { actions: ['manage campaigns', 'write whitelists', 'see the guide'], for: ['USER_VIEWER'], from: [] },
  'campaign.moderate': { actions: ['moderate'], for: ['WHITELABEL_ACCOUNTANT'], from: ['WL_MODERATOR'] },
  'log.read': { actions: ['read the change log'], for: ['WHITELABEL_ACCOUNTANT'], from: ['WL_MODERATOR', 'AUDITOR'] },
  'events.write': { actions: ['write events'], for: ['USER_VIEWER'], from: [] },
  'audience.write': { actions: ['write audiences'], for: ['USER_VIEWER'], from: [] },
  'balance.read': {
    actions: ['read balances'],
    for: ['WL_MODERATOR', 'USER_VIEWER'],
    from: ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'AUDITOR'],
  },
  'invoice.read': {
    actions: ['read invoices'],
    for: ['WL_MODERATOR', 'USER_VIEWER'],
    from: ['WHITELABEL_ACCOUNTANT', 'ACCOUNTANT', 'AUDITOR'],
  },
  'invoice.write': { actions: ['write invoices'], for: ['WL_MODERATOR'], from: ['WHITELABEL_ACCOUNTANT'] },
  'account.list': { actions: ['read accounts'], for: ['WL_MODERATOR'], from: ['WHITELABEL_ACCOUNTANT', 'AUDITOR'] },
}

const HOMES: Readonly<Record<RoleName, SpaceKey>> = {
  SYSTEM_ADMIN: 'A house',
  WL_OWNER: 'A house',
  WL_MODERATOR: 'A house',
  WHITELABEL_ACCOUNTANT: 'A house',
  ACCOUNTANT: 'A1',
  USER_OWNER: 'A1',
  USER_VIEWER: 'A1',
  AUDITOR: 'A house',
}

/**
 * One user per role, and one with two roles that add up: sees the whole white-label, but may do most things in one space only.
 */
export const PERSONAS: readonly Persona[] = [
  ...ROLES.map((role) => ({ name: role, roles: [role], home: HOMES[role] })),
  { name: 'USER_OWNER and WHITELABEL_ACCOUNTANT', roles: ['USER_OWNER', 'WHITELABEL_ACCOUNTANT'], home: 'A1' },
]

/** Conditions that the rows of the table do not contain. */
export type Proviso =
  /** No user moderates campaigns of the own space. */
  | 'never at home'
  /** Every user may switch back to the own space. */
  | 'always home'
  /** Every user may read their own record. */
  | 'oneself'

export type Rule = {
  readonly action: ActionName
  /** The not-found code of the object; 1420 for a space in a call that lets users choose one. */
  readonly missing: 6 | 7 | 110 | 130 | 131 | 161 | 180 | 1420
  readonly proviso?: Proviso
}

export type Expected = 'allowed' | { readonly status: number; readonly code: number }
const FORBIDDEN: Expected = { status: 403, code: 3 }

/** The result by the rules for a user and a space. `isOneself`: the object is the user's own record. */
export function expected(
  { roles, home, granted = [], taken = [] }: Persona,
  rule: Rule,
  space: SpaceKey,
  isOneself = false,
): Expected {
  const within = (reach: Reach): boolean =>
    reach === 'all' || (reach === 'label' && labelOf(space) === labelOf(home)) || (reach === 'own' && space === home)
  const of = (row: Row): readonly Reach[] => roles.map((role) => row[ROLES.indexOf(role)] ?? '–')

  if (rule.proviso === 'always home' && space === home) return 'allowed'
  if (rule.proviso === 'oneself' && isOneself) return 'allowed'
  const rights = taken.includes(rule.action)
    ? roles.map((): Reach => '–')
    : // A granted right reaches as far as the role.
      of(granted.includes(rule.action) ? SIGHT : TABLE[rule.action])
  // A call that every user may make for some object is refused only after the object is known.
  const isForSome = rule.proviso !== 'always home' && rule.proviso !== 'oneself'
  if (isForSome && rights.every((reach) => reach === '–')) return FORBIDDEN
  if (!of(SIGHT).some(within)) return { status: rule.missing === 1420 ? 409 : 404, code: rule.missing }
  if (!rights.some(within)) return FORBIDDEN
  return rule.proviso === 'never at home' && space === home ? FORBIDDEN : 'allowed'
}
