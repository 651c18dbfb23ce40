import { sql, type Kysely } from 'kysely'
import { PERSON_TEXT } from './directory.ts'
import { CANDIDATE_SIMILARITY, matches, startsWith, wordsOf, type Matching } from './text-search.ts'

/** What the admin search looks through: accounts by their name or their people, and campaigns by name. */
export type SearchScope = {
  /** Null for every white-label. */
  readonly whitelabelId: string | null
  /** Null for every account of the white-label. */
  readonly spaceId: string | null
  /** The caller's own account, which comes first and may be a house space. */
  readonly ownId: string
}

export type FoundAccount = {
  readonly space_id: string
  readonly space_name: string
  readonly created_at: string
  readonly currency: string
  readonly suspended: boolean
  readonly house: boolean
  readonly user_id: string | null
  readonly picture_id: string | null
  readonly first_name: string | null
  readonly last_name: string | null
}

export type FoundCampaign = {
  readonly campaign_id: string
  readonly campaign_name: string
  readonly campaign_start_at: string | null
  readonly status_key: number
  readonly space_id: string
  readonly space_name: string
}

/** With fewer exact results than this, near ones are added. */
const FEW = 5

const ofAccounts = ({ whitelabelId, spaceId, ownId }: SearchScope) =>
  sql.join(
    [
      sql`(not a.house or a.space_id = ${ownId})`,
      ...(spaceId === null ? [] : [sql`a.space_id = ${spaceId}`]),
      ...(whitelabelId === null ? [] : [sql`a.whitelabel_id = ${whitelabelId}`]),
    ],
    sql` and `,
  )
const OWNER = sql`'USER_OWNER' = any(p.roles)`
const NAME = sql`app.folded(a.name)`
const CAMPAIGN_NAME = sql`app.folded(l.name)`

const ACCOUNT = sql`
  a.space_id, a.name as space_name, a.created_at, a.currency, a.suspended, a.house, p.id as user_id, p.picture_id, p.first_name,
  p.last_name`
const ITS_OWNER = sql`
  left join lateral (
    select p.id, p.picture_id, p.first_name, p.last_name from identity.people p where p.home_space_id = a.space_id and ${OWNER}
    order by p.created_at, p.id limit 1
  ) p on true`

/** Accounts that a query finds: the own one, then those that begin with it. Without a query the first ones by name. */
export async function searchAccounts(
  db: Kysely<never>,
  scope: SearchScope,
  query: string,
  limit: number,
): Promise<readonly FoundAccount[]> {
  const { ownId } = scope
  if (wordsOf(query).length === 0) {
    // Two parts: by name alone the index answers.
    const { rows } = await sql<FoundAccount>`
      select ${ACCOUNT} from (
        (select * from rm_accounts a where a.space_id = ${ownId})
        union all
        (select * from rm_accounts a where a.space_id <> ${ownId} and ${ofAccounts(scope)}
         order by lower(a.name), a.space_id limit ${limit - 1})
      ) a ${ITS_OWNER} order by a.space_id = ${ownId} desc, lower(a.name), a.space_id`.execute(db)
    return rows
  }
  return exactThenNear(
    db,
    limit,
    ({ space_id: id }) => id,
    async (on, how) => {
      const { rows } = await sql<FoundAccount>`
      with found as materialized (
        select a.space_id from rm_accounts a where ${ofAccounts(scope)} and ${matches(NAME, query, how)}
        union
        select a.space_id from identity.people p join rm_accounts a on a.space_id = p.home_space_id
        where ${OWNER} and ${ofAccounts(scope)} and ${matches(PERSON_TEXT, query, how)}
      ), best as (
        select a.*, ${startsWith(NAME, query)} as begins from found join rm_accounts a using (space_id)
        order by a.space_id = ${ownId} desc, begins desc, lower(a.name), a.space_id limit ${limit}
      )
      select ${ACCOUNT} from best a ${ITS_OWNER}
      order by a.space_id = ${ownId} desc, a.begins desc, lower(a.name), a.space_id`.execute(on)
      return rows
    },
  )
}

/** Campaigns that a query finds: those that begin with it first. Without a query the newest ones. */
export async function searchCampaigns(
  db: Kysely<never>,
  { whitelabelId, spaceId }: SearchScope,
  query: string,
  limit: number,
): Promise<readonly FoundCampaign[]> {
  const within = sql.join(
    [
      sql`not l.archived`,
      ...(whitelabelId === null ? [] : [sql`l.whitelabel_id = ${whitelabelId}`]),
      ...(spaceId === null ? [] : [sql`l.space_id = ${spaceId}`]),
    ],
    sql` and `,
  )
  const one = sql`
    l.id as campaign_id, l.name as campaign_name, l.campaign_start_at, l.status_key, l.space_id, coalesce(a.name, '') as space_name`
  if (wordsOf(query).length === 0) {
    const { rows } = await sql<FoundCampaign>`
      select ${one} from (
        select * from rm_campaign_list l where ${within} order by l.created_at desc, l.id limit ${limit}
      ) l left join rm_accounts a on a.space_id = l.space_id order by l.created_at desc, l.id`.execute(db)
    return rows
  }
  return exactThenNear(
    db,
    limit,
    ({ campaign_id: id }) => id,
    async (on, how) => {
      const { rows } = await sql<FoundCampaign>`
      with best as (
        select l.*, ${startsWith(CAMPAIGN_NAME, query)} as begins from rm_campaign_list l
        where ${within} and ${matches(CAMPAIGN_NAME, query, how)}
        order by begins desc, l.created_at desc, l.id limit ${limit}
      )
      select ${one} from best l left join rm_accounts a on a.space_id = l.space_id
      order by l.begins desc, l.created_at desc, l.id`.execute(on)
      return rows
    },
  )
}

/** Exact results, followed by near ones when there are few. */
async function exactThenNear<Row>(
  db: Kysely<never>,
  limit: number,
  keyOf: (row: Row) => string,
  search: (on: Kysely<never>, how: Matching) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const exact = await search(db, 'exact')
  if (exact.length >= Math.min(FEW, limit)) return exact
  const near = await db.transaction().execute(async (tx) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${String(CANDIDATE_SIMILARITY)}, true)`.execute(tx)
    return search(tx, 'near')
  })
  const known = new Set(exact.map(keyOf))
  return [...exact, ...near.filter((row) => !known.has(keyOf(row)))].slice(0, limit)
}

/** Submissions of campaigns and registrants that wait for a moderator. */
export async function waitingCounts(
  db: Kysely<never>,
  { whitelabelId, spaceId }: SearchScope,
): Promise<{ readonly campaigns: number; readonly registrants: number }> {
  const { rows } = await sql<{ campaigns: number; registrants: number }>`
    select
      (select count(*)::int from rm_moderation_queue q join rm_campaign_list l on l.id = q.campaign_id
       where q.submission is not null and not q.archived
         and (${whitelabelId}::text is null or q.whitelabel_id = ${whitelabelId})
         and (${spaceId}::text is null or l.space_id = ${spaceId})) as campaigns,
      (select count(*)::int from identity.people p
       where p.status_key = 1 and ${OWNER} and (${whitelabelId}::text is null or p.whitelabel_id = ${whitelabelId})
         and (${spaceId}::text is null or p.home_space_id = ${spaceId})) as registrants`.execute(db)
  return rows[0] ?? { campaigns: 0, registrants: 0 }
}
