import type { ApiScope } from '#domain/kit/api-scopes'
import type { Action } from '#domain/kit/access'
import type { Endpoint } from './http.ts'

const READS: readonly Action[] = [
  'audience.read',
  'campaign.read',
  'campaign.admin-list',
  'log.read',
  'events.read',
  'balance.read',
  'owner-fields.read',
]
const WRITES: Readonly<Record<Exclude<ApiScope, 'read'>, readonly Action[]>> = {
  campaigns: ['audience.write', 'campaign.write', 'campaign.replicate-across', 'owner-fields.write'],
  events: ['events.write'],
  moderation: ['campaign.moderate', 'exchange.decide'],
}

/** Calls about the user's own sessions and credentials. */
const OF_SESSIONS = /^(session|user|profile)\./

/** Whether a key with these scopes may make a call. */
export function inScope(endpoint: Endpoint, scopes: readonly ApiScope[]): boolean {
  const { id, alsoFor, command, write, stream, stepUp } = endpoint
  // A key cannot prove that its user is there (fine print 83).
  if (stepUp !== undefined) return false
  // Calls of services are calls of users too where they name a right.
  const access = endpoint.access === 'service' ? alsoFor : endpoint.access
  if (access === 'public') return true
  // A stream ends with its session, and a key has none.
  if (access === undefined || access === 'directory' || stream === true || OF_SESSIONS.test(id)) return false
  if (access === 'signed-in') return scopes.includes('read')
  if (command !== true && write !== true && READS.includes(access)) return scopes.includes('read')
  return Object.entries(WRITES).some(([scope, rights]) => scopes.includes(scope as ApiScope) && rights.includes(access))
}
