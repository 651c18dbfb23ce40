import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

type Steps = {
  readonly closed: boolean
  readonly created: boolean
  readonly published: boolean
  readonly delivered: boolean
  readonly draft_id: string | null
}

/** The first steps of an account, and the people who closed their list. */
export const createGuides = (db: Kysely<Db>) => ({
  async stepsOf(personId: string, spaceId: string): Promise<Steps> {
    const { rows } = await sql<Steps>`
        select exists (select 1 from app.closed_guides where person_id = ${personId}) as closed,
               exists (select 1 from rm_campaign_list where space_id = ${spaceId}) as created,
               exists (select 1 from rm_campaign_list where space_id = ${spaceId} and review <> 'none') as published,
               exists (select 1 from app.delivery_charges where space_id = ${spaceId})
                 or exists (select 1 from app.charged_hours where space_id = ${spaceId}) as delivered,
               (select id from rm_campaign_list where space_id = ${spaceId} and review = 'none' and not archived
                order by created_at desc, id limit 1) as draft_id`.execute(db)
    return rows[0] ?? { closed: false, created: false, published: false, delivered: false, draft_id: null }
  },

  async close(personId: string): Promise<void> {
    await db
      .insertInto('app.closed_guides')
      .values({ person_id: personId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
})
