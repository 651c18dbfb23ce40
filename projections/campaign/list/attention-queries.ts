import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { spentBeside } from './money-queries.ts'

/** Share of a total budget from which its owner should know. */
const NEAR = 0.8
const SHOWN = 3

export type NeedyCampaigns = {
  readonly reason: string
  readonly count: number
  readonly first: readonly { readonly id: string; readonly name: string; readonly status_key: number }[]
}

/** Campaigns of an account that need their owner, by reason; a campaign counts for its most urgent one. */
export async function needyCampaigns(db: Kysely<Db>, spaceId: string, now: string): Promise<readonly NeedyCampaigns[]> {
  const { rows } = await sql<NeedyCampaigns>`
    with needy as (
      select l.id, l.name, l.status_key, l.updated_at, case
        when l.status_key in (44, 45) then 'no_money'
        when l.status_key = 2 or l.review = 'rejected' then 'rejected'
        when l.approved and l.creative_status = 'disapproved' and l.status_key in (3, 6, 31, 40) then 'disapproved'
        when l.status_key = 3 and l.budget_type_key = 1 and l.budget > 0 and coalesce(spent.billed, 0) >= l.budget * ${NEAR}::float8
          then 'near_budget'
        when l.status_key in (42, 43) then 'ended'
        when l.status_key = 1 or l.review = 'pending' then 'waiting'
      end as reason
      from rm_campaign_list l ${spentBeside(now)}
      where l.space_id = ${spaceId} and not l.archived
    ), ranked as (
      select *, row_number() over (partition by reason order by updated_at desc, id) as place from needy where reason is not null
    )
    select reason, count(*)::int as count,
      json_agg(json_build_object('id', id, 'name', name, 'status_key', status_key) order by place)
        filter (where place <= ${SHOWN}) as first
    from ranked group by reason`.execute(db)
  return rows
}
