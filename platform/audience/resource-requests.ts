import type { Kysely } from 'kysely'
import type { Db } from '#migrations/db'

type AudienceRequest = {
  readonly request_id: string
  /** Id of the resource that is missing. */
  readonly id: string
  readonly name: string
  readonly space_id: string
  readonly requested_by: string
  readonly requested_at: string
}

/** Stores what advertisers miss in the catalogue of audiences; the operator reads the table. */
export const createAudienceRequests =
  (db: Kysely<Db>) =>
  async ({ request_id, id, ...request }: AudienceRequest): Promise<void> => {
    await db
      .insertInto('app.audience_resource_requests')
      .values({ ...request, id: request_id, resource_id: id })
      .execute()
  }
export type StoreAudienceRequest = ReturnType<typeof createAudienceRequests>
