import { sql, type Kysely } from 'kysely'
import type { Micros } from '#domain/kit/money'
import type { Db } from '#migrations/db'
import { openCharges } from './accounts.ts'

const SHOWN = 5
/** How long a failed payment asks for attention, days. */
const FAILED_DAYS = 7

export type LowAccount = {
  readonly space_id: string
  readonly name: string
  readonly currency: string
  readonly available: Micros
  readonly notice: 'empty' | 'runway_1' | 'runway_3'
  /** Number of all that are low. */
  readonly total: number
}

const ofWhiteLabel = (alias: 'a' | 'p', id: string | null) =>
  id === null ? sql`true` : sql`${sql.raw(alias)}.whitelabel_id = ${id}`

/** Accounts with campaigns to pay for whose money ends within three days, the least time first; of every white-label for null. */
export async function lowAccounts(db: Kysely<Db>, whitelabelId: string | null): Promise<readonly LowAccount[]> {
  const { rows } = await sql<LowAccount>`
    with low as (
      select a.space_id, a.name, a.currency, (a.balance + a.credit_limit - ${openCharges})::float8 as available,
        case when 'empty' = any(a.notices) then 'empty' when 'runway_1' = any(a.notices) then 'runway_1' else 'runway_3' end as notice
      from rm_accounts a
      where ${ofWhiteLabel('a', whitelabelId)} and not a.house and not a.suspended
        and a.notices && array['empty', 'runway_1', 'runway_3']
        and exists (
          select from rm_campaign_list l where l.space_id = a.space_id and l.approved and not l.archived and l.status_key in (3, 31, 44, 45)
        )
    )
    select *, count(*) over ()::int as total from low order by notice, available, space_id limit ${SHOWN}`.execute(db)
  return rows
}

export type FailedPayment = {
  readonly id: string
  readonly space_id: string
  readonly name: string
  readonly currency: string
  readonly amount: Micros
  readonly failure_code: string | null
  readonly at: string
  /** Number of all that failed. */
  readonly total: number
}

/** Newest failed payments of accounts that none has paid for since, newest first; of every white-label for null. */
export async function failedPayments(
  db: Kysely<Db>,
  whitelabelId: string | null,
  now: string,
): Promise<readonly FailedPayment[]> {
  const since = new Date(Date.parse(now) - FAILED_DAYS * 86_400_000).toISOString()
  const { rows } = await sql<FailedPayment>`
    with failed as (
      select distinct on (p.space_id) p.id, p.space_id, coalesce(a.name, '') as name, p.currency, p.amount::float8 as amount,
        p.failure_code, p.created_at as at
      from rm_payments p left join rm_accounts a on a.space_id = p.space_id
      where ${ofWhiteLabel('p', whitelabelId)} and p.status = 'failed' and p.created_at > ${since}
        and not exists (
          select from rm_payments later
          where later.space_id = p.space_id and later.status = 'succeeded' and later.created_at > p.created_at
        )
      order by p.space_id, p.created_at desc
    )
    select *, count(*) over ()::int as total from failed order by at desc, id limit ${SHOWN}`.execute(db)
  return rows
}
