import { sql, type Kysely } from 'kysely'
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
    await sql`
      insert into app.resource_requests (id, campaign_id, space_id, name, requested_by, requested_at)
      values (${request.id}, ${campaign_id}, ${spaceId}, ${name}, ${actor.userId}, ${request.requested_at})`.execute(db)
    return request
  }
