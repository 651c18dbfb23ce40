import type { Actor } from '#domain/kit/access'
import type { Caller } from './caller.ts'
import { refused } from '#commands/refused'
import type { Call } from './call.ts'

/** The signed-in user of a call; 401 for an anonymous caller, 403 for the service. */
export function personOf(call: Pick<Call, 'identity'>): Actor {
  if (call.identity.kind === 'person') return call.identity.actor
  throw refused(call.identity.kind === 'anonymous' ? 401 : 3)
}

export const callerOf = (call: Call): Caller => ({
  actor: personOf(call),
  commandId: call.commandId,
  bodyHash: call.bodyHash,
  correlation: call.correlation,
  source: call.source,
})
