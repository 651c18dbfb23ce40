import { removeRowsOf } from '#platform/identity/rows-of'
import { sql } from 'kysely'
import { closeGuide, GUIDE_ENDPOINTS, readGuide } from '#contract/guide'
import { area } from '../area.ts'
import { homeOrChosen } from '#api/http/caller'
import { personOf } from '#api/http/person'
import { register } from '#api/http/register'

export const guide = area({
  name: 'guide',
  summary: 'The first steps of a new account',
  endpoints: GUIDE_ENDPOINTS,
  uses: ['accounts'],
  erase: { within: removeRowsOf('app.closed_guides') },
  register(app, { accounts, db, guards }) {
    register(app, guards, readGuide, async (call) => {
      const actor = personOf(call)
      const spaceId = homeOrChosen(actor)
      const account = await accounts.find(spaceId)
      const { rows } = await sql<{
        closed: boolean
        created: boolean
        published: boolean
        delivered: boolean
        draft_id: string | null
      }>`
        select exists (select 1 from app.closed_guides where person_id = ${actor.userId}) as closed,
               exists (select 1 from rm_campaign_list where space_id = ${spaceId}) as created,
               exists (select 1 from rm_campaign_list where space_id = ${spaceId} and review <> 'none') as published,
               exists (select 1 from app.delivery_charges where space_id = ${spaceId}) as delivered,
               (select id from rm_campaign_list where space_id = ${spaceId} and review = 'none' and not archived
                order by created_at desc, id limit 1) as draft_id`.execute(db)
      const delivered = rows[0]?.delivered ?? false
      return {
        closed: rows[0]?.closed ?? false,
        funded: delivered || (account !== null && account.balance + account.credit_limit > 0),
        created: rows[0]?.created ?? false,
        published: rows[0]?.published ?? false,
        delivered,
        draft_id: rows[0]?.draft_id ?? null,
      }
    })

    register(app, guards, closeGuide, async (call) => {
      await db
        .insertInto('app.closed_guides')
        .values({ person_id: personOf(call).userId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return {}
    })
  },
})
