import { sql, type Kysely, type Transaction } from 'kysely'
import type { Db } from '#migrations/db'

/** Any number: one process at a time claims periods, adds to hours, and takes hours of an account. */
const ACCOUNT_LOCK = 7_240_001

/** Held until the end of the transaction. */
export const lockAccount = (tx: Transaction<Db>, spaceId: string) =>
  sql`select pg_advisory_xact_lock(${ACCOUNT_LOCK}, hashtext(${spaceId}))`.execute(tx)

/**
 * Adds the charges of a settlement to their hours, under the lock of the account: once, in the transaction that marks it as recorded.
 * Settlements are recorded in order, so only the newest row of an hour can be open for more.
 */
export async function addToHours(tx: Transaction<Db>, spaceId: string, settlement: number): Promise<void> {
  await sql`
    with settled as materialized (
      select campaign_id, hour, sum(amount)::bigint as amount,
        case when bool_and(impressions is not null) then sum(impressions)::bigint end as impressions
      from app.delivery_charges where space_id = ${spaceId} and settlement = ${settlement} group by campaign_id, hour
    ), added as (
      update app.charged_hours h
      set amount = h.amount + s.amount, impressions = h.impressions + s.impressions, last_settlement = ${settlement}
      from settled s cross join lateral (
        select n.first_settlement, n.invoice_id from app.charged_hours n
        where n.space_id = ${spaceId} and n.campaign_id = s.campaign_id and n.hour = s.hour
        order by n.first_settlement desc limit 1
      ) newest
      where h.space_id = ${spaceId} and h.campaign_id = s.campaign_id and h.hour = s.hour
        and h.first_settlement = newest.first_settlement and newest.invoice_id is null
      returning h.campaign_id, h.hour
    )
    insert into app.charged_hours (space_id, campaign_id, hour, first_settlement, last_settlement, amount, impressions)
    select ${spaceId}, s.campaign_id, s.hour, ${settlement}, ${settlement}, s.amount, s.impressions
    from settled s
    where not exists (select from added a where a.campaign_id = s.campaign_id and a.hour = s.hour)`.execute(tx)
}

/** Charges of an account by campaign: what is settled, by hours, and what is not yet; micros. */
export async function chargedByCampaign(
  db: Kysely<Db>,
  spaceId: string,
): Promise<readonly { readonly id: string; readonly amount: bigint; readonly settled: bigint }[]> {
  const { rows } = await sql<{ readonly id: string; readonly amount: bigint; readonly settled: bigint }>`
    select id, sum(amount)::bigint as amount, coalesce(sum(amount) filter (where settled), 0)::bigint as settled
    from (
      select campaign_id as id, amount, true as settled from app.charged_hours where space_id = ${spaceId}
      union all
      select c.campaign_id, c.amount, false from app.delivery_charges c
      where c.space_id = ${spaceId} and ${isUnsettled(spaceId)}
    ) charges group by id`.execute(db)
  return rows
}

/** Whether a charge `c` of an account is in no recorded settlement: settlements are recorded in order. */
const isUnsettled = (spaceId: string) => sql`
  (c.settlement is null or c.settlement > coalesce((
    select max(s.number) from app.settlements s where s.space_id = ${spaceId} and s.recorded), 0))`
