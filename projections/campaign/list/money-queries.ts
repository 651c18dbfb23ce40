import { STATUS_KEY } from '#domain/campaign/status/status-keys'
import { sql, type Kysely } from 'kysely'
import type { CampaignState } from '#domain/campaign/state'
import type { Micros } from '#domain/kit/money'
import { accountIsParked, openCharges } from '#projections/account/accounts'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { without, type DueCampaign } from './queries.ts'

/** Queries of policies and bidders about campaigns and their money. Billed spend is primary data, which delivery batches write. */

const VIEW = sql.table('rm_campaign_list')

/** Billed spend beside a campaign `l`: in total, and on its local day of an instant. */
export const spentBeside = (now: string) => sql`
  left join app.campaign_spend_totals spent on spent.campaign_id = l.id
  left join app.campaign_spend today on today.campaign_id = l.id
    and today.day = ((${now}::timestamptz at time zone 'UTC') + make_interval(secs => l.timezone_offset_seconds))::date`

/** Remaining budget, of the day or in total. */
const LEFT = sql`
  greatest(0, coalesce(l.budget, 0) - coalesce(case l.budget_type_key when 1 then spent.billed else today.billed end, 0))`

export type MoneyScan = {
  /** Business time, ISO 8601 UTC. */
  readonly now: string
  /** Only campaigns that were charged in the last so many seconds; null for all. */
  readonly chargedWithin: number | null
  readonly limit: number
  readonly except: readonly string[]
}

const charged = ({ chargedWithin }: Pick<MoneyScan, 'chargedWithin'>) =>
  chargedWithin === null ? sql`true` : sql`spent.updated_at > now() - make_interval(secs => ${chargedWithin})`

const ofSuspendedWhiteLabel = (alias: 'a' | 'l') =>
  sql.raw(`exists (select 1 from identity.suspended_whitelabels w where w.whitelabel_id = ${alias}.whitelabel_id)`)

/** The ids of suspended white-labels, as one text. */
export async function suspendedWhiteLabels(db: Kysely<Db>): Promise<string> {
  const suspended = await db
    .selectFrom('identity.suspended_whitelabels')
    .select('whitelabel_id')
    .orderBy('whitelabel_id')
    .execute()
  return suspended.map(({ whitelabel_id: id }) => id).join(' ')
}

/** Campaigns whose funding no longer matches balance, budget and suspension of their account: of all accounts, or of some. */
export async function misfundedCampaigns(
  db: Kysely<Db>,
  scan: MoneyScan & { readonly spaceIds: readonly string[] | null },
): Promise<readonly DueCampaign[]> {
  const { now, spaceIds, limit, except } = scan
  const ofThem = spaceIds === null ? sql`true` : sql`l.space_id = any(${[...spaceIds]})`
  // An account's available amount is computed once, not once for each of its campaigns.
  const { rows } = await sql<DueCampaign>`
    with a as materialized (
      select a.space_id, a.suspended or ${ofSuspendedWhiteLabel('a')} as suspended,
        case when ${accountIsParked} then 0 else a.balance + a.credit_limit - ${openCharges} end as available from rm_accounts a
      where ${spaceIds === null ? sql`true` : sql`a.space_id = any(${[...spaceIds]})`}
    )
    select l.id
    from ${VIEW} l join a on a.space_id = l.space_id ${spentBeside(now)}
    where ${ofThem} and l.approved and not l.archived and ${charged(scan)}
      and ((a.available <= 0 or a.available < ${LEFT}) <> (l.funding = 'short') or a.suspended <> l.suspended)
      and ${without(sql`l.id`, except)}
    limit ${limit}`.execute(db)
  return rows
}

/** Campaigns whose day budget or total budget is reached, or open again, without its fact. */
export async function misspentCampaigns(db: Kysely<Db>, scan: MoneyScan): Promise<readonly DueCampaign[]> {
  const { now, limit, except } = scan
  const { rows } = await sql<DueCampaign>`
    select l.id
    from ${VIEW} l ${spentBeside(now)}
    where l.approved and not l.archived and ${charged(scan)}
      and (
        (l.budget_type_key = 2 and l.budget > 0 and coalesce(today.billed, 0) >= l.budget) <> (l.day_budget = 'reached')
        or (l.budget_type_key = 1 and l.budget > 0 and coalesce(spent.billed, 0) >= l.budget) <> (l.total_budget = 'spent')
      )
      and ${without(sql`l.id`, except)}
    limit ${limit}`.execute(db)
  return rows
}

