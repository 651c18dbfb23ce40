import { isStaff, may, mayEver, recordedRole, sees, type Action, type Actor, type Place } from '#domain/kit/access'
import type { PersonRecord } from '#commands/identity/person'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { Issue } from '#commands/campaign/campaign-commands'
import type { ErrorCode } from '#domain/kit/errors'
import { refused } from '#commands/refused'

/** The caller and the command's context, common to all campaign calls. */
export type Caller = {
  readonly actor: Actor
  /** Derived from the Idempotency-Key, or made for this request. */
  readonly commandId: string
  readonly bodyHash: string | null
  readonly correlation: string
  readonly source: 'ui' | 'api'
}

/** Why a caller may not act: 404 for a place out of reach, by default as a campaign, and 403 for one in reach without the right (access.md). */
export function denialOf(actor: Actor, action: Action, place: Place | null, missing: ErrorCode = 130): ErrorCode | null {
  if (!mayEver(actor, action)) return 3
  if (place === null || !sees(actor, place)) return missing
  return may(actor, action, place) ? null : 3
}

/** Refuses with the code of the denial. */
export function authorize(actor: Actor, action: Action, place: Place | null, missing?: ErrorCode): asserts place is Place {
  const code = denialOf(actor, action, place, missing)
  if (code !== null) throw refused(code)
}

/** Metadata of a command. The caller has been authorized for `action` at `place`. */
export function contextOf(caller: Caller, place: Place, action: Action): CommandContext {
  const { actor } = caller
  return {
    actor: actor.userId,
    role: recordedRole(actor, action, place),
    on_behalf_of: place.spaceId === actor.homeSpaceId ? null : place.spaceId,
    source: caller.source,
    command_id: caller.commandId,
    body_hash: caller.bodyHash,
    correlation: caller.correlation,
    causation: null,
  }
}

export const issueOf = (caller: Caller, place: Place, dryRun: boolean, action: Action = 'campaign.write'): Issue => ({
  context: contextOf(caller, place, action),
  dryRun,
  mayWriteOwnerFields: may(caller.actor, 'owner-fields.write', place),
})

/** The account of a user whom a call names: of oneself, the one that the session acts in. Null for an unknown user. */
export const accountOf = (actor: Actor, userId: string, person: Pick<PersonRecord, 'home_space_id'> | null): string | null =>
  userId === actor.userId ? actor.homeSpaceId : (person?.home_space_id ?? null)

/** The space of a call that names none: the chosen space. */
export const homeOrChosen = (actor: Actor): string => (isStaff(actor) ? actor.spaceId : actor.homeSpaceId)
