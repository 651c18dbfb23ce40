import { ACCESS, type Action } from '../../domain/kit/access.ts'

/** Mirrors the server's table, so that screens do not offer what the server refuses. */
export function mayEnter(roles: readonly string[], action: Action): boolean {
  const allowed: readonly string[] = ACCESS[action]
  return roles.some((role) => allowed.includes(role))
}
