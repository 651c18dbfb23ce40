import { sql, type Kysely } from 'kysely'
import { isUtc, type Zone } from '#domain/kit/time-zone'
import { anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Queries of reports beside facts: names, currencies and changes. */

type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'whitelabel'; readonly id: string }
  | { readonly kind: 'spaces' | 'campaigns'; readonly ids: readonly string[] }

/** Currencies of the accounts in a scope, house spaces left out. */
export async function currenciesOf(db: Kysely<Db>, scope: Scope): Promise<readonly string[]> {
  const where =
    scope.kind === 'all'
      ? sql`not a.house`
      : scope.kind === 'whitelabel'
        ? sql`not a.house and a.whitelabel_id = ${scope.id}`
        : scope.kind === 'spaces'
          ? sql`a.space_id = any(${[...scope.ids]})`
          : sql`a.space_id in (select l.space_id from rm_campaign_list l where l.id = any(${[...scope.ids]}))`
  const { rows } = await sql<{ readonly currency: string }>`
    select distinct a.currency from rm_accounts a where ${where} order by 1`.execute(db)
  return rows.map(({ currency }) => currency)
}

/** Names of campaigns by id. */
export async function campaignNames(db: Kysely<Db>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('rm_campaign_list').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Campaigns whose changes are counted at once: those that changed last. */
const MOST_CHANGED = 1000
/** Campaigns that are named with an hour or a day. */
const MOST_NAMED = 10

export type ChangesOfPoint = {
  /** Start of the hour or day: the first characters of its ISO 8601 instant. */
  readonly start: string
  readonly count: number
  readonly campaigns: number
  readonly named: readonly { readonly id: string; readonly name: string; readonly count: number }[]
}

/**
 * Changes that users made to campaigns of a scope, by UTC hour or by day of the zone, oldest first. Both ends are ISO 8601; `to` is
 * exclusive.
 */
export async function changesIn(
  db: Kysely<Db>,
  scope: Scope,
  { from, to, step, zone }: { readonly from: string; readonly to: string; readonly step: 'hour' | 'day'; readonly zone: Zone },
): Promise<readonly ChangesOfPoint[]> {
  const where =
    scope.kind === 'all'
      ? sql`true`
      : scope.kind === 'whitelabel'
        ? sql`whitelabel_id = ${scope.id}`
        : scope.kind === 'spaces'
          ? sql`space_id = any(${[...scope.ids]})`
          : sql`id = any(${[...scope.ids]})`
  const local = typeof zone === 'number' ? sql`make_interval(secs => ${zone})` : sql`${zone}::text`
  const point =
    step === 'hour'
      ? sql`left(r.at, 13)`
      : isUtc(zone)
        ? sql`left(r.at, 10)`
        : sql`to_char(r.at::timestamptz at time zone ${local}, 'YYYY-MM-DD')`
  const { rows } = await sql<ChangesOfPoint>`
    with changed as (
      select id, name from rm_campaign_list where ${where} and updated_at >= ${from} order by updated_at desc limit ${MOST_CHANGED}
    ), counted as (
      select ${point} as start, c.id, c.name, count(*)::int as count
      from changed c join rm_campaign_revisions r on r.campaign_id = c.id
      where r.at >= ${from} and r.at < ${to} and not starts_with(r.actor, 'system:')
      group by 1, 2, 3
    ), ranked as (
      select *, row_number() over (partition by start order by count desc, name, id) as place from counted
    )
    select start, sum(count)::int as count, count(*)::int as campaigns,
      json_agg(json_build_object('id', id, 'name', name, 'count', count) order by place) filter (where place <= ${MOST_NAMED}) as named
    from ranked group by start order by start`.execute(db)
  return rows
}

export type NamedCreative = {
  readonly name: string
  /** Name of its campaign. */
  readonly campaign: string
  /** The file of a banner; null for other kinds. */
  readonly fileId: string | null
}

/** Names of creatives by id, of these campaigns. */
export async function creativesNamed(
  db: Kysely<Db>,
  campaignIds: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, NamedCreative>> {
  const { rows } = await sql<{ id: string; name: string; campaign: string; file_id: string | null }>`
    select ad->>'id' as id, coalesce(ad->>'creative_name', ad->>'name', '') as name, l.name as campaign, ad->>'file_id' as file_id
    from rm_campaign_states s join rm_campaign_list l on l.id = s.id
    cross join lateral (
      select b.ad from json_array_elements(s.state->'head'->'visuals'->'banners') as b(ad)
      union all select a.ad from json_array_elements(s.state->'head'->'audio_ads') as a(ad)
      union all select s.state->'head'->'dynamic_ad'
      union all select s.state->'head'->'native_ad'
      union all select s.state->'head'->'video_ad'
    ) as ads(ad)
    where s.id = any(${[...campaignIds]}) and json_typeof(ad) = 'object' and ad->>'id' = any(${[...ids]})`.execute(db)
  return new Map(rows.map(({ id, file_id: fileId, name, campaign }) => [id, { name, campaign, fileId }]))
}
