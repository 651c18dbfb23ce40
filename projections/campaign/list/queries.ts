import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { CampaignState } from '#domain/campaign/state'
import { pageAndTotal } from '#projections/page-and-total'
import type { Db } from '#migrations/db'
import { holdsText } from '#projections/name-search'
import type { CampaignListRow } from './tables.ts'

/** Views that always show the live generation. */
const VIEW = sql.table('rm_campaign_list')
const WITH_STATES = sql`${VIEW} l join rm_campaign_states s on s.id = l.id`

/** Reach of a reader: everything, one white-label, or one space. */
export type Reach = { readonly whitelabelId: string | null; readonly spaceId: string | null }

export type ListFilter = {
  readonly reach: Reach
  /** Accounts within the reach; null means all of it. */
  readonly spaceIds: readonly string[] | null
  /** Part of a name, any case. */
  readonly name: string | null
  /** Null means every status. */
  readonly statuses: readonly number[] | null
  /** Campaigns with any of these labels; null means every campaign. */
  readonly labels: readonly string[] | null
  readonly order:
    | { readonly field: 'name' | 'status'; readonly ascending: boolean }
    /** By a figure of each campaign; campaigns without one count as zero. */
    | { readonly field: 'figures'; readonly ascending: boolean; readonly values: ReadonlyMap<string, number> }
  readonly page: number
  readonly pageSize: number
}

/** Named, because a prepared `select *` fails once a flip has changed the columns of the view. */
const LISTED = [
  'id',
  'space_id',
  'whitelabel_id',
  'name',
  'status_key',
  'goal',
  'type',
  'campaign_type_key',
  'campaign_start_at',
  'campaign_end_at',
  'budget_type_key',
  'need_moderation',
  'review',
  'creative_status',
  'moderation_start_at',
  'created_at',
  'updated_at',
  'revision',
  'version',
] as const satisfies readonly (keyof CampaignListRow)[]
const LISTED_COLUMNS = sql.join(LISTED.map((column) => sql.ref(`l.${column}`)))

export type ListedCampaign = Pick<CampaignListRow, (typeof LISTED)[number]> & {
  readonly state: CampaignState
  readonly space_name: string
  readonly currency: string
}

/** Running first, archived last (decisions G-079). */
const BY_STATUS = sql`array_position(array[3,31,40,6,1,41,44,45,0,2,42,43,5]::smallint[], page.status_key)`

/** Columns that lists and files have in common. */
export type Filter = Pick<ListFilter, 'reach' | 'spaceIds' | 'name' | 'statuses' | 'labels'>

function conditions({ reach, spaceIds, name, statuses, labels }: Filter): RawBuilder<unknown> {
  const parts = [sql`true`]
  if (reach.whitelabelId !== null) parts.push(sql`l.whitelabel_id = ${reach.whitelabelId}`)
  if (reach.spaceId !== null) parts.push(sql`l.space_id = ${reach.spaceId}`)
  if (spaceIds !== null) parts.push(sql`l.space_id = any(${[...spaceIds]}::text[])`)
  if (name !== null && name !== '') parts.push(holdsText(sql`l.search_name`, name))
  if (statuses !== null) parts.push(sql`l.status_key = any(${[...statuses]}::smallint[])`)
  if (labels !== null)
    parts.push(sql`l.id in (select c.campaign_id from app.campaign_labels c where c.label_id = any(${[...labels]}::text[]))`)
  return sql.join(parts, sql` and `)
}

/** One page and the total. */
export async function listCampaigns(db: Kysely<Db>, filter: ListFilter) {
  const where = conditions(filter)
  const direction = filter.order.ascending ? sql`asc` : sql`desc`
  const first =
    filter.order.field === 'name'
      ? sql`lower(page.name) ${direction},`
      : filter.order.field === 'status'
        ? sql`${BY_STATUS} ${direction},`
        : sql`page.figure ${direction},`
  const found =
    filter.order.field === 'figures'
      ? sql`select l.id, l.status_key, l.created_at, l.name, coalesce(v.figure, 0) as figure from ${VIEW} l
          left join unnest(${[...filter.order.values.keys()]}::text[], ${[...filter.order.values.values()]}::float8[])
            as v(id, figure) on v.id = l.id
          where ${where}`
      : sql`select l.id, l.status_key, l.created_at, l.name from ${VIEW} l where ${where}`
  return pageAndTotal(db, {
    found,
    order: sql`${first} ${BY_STATUS}, page.created_at desc, page.id`,
    page: filter.page,
    size: filter.pageSize,
    shown: sql<ListedCampaign>`
      select ${LISTED_COLUMNS}, s.state, coalesce(a.name, '') as space_name, coalesce(a.currency, 'USD') as currency
        ${filter.order.field === 'figures' ? sql`, page.figure` : sql``}
      from page join ${WITH_STATES} on l.id = page.id left join rm_accounts a on a.space_id = l.space_id`,
  })
}

