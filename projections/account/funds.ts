import { sql, type Kysely } from 'kysely'
import { sumOf, type Micros } from '#domain/kit/money'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { findAccounts, type AccountRow } from './accounts.ts'

/** The mean of at most this many days says how long a balance lasts: an account that began yesterday has one. */
const RUNWAY_DAYS = 7

export type AccountFunds = AccountRow & {
  /** Balance and credit limit, less every charge; micros. */
  readonly available: Micros
  /** Mean spend of the seven days before, from the first of them with spend on; micros. */
  readonly daily: Micros
}

/** Balance and spend of accounts, by space id; unknown ids are missing. Read from billing, which is exact without the fact store. */
export async function fundsOf(
  db: Kysely<Db>,
  spaceIds: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, AccountFunds>> {
  const [accounts, { rows }] = await Promise.all([
    findAccounts(db, spaceIds),
    sql<{ readonly space_id: string; readonly daily: number }>`
      select l.space_id,
        coalesce(sum(s.billed) filter (where s.day < local.today)
          / max(local.today - s.day) filter (where s.day < local.today and s.billed > 0), 0)::float8 as daily
      from rm_campaign_list l
      cross join lateral (
        select ((${now}::timestamptz at time zone 'UTC') + make_interval(secs => l.timezone_offset_seconds))::date as today
      ) local
      join app.campaign_spend s on s.campaign_id = l.id and s.day between local.today - ${RUNWAY_DAYS}::int and local.today
      where l.space_id = any(${[...new Set(spaceIds)]})
      group by l.space_id`.execute(db),
  ])
  const spent = new Map(rows.map((row) => [row.space_id, row]))
  return new Map(
    [...accounts].map(([id, account]) => [
      id,
      {
        ...account,
        available: account.balance + account.credit_limit,
        daily: spent.get(id)?.daily ?? 0,
      },
    ]),
  )
}

/** Charges of an account for delivery since an instant, and until another; micros. Charges that are not settled yet are in no hour. */
export async function chargedSince(
  db: Kysely<Db>,
  spaceId: string,
  { since, until = null }: { readonly since: string; readonly until?: string | null },
): Promise<Micros> {
  const within = sql`
    space_id = ${spaceId} and hour >= ${since}::timestamptz and (${until}::timestamptz is null or hour < ${until}::timestamptz)`
  const { rows } = await sql<{ readonly amount: number }>`
    select coalesce(sum(amount), 0)::float8 as amount from (
      select amount from app.charged_hours where ${within}
      union all
      select amount from app.delivery_charges
      where ${within}
        and (settlement is null or settlement > coalesce((
          select max(number) from app.settlements where space_id = ${spaceId} and recorded), 0))
    ) charges`.execute(db)
  return rows[0]?.amount ?? 0
}

/** Space ids of accounts after this one, in their order; house spaces are excluded. */
export async function accountIdsAfter(db: Kysely<Db>, spaceId: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('rm_accounts')
    .select('space_id')
    .where('space_id', '>', spaceId)
    .where('house', '=', false)
    .orderBy('space_id')
    .limit(limit)
    .execute()
  return rows.map(({ space_id: id }) => id)
}

/** Funds of an account and charges on them, settled ones only; micros. Undefined for an unknown account. */
export async function settledFundsOf(db: Kysely<Db>, spaceId: string) {
  const row = await db
    .selectFrom('rm_accounts')
    .select(['balance', 'spent', 'taxed', 'assigned'])
    .where('space_id', '=', spaceId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { balance, spent, taxed, assigned } = row
  return { balance: sumOf(balance), settled: sumOf(spent), taxed: sumOf(taxed), assigned: sumOf(assigned) }
}

/** The movements of these settlements. */
export const spendsOf = (db: Kysely<Db>, spaceId: string, settlements: readonly number[]) =>
  db
    .selectFrom('rm_account_ledger')
    .select(['settlement', 'event_id', 'at'])
    .where('space_id', '=', spaceId)
    .where('type', '=', 'spend')
    .where('settlement', '=', anyOf(settlements))
    .execute()
