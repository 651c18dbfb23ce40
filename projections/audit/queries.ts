import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isContentPath } from '#domain/audit/event-changes'
import type { EventFilter } from '#domain/audit/event-filter'
import type { EventKind } from '#domain/audit/event-kinds'
import { ADVERTISER_ROLES } from '#domain/kit/access'
import type { JsonObject } from '#domain/kit/json-changes'
import type { Db } from '#migrations/db'

/** Which events of the log a feed lists. Null lets everything through. */
export type FeedFilter = EventFilter & {
  readonly whitelabelId: string | null
  /** Instants of business time, ISO 8601 with milliseconds; `to` is excluded. */
  readonly from: string | null
  readonly to: string | null
}

export type FeedRange = {
  /** Exclusive. */
  readonly after: bigint
  /** Exclusive; null for the end of the log. */
  readonly before: bigint | null
  readonly descending: boolean
  readonly limit: number
}

export type FeedRow = {
  readonly position: bigint
  readonly version: number
  readonly revision: number
  readonly whitelabel_id: string | null
  readonly space_id: string | null
  readonly kind: EventKind
  readonly subject_id: string
  readonly type: string
  readonly actor: string
  readonly role: string
  readonly on_behalf_of: string | null
  readonly source: string
  readonly at: string
  readonly was: JsonObject | null
}

export type FeedPage = {
  readonly rows: readonly FeedRow[]
  /** Where to go on, exclusive; null when every row of the range was read. */
  readonly next: bigint | null
  /** Position of the read model, before the rows were read. */
  readonly head: bigint
}

/** Rows that one page reads at most. */
const SCANNED = 10_000

const VIEW = sql.table('rm_audit_log')
const COLUMNS = sql`position, version, revision, whitelabel_id, space_id, kind, subject_id, type, actor, role, on_behalf_of, source,
  at, fields, was`

/**
 * The next rows of a range that pass a filter. Reads at most `SCANNED` rows of the index that fits the filter best, so that a filter
 * which nothing passes takes many short calls instead of one without end.
 */
export async function readFeed(
  db: Kysely<Db>,
  filter: FeedFilter,
  { after, before, descending, limit }: FeedRange,
  scanned = SCANNED,
): Promise<FeedPage> {
  // Before the rows, which are then complete up to it.
  const head = await feedHead(db)
  const bounds = await boundsOf(db, filter)
  const lower = max(after, bounds.lower)
  const upper = min(min(head, bounds.upper ?? head), before === null ? head : before - 1n)
  const end = { rows: [], next: null, head }
  if (lower >= upper) return end
  const order = descending ? sql`order by position desc` : sql`order by position`
  const within = sql`position > ${lower} and position <= ${upper}`
  const source = (columns: RawBuilder<unknown>) => sql`${found(columns, filter, within)} ${order} limit ${scanned}`
  const { rows } = await sql<FeedRow>`
    select * from (${source(COLUMNS)}) as scanned where ${passing(filter)} ${order} limit ${limit + 1}`.execute(db)
  if (rows.length > limit) {
    const page = rows.slice(0, limit)
    return { rows: page, next: page.at(-1)?.position ?? null, head }
  }
  // Rows up to the head never change: these are the ones that were read before.
  const { rows: ends } = await sql<{ count: number; last: bigint | null }>`
    select count(*)::int as count, ${descending ? sql`min(position)` : sql`max(position)`} as last
    from (${source(sql`position`)}) as scanned`.execute(db)
  const [{ count, last } = { count: 0, last: null }] = ends
  return { rows, next: count < scanned ? null : last, head }
}

/** Every event up to this position has a row. */
export async function feedHead(db: Kysely<Db>): Promise<bigint> {
  const live = await db
    .selectFrom('es.subscriptions')
    .select('position')
    .where('name', '=', 'audit-log')
    .where('status', '=', 'live')
    .executeTakeFirst()
  return live?.position ?? 0n
}

/** Positions outside of which no event of the period is: the lower one exclusive. */
async function boundsOf(
  db: Kysely<Db>,
  { from, to }: FeedFilter,
): Promise<{ readonly lower: bigint; readonly upper: bigint | null }> {
  if (from === null && to === null) return { lower: 0n, upper: null }
  const { rows } = await sql<{ lower: bigint | null; upper: bigint | null }>`
    select min(first_position) - 1 as lower, max(last_position) as upper from rm_audit_days
    where (${from}::text is null or day >= left(${from}, 10)) and (${to}::text is null or day <= left(${to}, 10))`.execute(db)
  return { lower: rows[0]?.lower ?? 0n, upper: rows[0]?.upper ?? 0n }
}