/** Those of these campaigns that are in reach. */
export async function campaignsInReach(db: Kysely<Db>, reach: Reach, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const where = conditions({ reach, spaceIds: null, name: null, statuses: null, labels: null })
  const { rows } = await sql<{ readonly id: string }>`
    select l.id from ${VIEW} l where l.id = any(${[...ids]}::text[]) and ${where}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether there is any campaign in reach. */
export async function anyCampaign(db: Kysely<Db>, reach: Reach): Promise<boolean> {
  const where = conditions({ reach, spaceIds: null, name: null, statuses: null, labels: null })
  const { rows } = await sql`select 1 from ${VIEW} l where ${where} limit 1`.execute(db)
  return rows.length > 0
}

export type ReportedCampaign = Pick<
  CampaignListRow,
  | 'id'
  | 'name'
  | 'status_key'
  | 'campaign_start_at'
  | 'campaign_end_at'
  | 'timezone_offset_seconds'
  | 'goal'
  | 'budget'
  | 'budget_type_key'
> & { readonly space_name: string; readonly currency: string; readonly labels: string }

/** Names of a campaign's labels, for files. */
const LABEL_NAMES = sql`coalesce((
  select string_agg(b.name, ', ' order by b.name_key, b.id) from app.campaign_labels c join app.labels b on b.id = c.label_id
  where c.campaign_id = l.id), '')`

/** All matches by name, in chunks and without states: a report of any length in constant memory. */
export async function* everyCampaign(db: Kysely<Db>, filter: Filter, atOnce = 5000): AsyncGenerator<readonly ReportedCampaign[]> {
  let after: ReportedCampaign | null = null
  for (;;) {
    const beyond: RawBuilder<unknown> =
      after === null ? sql`true` : sql`(lower(l.name), l.id) > (lower(${after.name}::text), ${after.id})`
    const { rows }: { rows: ReportedCampaign[] } = await sql<ReportedCampaign>`
      select l.id, l.name, l.status_key, l.campaign_start_at, l.campaign_end_at, l.timezone_offset_seconds, l.goal, l.budget::text as budget, l.budget_type_key,
        coalesce(a.name, '') as space_name, coalesce(a.currency, 'USD') as currency, ${LABEL_NAMES} as labels
      from ${VIEW} l left join rm_accounts a on a.space_id = l.space_id
      where ${conditions(filter)} and ${beyond} order by lower(l.name), l.id limit ${atOnce}`.execute(db)
    yield rows
    after = rows.at(-1) ?? null
    if (after === null || rows.length < atOnce) return
  }
}

export async function findCampaign(db: Kysely<Db>, id: string): Promise<ListedCampaign | null> {
  const { rows } = await sql<ListedCampaign>`
    select ${LISTED_COLUMNS}, s.state, coalesce(a.name, '') as space_name, coalesce(a.currency, 'USD') as currency
    from ${WITH_STATES} left join rm_accounts a on a.space_id = l.space_id where l.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** A campaign with all its columns and its state; null without a row. */
export async function storedCampaign(
  db: Kysely<Db>,
  id: string,
): Promise<(Pick<CampaignListRow, 'version' | 'revision' | 'status_key'> & { readonly [column: string]: unknown }) | null> {
  const { rows } = await sql<{ row: Pick<CampaignListRow, 'version' | 'revision' | 'status_key'> }>`
    select to_jsonb(s) || to_jsonb(l) as row from ${WITH_STATES} where l.id = ${id}`.execute(db)
  return rows[0]?.row ?? null
}

export async function countCampaigns(db: Kysely<Db>, spaceId: string): Promise<number> {
  const campaigns = db.selectFrom('rm_campaign_list').select(sql<number>`count(*)::int`.as('count'))
  return (await campaigns.where('space_id', '=', spaceId).executeTakeFirst())?.count ?? 0
}

export type DueCampaign = { readonly id: string }

export const without = (id: RawBuilder<unknown>, except: readonly string[]) => sql`${id} <> all(${[...except]}::text[])`

/** Campaigns with a flight or day boundary at or before `now`, longest overdue first. */
export async function dueCampaigns(
  db: Kysely<Db>,
  now: string,
  limit: number,
  except: readonly string[],
): Promise<readonly DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`
    select id from ${VIEW} where next_due <= ${now} and ${without(sql`id`, except)} order by next_due limit ${limit}`.execute(db)
  return rows
}

export type UndecidedCampaign = { readonly id: string; readonly state: CampaignState }

/** The same after an id, in order of ids, with their states: of all white-labels, or of one. */
export async function undecidedAfter(
  db: Kysely<Db>,
  { whitelabelId, after, limit }: { readonly whitelabelId: string | null; readonly after: string; readonly limit: number },
): Promise<readonly UndecidedCampaign[]> {
  const { rows } = await sql<UndecidedCampaign>`
    select l.id, s.state from ${VIEW} l join rm_campaign_states s on s.id = l.id
    where l.exchange_pending and l.id > ${after} and ${whitelabelId === null ? sql`true` : sql`l.whitelabel_id = ${whitelabelId}`}
    order by l.id limit ${limit}`.execute(db)
  return rows
}

/** Campaigns with creatives that some chosen exchange has not decided on. */
export async function undecidedCampaigns(
  db: Kysely<Db>,
  limit: number,
  except: readonly string[],
): Promise<readonly DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`
    select id from ${VIEW} where exchange_pending and ${without(sql`id`, except)} limit ${limit}`.execute(db)
  return rows
}
