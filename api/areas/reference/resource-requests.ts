import type { Kysely } from 'kysely'
import type { Caller, Place } from '#api/kit/caller'
import type { Db } from '#migrations/db'

/** Apps and sites that advertisers miss in the catalogue; the operator reads the table and adds them to apps.json. */
export const createResourceRequests =
  (db: Kysely<Db>, newId: () => string, now: () => string) =>
  async (
    { actor }: Caller,
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
