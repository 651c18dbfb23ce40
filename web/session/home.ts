import type { Action } from '#domain/kit/access'
import { canEver, type User } from './can.ts'

/** Where users with a right start (fine print 74), the widest reach first. */
const HOMES = [
  ['whitelabel.manage', '/admin/customization'],
  ['account.manage', '/overview'],
  ['campaign.moderate', '/moderation'],
  ['invoice.write', '/admin/payments'],
  ['log.verify', '/audit'],
  ['campaign.admin-list', '/admin/campaigns'],
  ['campaign.read', '/campaigns'],
  ['balance.read', '/payments/history'],
  ['invoice.read', '/payments/history'],
] as const satisfies readonly (readonly [Action, string])[]

/** Returns the page on which a user starts: after signing in, from the logo, and from pages that are not theirs. */
export const homeOf = (user: Pick<User, 'roles' | 'rights'>) => HOMES.find(([right]) => canEver(user, right))?.[1] ?? '/profile'
