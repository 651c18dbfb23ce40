/**
 * Who may do what, copied by hand from the access rules, and what they say of one person and one place. The product has a table of its
 * own: this one must never be made of it, or a slip in the one would be a slip in both.
 */

export const ROLES = [
  'SYSTEM_ADMIN',
  'WL_OWNER',
  'WL_MODERATOR',
  'WHITELABEL_ACCOUNTANT',
  'ACCOUNTANT',
  'USER_OWNER',
  'AUDITOR',
] as const
export type RoleName = (typeof ROLES)[number]

type Reach = 'all' | 'label' | 'own' | '–'
type Row = readonly [Reach, Reach, Reach, Reach, Reach, Reach, Reach]

/** Columns in the order of ROLES. */
const TABLE = {
  'read campaigns': ['all', 'label', 'label', '–', '–', 'own', 'label'],
  'manage campaigns': ['all', 'label', '–', '–', '–', 'own', '–'],
  'replicate into another account': ['all', 'label', '–', '–', '–', '–', '–'],
  // The white-label's own view of campaigns: of those who read campaigns, the staff.
  'read campaigns as staff': ['all', 'label', 'label', '–', '–', '–', 'label'],
  'read owner fields': ['all', 'label', 'label', '–', '–', '–', 'label'],
  'write owner fields': ['all', 'label', '–', '–', '–', '–', '–'],
  moderate: ['all', 'label', 'label', '–', '–', '–', '–'],
  'decide for exchanges': ['all', 'label', '–', '–', '–', '–', '–'],
  'read the change log': ['all', 'label', 'label', '–', '–', '–', 'label'],
  verify: ['all', 'label', '–', '–', '–', '–', 'label'],
  'read accounts': ['all', 'label', '–', 'label', '–', '–', 'label'],
  'switch accounts': ['all', 'label', '–', '–', '–', '–', '–'],
  'read balances': ['all', 'label', '–', 'label', 'own', 'own', 'label'],
  'read whitelists': ['all', 'label', 'label', '–', '–', 'own', 'label'],
  'write whitelists': ['all', 'label', '–', '–', '–', 'own', '–'],
  'manage credentials': ['all', 'label', '–', '–', '–', '–', '–'],
  'read the highest margin': ['all', 'label', '–', '–', '–', '–', '–'],
} as const satisfies Record<string, Row>
export type ActionName = keyof typeof TABLE

/** How far each role sees at all: what lies beyond is not there. */
const SIGHT: Row = ['all', 'label', 'label', 'label', 'own', 'own', 'label']

export type SpaceKey = 'A1' | 'A2' | 'A house' | 'B1' | 'B2'
export const SPACES: readonly SpaceKey[] = ['A1', 'A2', 'A house', 'B1', 'B2']
const labelOf = (space: SpaceKey): string => space.slice(0, 1)

/** Someone of white-label A. */
export type Persona = { readonly name: string; readonly roles: readonly RoleName[]; readonly home: SpaceKey }

const HOMES: Readonly<Record<RoleName, SpaceKey>> = {
  SYSTEM_ADMIN: 'A house',
  WL_OWNER: 'A house',
  WL_MODERATOR: 'A house',
  WHITELABEL_ACCOUNTANT: 'A house',
  ACCOUNTANT: 'A1',
  USER_OWNER: 'A1',
  AUDITOR: 'A house',
}

/** One of each role, and one whose roles add up: sees the whole white-label, and may do most things in one space only. */
export const PERSONAS: readonly Persona[] = [
  ...ROLES.map((role) => ({ name: role, roles: [role], home: HOMES[role] })),
  { name: 'USER_OWNER and WHITELABEL_ACCOUNTANT', roles: ['USER_OWNER', 'WHITELABEL_ACCOUNTANT'], home: 'A1' },
]

/** What a row of the table does not say. */
export type Proviso =
  /** Nobody judges campaigns of their own space. */
  | 'never at home'
  /** Everyone may go back to the own space. */
  | 'always home'
  /** Everyone reads their own person. */
  | 'oneself'

export type Rule = {
  readonly action: ActionName
  /** The not-found code of the thing; 1420 for a space that is named where one may be chosen. */
  readonly missing: 6 | 110 | 130 | 131 | 1420
  readonly proviso?: Proviso
}

export type Expected = 'allowed' | { readonly status: number; readonly code: number }
const FORBIDDEN: Expected = { status: 403, code: 3 }

/** What the rules say of a person who does this in a space. `isOneself`: the thing is that person. */
export function expected({ roles, home }: Persona, rule: Rule, space: SpaceKey, isOneself = false): Expected {
  const within = (reach: Reach): boolean =>
    reach === 'all' || (reach === 'label' && labelOf(space) === labelOf(home)) || (reach === 'own' && space === home)
  const of = (row: Row): readonly Reach[] => roles.map((role) => row[ROLES.indexOf(role)] ?? '–')

  if (rule.proviso === 'always home' && space === home) return 'allowed'
  if (rule.proviso === 'oneself' && isOneself) return 'allowed'
  const rights = of(TABLE[rule.action])
  // A call that everyone may make for something is never refused before it is known for what.
  const isForSome = rule.proviso !== 'always home' && rule.proviso !== 'oneself'
  if (isForSome && rights.every((reach) => reach === '–')) return FORBIDDEN
  if (!of(SIGHT).some(within)) return { status: rule.missing === 1420 ? 409 : 404, code: rule.missing }
  if (!rights.some(within)) return FORBIDDEN
  return rule.proviso === 'never at home' && space === home ? FORBIDDEN : 'allowed'
}