export type Spend = {
  /** Micros, billed on the local day, and in total. */
  readonly today: Micros
  readonly total: Micros
  /** End of the last hour that was billed, ISO 8601. */
  readonly billedUntil: string | null
}

/** Billed spend of campaigns, each with the local day that counts as today (YYYY-MM-DD), in the order asked. */
export async function spendOf(
  db: Kysely<Db>,
  asked: readonly { readonly campaignId: string; readonly localDay: string }[],
): Promise<readonly Spend[]> {
  const { rows } = await sql<{ readonly today: bigint; readonly total: bigint; readonly until: Date | null }>`
    select coalesce(d.billed, 0) as today, coalesce(t.billed, 0) as total, t.last_billed_until as until
    from unnest(${asked.map(({ campaignId }) => campaignId)}::text[], ${asked.map(({ localDay }) => localDay)}::date[])
      with ordinality as asked(id, day, n)
    left join app.campaign_spend_totals t on t.campaign_id = asked.id
    left join app.campaign_spend d on d.campaign_id = asked.id and d.day = asked.day
    order by asked.n`.execute(db)
  return rows.map(({ today, total, until }) => ({
    today: Number(today),
    total: Number(total),
    billedUntil: until?.toISOString() ?? null,
  }))
}

/** The same as it was at an instant: of its local day, the hours that had begun. */
export async function spendUntil(
  db: Kysely<Db>,
  asked: readonly { readonly campaignId: string; readonly spaceId: string; readonly zone: number }[],
  at: string,
): Promise<readonly Spend[]> {
  const { rows } = await sql<{ readonly today: bigint; readonly total: bigint }>`
    select (today.billed)::bigint as today, (before.billed + today.billed)::bigint as total
    from unnest(${asked.map(({ campaignId }) => campaignId)}::text[], ${asked.map(({ spaceId }) => spaceId)}::text[],
      ${asked.map(({ zone }) => zone)}::int[]) with ordinality as asked(id, space_id, zone, n)
    cross join lateral (
      select local.day, (local.day::timestamp - make_interval(secs => asked.zone)) at time zone 'UTC' as start
      from (select ((${at}::timestamptz at time zone 'UTC') + make_interval(secs => asked.zone))::date as day) local
    ) local
    cross join lateral (
      select coalesce(sum(s.billed), 0) as billed from app.campaign_spend s where s.campaign_id = asked.id and s.day < local.day
    ) before
    cross join lateral (
      select coalesce(sum(c.amount), 0) as billed from (
        select h.amount from app.charged_hours h
        where h.space_id = asked.space_id and h.campaign_id = asked.id and h.hour >= local.start and h.hour <= ${at}::timestamptz
        union all
        select d.amount from app.delivery_charges d
        where d.space_id = asked.space_id and d.campaign_id = asked.id and d.hour >= local.start and d.hour <= ${at}::timestamptz
          and (d.settlement is null or d.settlement > coalesce((
            select max(number) from app.settlements n where n.space_id = asked.space_id and n.recorded), 0))
      ) c
    ) today
    order by asked.n`.execute(db)
  return rows.map(({ today, total }) => ({ today: Number(today), total: Number(total), billedUntil: null }))
}

/** Budget that the running campaigns of an account could still spend at an instant; micros. */
export async function reservedAt(db: Kysely<Db>, spaceId: string, at: string): Promise<Micros> {
  const campaigns = await db
    .selectFrom('rm_campaign_list')
    .select(['id', 'budget_type_key', 'timezone_offset_seconds as zone'])
    .select(sql<number>`coalesce(budget, 0)::float8`.as('budget'))
    .where('space_id', '=', spaceId)
    .where('status_key', '=', STATUS_KEY.running)
    .execute()
  const spend = await spendUntil(
    db,
    campaigns.map(({ id, zone }) => ({ campaignId: id, spaceId, zone })),
    at,
  )
  return campaigns.reduce((sum, { budget, budget_type_key }, i) => {
    const spent = (budget_type_key === 1 ? spend[i]?.total : spend[i]?.today) ?? 0
    return sum + Math.max(0, budget - spent)
  }, 0)
}

export type BillableCampaign = {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly status_key: number
  readonly budget: Micros | null
  readonly budget_type_key: number
  readonly timezone_offset_seconds: number
  /** Events in its stream that the row contains. */
  readonly version: number
}

/** Campaigns as billing needs them; unknown ids are missing. */
export async function billableCampaigns(db: Kysely<Db>, ids: readonly string[]): Promise<readonly BillableCampaign[]> {
  return db
    .selectFrom('rm_campaign_list as l')
    .select([
      'l.id',
      'l.space_id',
      'l.whitelabel_id',
      'l.status_key',
      'l.budget_type_key',
      'l.timezone_offset_seconds',
      'l.version',
    ])
    .select(sql<number | null>`l.budget::float8`.as('budget'))
    .where('l.id', '=', anyOf(ids))
    .execute()
}

