import { sql, type Kysely, type RawBuilder } from 'kysely'
import { PERSON_TEXT } from './directory.ts'
import { candidateSimilarity, matches, startsWith, toleratesErrors, wordsOf, type Matching } from './text-search.ts'

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
/** Matches of each kind that are ranked; a query with more is too short to be ranked well. */
const RANKED = 300
/** Candidates of a near match whose letters are compared, which is slow. */
const COMPARED = 400

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
const NAME = sql`a.search_name`
const CAMPAIGN_NAME = sql`l.search_name`

const ACCOUNT = sql`
  a.space_id, a.name as space_name, a.created_at, a.currency, a.suspended, a.house, p.id as user_id, p.picture_id, p.first_name,
  p.last_name`
const ITS_OWNER = sql`
  left join lateral (
    select p.id, p.picture_id, p.first_name, p.last_name from identity.people p where p.home_space_id = a.space_id and ${OWNER}
    order by p.created_at, p.id limit 1
  ) p on true`

const ofPeople = ({ whitelabelId, spaceId }: SearchScope) =>
  sql.join(
    [
      ...(spaceId === null ? [sql`true`] : [sql`p.home_space_id = ${spaceId}`]),
      ...(whitelabelId === null ? [] : [sql`p.whitelabel_id = ${whitelabelId}`]),
    ],
    sql` and `,
  )

/** Where matches are searched: the table, or for near ones the first candidates that an index finds in it. */
const sourceOf =
  (table: RawBuilder<unknown>, within: RawBuilder<unknown>, text: RawBuilder<unknown>, query: string) =>
  (how: Matching, right: ReadonlySet<string>): RawBuilder<unknown> =>
    how === 'near'
      ? sql`(select * from ${table} where ${within} and ${matches(text, query, 'candidate', right)} limit ${COMPARED} offset 0)`
      : sql`(select * from ${table})`

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
  const accounts = sourceOf(sql`rm_accounts a`, ofAccounts(scope), NAME, query)
  const people = sourceOf(sql`identity.people p`, sql`${OWNER} and ${ofPeople(scope)}`, PERSON_TEXT, query)
  return exactThenNear(
    db,
    query,
    limit,
    ({ space_id: id }) => id,
    async (on, how, right) => {
      const { rows } = await sql<FoundAccount>`
      with found as materialized (
        (select a.space_id from rm_accounts a where ${ofAccounts(scope)} and ${startsWith(NAME, query)} limit ${RANKED})
        union
        (select a.space_id from ${accounts(how, right)} a
         where ${ofAccounts(scope)} and ${matches(NAME, query, how, right)} limit ${RANKED})
        union
        (select a.space_id from ${people(how, right)} p
         join rm_accounts a on a.space_id = p.home_space_id
         where ${OWNER} and ${ofAccounts(scope)} and ${matches(PERSON_TEXT, query, how, right)} limit ${RANKED})
        union
        (select a.space_id from rm_accounts a where a.space_id = ${ownId} and ${matches(NAME, query, how, right)})
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
  const campaigns = sourceOf(sql`rm_campaign_list l`, within, CAMPAIGN_NAME, query)
  return exactThenNear(
    db,
    query,
    limit,
    ({ campaign_id: id }) => id,
    async (on, how, right) => {
      const { rows } = await sql<FoundCampaign>`
      with found as materialized (
        (select l.id from rm_campaign_list l where ${within} and ${startsWith(CAMPAIGN_NAME, query)} limit ${RANKED})
        union
        (select l.id from ${campaigns(how, right)} l
         where ${within} and ${matches(CAMPAIGN_NAME, query, how, right)} limit ${RANKED})
      ), best as (
        select l.*, ${startsWith(CAMPAIGN_NAME, query)} as begins from found join rm_campaign_list l using (id)
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
  query: string,
  limit: number,
  keyOf: (row: Row) => string,
  search: (on: Kysely<never>, how: Matching, right: ReadonlySet<string>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const exact = await search(db, 'exact', new Set())
  if (exact.length >= Math.min(FEW, limit) || !toleratesErrors(query)) return exact
  const right = await rightWords(db, query)
  const near = await db.transaction().execute(async (tx) => {
    // The planner cannot tell how few rows such patterns match, and would read the whole table.
    await sql`
      select set_config('pg_trgm.word_similarity_threshold', ${String(candidateSimilarity(query))}, true),
        set_config('enable_seqscan', 'off', true)`.execute(tx)
    return search(tx, 'near', right)
  })
  const known = new Set(exact.map(keyOf))
  return [...exact, ...near.filter((row) => !known.has(keyOf(row)))].slice(0, limit)
}

/** Words of a query that some name holds, when others are held by none: the typing error is in those. */
async function rightWords(db: Kysely<never>, query: string): Promise<ReadonlySet<string>> {
  const words = wordsOf(query)
  if (words.length === 1) return new Set()
  const exists = words.map(
    (word) => sql`(
      exists (select from rm_accounts a where ${matches(NAME, word)})
      or exists (select from identity.people p where ${OWNER} and ${matches(PERSON_TEXT, word)})
      or exists (select from rm_campaign_list l where ${matches(CAMPAIGN_NAME, word)}))`,
  )
  const { rows } = await sql<{ known: readonly boolean[] }>`select array[${sql.join(exists)}] as known`.execute(db)
  const known = words.filter((_, i) => rows[0]?.known[i] === true)
  return new Set(known.length === words.length ? [] : known)
}

/** Submissions of campaigns and registrants that wait for a moderator. */
export async function waitingCounts(
  db: Kysely<never>,
  { whitelabelId, spaceId }: Omit<SearchScope, 'ownId'>,
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