/** Rows of the range by the index that leaves the fewest; what else the filter asks for is checked row by row. */
function found(columns: RawBuilder<unknown>, filter: FeedFilter, within: RawBuilder<unknown>): RawBuilder<unknown> {
  const { whitelabelId, actor, kind, subject, space, types } = filter
  const rows = (where: RawBuilder<unknown>) => sql`select ${columns} from ${VIEW} where ${where} and ${within}`
  if (subject !== null && kind !== null && kind !== 'ledger') return rows(sql`kind <> 'ledger' and subject_id = ${subject}`)
  if (actor !== null && !actor.startsWith('system:')) return rows(sql`actor not like 'system:%' and actor = ${actor}`)
  if (space !== null) return rows(sql`space_id = ${space}`)
  if (whitelabelId === null) return rows(sql`true`)
  const ofWhiteLabel = sql`whitelabel_id = ${whitelabelId}`
  if (types === null || types.length === 0) return rows(ofWhiteLabel)
  // One part for each type: PostgreSQL merges them in the order of the index.
  return sql.join(
    types.map((type) => sql`(${rows(sql`${ofWhiteLabel} and type = ${type}`)})`),
    sql` union all `,
  )
}

function passing({ whitelabelId, actor, by, kind, subject, space, types, fields, from, to }: FeedFilter): RawBuilder<unknown> {
  return sql`
    (${whitelabelId}::text is null or whitelabel_id = ${whitelabelId})
    and (${actor}::text is null or actor = ${actor})
    and ${AUTHORS[by ?? 'all']}
    and (${kind}::text is null or kind = ${kind})
    and (${subject}::text is null or subject_id = ${subject})
    and (${space}::text is null or space_id = ${space})
    and ${types === null ? sql`true` : sql`type = any(${[...types]})`}
    and ${fields === null ? sql`true` : ofFields(fields)}
    and (${from}::text is null or at >= ${from}) and (${to}::text is null or at < ${to})`
}

const IS_SYSTEM = sql`actor like 'system:%'`
const AUTHORS = {
  all: sql`true`,
  system: IS_SYSTEM,
  people: sql`not ${IS_SYSTEM}`,
  staff: sql`(not ${IS_SYSTEM} and role <> all(${[...ADVERTISER_ROLES]}))`,
  advertisers: sql`(not ${IS_SYSTEM} and role = any(${[...ADVERTISER_ROLES]}))`,
}

/** An event is about a field when it changed something in it, or what the field lies in. The creation of a campaign sets all of its fields. */
const ofFields = (fields: readonly string[]): RawBuilder<unknown> => sql`(
  ${fields.some(isContentPath) ? sql`type = 'CampaignCreated'` : sql`false`}
  or exists (
    select from unnest(fields) as path, unnest(${[...fields]}::text[]) as asked
    where path = asked or starts_with(path, asked || '.') or starts_with(asked, path || '.')))`

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Names of subjects, by kind and id, and of accounts, as the other read models know them. */
export async function namesOfSubjects(
  db: Kysely<Db>,
  rows: readonly Pick<FeedRow, 'kind' | 'subject_id' | 'space_id'>[],
): Promise<(kind: EventKind, id: string) => string | null> {
  const ids = (kind: EventKind) => [...new Set(rows.flatMap((row) => (row.kind === kind ? [row.subject_id] : [])))]
  const spaces = [...new Set(rows.flatMap(({ space_id: id }) => id ?? []))]
  const { rows: names } = await sql<{ kind: string; id: string; name: string | null }>`
    select 'campaign' as kind, id, name from rm_campaign_list where id = any(${ids('campaign')})
    union all select 'audience', id, name from rm_audiences where id = any(${ids('audience')})
    union all select 'invoice', id, number from rm_invoices where id = any(${ids('invoice')})
    union all select 'account', space_id, name from rm_accounts where space_id = any(${spaces})`.execute(db)
  const known = new Map(names.map(({ kind, id, name }) => [`${kind} ${id}`, name]))
  return (kind, id) => known.get(`${kind} ${id}`) ?? null
}