export type RunningCampaign = {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly currency: string
  readonly revision: number
  readonly state: CampaignState
  /** Micros left of the budget, of the day or in total. */
  readonly left: Micros
}

/** Which running campaigns: of one white-label, and of some ids; null is all. */
export type RunningScope = { readonly whitelabelId: string | null; readonly ids: readonly string[] | null }

/** Policies that stop a campaign by time or money. */
const STOPPING = ['clock', 'spend', 'spend-of-charged', 'funding', 'funding-of-charged', 'funding-of-accounts']

/** Whether a policy that stops the campaign fails on it again and again: it must not serve then, and no other is stopped (fine print 110). */
const failsToStop = sql`exists (
  select from app.jobs j where j.kind = any (${STOPPING.map((name) => `sweep ${name}`)}) and j.key = l.id and j.dead_at is not null)`

/** Which campaigns `l`, with their account `a`, bidders may serve. */
export const mayServe = (whitelabelId: string | null) => sql`
  l.status_key = 3 and a.suspended is not true and not ${failsToStop} and not ${ofSuspendedWhiteLabel('l')}
  and ${whitelabelId === null ? sql`true` : sql`l.whitelabel_id = ${whitelabelId}`}`

/** Running campaigns with what they may still spend, without those of suspended accounts and white-labels. By id. */
export async function runningCampaigns(
  db: Kysely<Db>,
  { whitelabelId, ids }: RunningScope,
  now: string,
): Promise<readonly RunningCampaign[]> {
  const { rows } = await sql<RunningCampaign>`
    select l.id, l.space_id, l.whitelabel_id, coalesce(a.currency, 'USD') as currency, l.revision, s.state, (${LEFT})::float8 as left
    from ${VIEW} l join rm_campaign_states s on s.id = l.id left join rm_accounts a on a.space_id = l.space_id ${spentBeside(now)}
    where ${mayServe(whitelabelId)}
      and ${ids === null ? sql`true` : sql`l.id = any(${[...ids]})`}
    order by l.id`.execute(db)
  return rows
}

/**
 * A short text that changes whenever `runningCampaigns` of a white-label (null: of all), or the audiences that they serve with, may have
 * changed: the states of campaigns are not read.
 */
export async function runningVersion(db: Kysely<Db>, whitelabelId: string | null, now: string): Promise<string> {
  const { rows } = await sql<{ readonly version: string }>`
    select concat_ws(' ',
      (select md5(string_agg(concat_ws(' ', l.id, l.version, l.revision, a.currency, ${LEFT}), ',' order by l.id))
       from ${VIEW} l left join rm_accounts a on a.space_id = l.space_id ${spentBeside(now)}
       where ${mayServe(whitelabelId)}),
      (select md5(string_agg(concat_ws(' ', audience_id, version, status, finished_at), ',' order by audience_id, version))
       from rm_audience_versions),
      (select md5(string_agg(concat_ws(' ', audience_id, version, etag, members), ',' order by audience_id, version))
       from app.audience_sets)) as version`.execute(db)
  return rows[0]?.version ?? ''
}

export type Delivered = { readonly id: string; readonly space_id: string; readonly whitelabel_id: string; readonly at: number }

/** Campaigns that batches delivered for in the last seconds, with the time of their last batch, epoch milliseconds. */
export async function deliveredWithin(db: Kysely<Db>, seconds: number): Promise<readonly Delivered[]> {
  return db
    .selectFrom('app.campaign_spend_totals as spent')
    .innerJoin('rm_campaign_list as l', 'l.id', 'spent.campaign_id')
    .select(['l.id', 'l.space_id', 'l.whitelabel_id'])
    .select((eb) => sql<number>`extract(epoch from ${eb.ref('spent.updated_at')})::float8 * 1000`.as('at'))
    .where('spent.updated_at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .execute()
}

/** Budget that the running campaigns of an account may still spend now, of the day or in total; micros. */
export async function reservedOf(db: Kysely<Db>, spaceId: string, now: string): Promise<Micros> {
  const { rows } = await sql<{ readonly reserved: number }>`
    select coalesce(sum(${LEFT}), 0)::float8 as reserved
    from ${VIEW} l ${spentBeside(now)}
    where l.space_id = ${spaceId} and l.status_key = 3`.execute(db)
  return rows[0]?.reserved ?? 0
}
