import type { Actor, Place } from '#domain/kit/access'
import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** Apps and sites that advertisers miss in the catalogue; the operator reads the table and adds them to apps.json. */
export const createResourceRequests =
  (db: Kysely<Db>, newId: () => string, now: () => string) =>
  async (
    { actor }: { readonly actor: Actor },
    { spaceId }: Place,
    { name, campaign_id }: { readonly name: string; readonly campaign_id: string },
  ) => {
    const request = { id: newId(), name, campaign_id, requested_at: now() }
    await db
      .insertInto('app.resource_requests')
      .values({ ...request, space_id: spaceId, requested_by: actor.userId })
      .execute()
    return request
  }
export type StoreRequest = ReturnType<typeof createResourceRequests>
