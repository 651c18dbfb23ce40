import { ACCESS, type Action } from '../../domain/kit/access.ts'

/** The screens only mirror the server's table, so that nobody is offered what would be refused. */
export function mayEnter(roles: readonly string[], action: Action): boolean {
  const allowed: readonly string[] = ACCESS[action]
  return roles.some((role) => allowed.includes(role))
}
