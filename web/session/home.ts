import type { Role } from '#domain/kit/access'
import type { User } from './can.ts'

/** Where each role starts (fine print 74), the widest reach first. */
const HOMES = [
  ['SYSTEM_ADMIN', '/admin/customization'],
  ['WL_OWNER', '/overview'],
  ['WL_MODERATOR', '/moderation'],
  ['WHITELABEL_ACCOUNTANT', '/admin/payments'],
  ['AUDITOR', '/admin/campaigns'],
  ['USER_OWNER', '/campaigns'],
  ['ACCOUNTANT', '/payments/history'],
] as const satisfies readonly (readonly [Role, string])[]

/** Returns the page on which a user starts: after signing in, from the logo, and from pages that are not theirs. */
export const homeOf = ({ roles }: Pick<User, 'roles'>) => HOMES.find(([role]) => roles.includes(role))?.[1] ?? '/profile'
