import type { Actor } from '../../domain/kit/access.ts'
import type { Caller } from './caller.ts'
import { refused } from './refused.ts'
import type { Call } from './call.ts'

/** The signed-in person of a call; 401 when it is nobody, 403 when it is the service. */
export function personOf(call: Pick<Call, 'identity'>): Actor {
  if (call.identity.kind === 'person') return call.identity.actor
  throw refused(call.identity.kind === 'nobody' ? 401 : 3)
}

export const callerOf = (call: Call): Caller => ({
  actor: personOf(call),
  commandId: call.commandId,
  bodyHash: call.bodyHash,
  correlation: call.correlation,
  source: call.source,
})
