import { actorAt, type Actor } from '#domain/kit/access'
import { actingIn, actorWith, type AccountAccess, type PersonRecord } from './person.ts'

export type ActorNowDeps = {
  readonly people: {
    /** The person while they may come in; `isLocal` lets users of the demo in. */
    readonly entering: (id: string, isLocal: boolean) => Promise<PersonRecord | null>
    readonly accessOf: (id: string) => Promise<readonly AccountAccess[]>
  }
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
}

/**
 * The one way to act later for a person who asked for it: with the roles and rights that they have in that account at this moment. Null when
 * they may not come in any more, or the account is none of theirs.
 */
export async function actorNow(
  { people, now }: ActorNowDeps,
  personId: string,
  spaceId: string,
): Promise<{ readonly person: PersonRecord; readonly actor: Actor } | null> {
  // Demo users may work here while the demo is on: the call in which they asked was checked.
  const person = await people.entering(personId, true)
  const acting = person === null ? null : actingIn(await people.accessOf(personId), spaceId)
  if (person === null || acting === null || acting.spaceId !== spaceId) return null
  return { person, actor: actorAt(actorWith(person, acting.access, acting.spaceId), now()) }
}
