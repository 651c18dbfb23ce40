import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Db } from '#migrations/db'
import { PERSON_TEXT } from './directory.ts'
import { OWNS_ELSEWHERE } from './people.ts'
import { candidateSimilarity, matches, rankOf, startsWith, toleratesErrors, wordsOf, type Matching } from './text-search.ts'

/** The admin search: accounts by their name or their people, and campaigns by name. */
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
  /** As `rankOf` says; results in spite of a typing error are after all others. */
  readonly rank: number
}

export type FoundCampaign = {
  readonly campaign_id: string
  readonly campaign_name: string
  readonly campaign_start_at: string | null
  readonly status_key: number
  readonly space_id: string
  readonly space_name: string
  readonly rank: number
}

/** The rank of results in spite of a typing error. */
const NEAR = 4
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
    select p.id, p.picture_id, p.first_name, p.last_name from (
      select * from identity.people p where p.home_space_id = a.space_id and ${OWNER}
      union all
      select p.* from identity.memberships m join identity.people p on p.id = m.person_id
      where m.space_id = a.space_id and ${OWNS_ELSEWHERE}
    ) p order by p.home_space_id <> a.space_id, p.created_at, p.id limit 1
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

/** Accounts that a query finds, the best first. Without a query the own one, and the first ones by name. */
async function accountsLike(
  db: Kysely<Db>,
  scope: SearchScope,
  query: string,
  limit: number,
  how: Matching,
  right: ReadonlySet<string>,
): Promise<readonly FoundAccount[]> {
  const { ownId } = scope
  if (wordsOf(query).length === 0) {
    // Two parts: by name alone the index answers.
    const { rows } = await sql<FoundAccount>`
      select ${ACCOUNT}, 0 as rank from (
        (select * from rm_accounts a where a.space_id = ${ownId})
        union all
        (select * from rm_accounts a where a.space_id <> ${ownId} and ${ofAccounts(scope)}
         order by lower(a.name), a.space_id limit ${limit - 1})
      ) a ${ITS_OWNER} order by a.space_id = ${ownId} desc, lower(a.name), a.space_id`.execute(db)
    return rows
  }
  const accounts = sourceOf(sql`rm_accounts a`, ofAccounts(scope), NAME, query)
  const people = sourceOf(sql`identity.people p`, sql`${OWNER} and ${ofPeople(scope)}`, PERSON_TEXT, query)
  const guests = sourceOf(sql`identity.people p`, sql`true`, PERSON_TEXT, query)
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
        (select a.space_id from ${guests(how, right)} p
         join identity.memberships m on m.person_id = p.id
         join rm_accounts a on a.space_id = m.space_id
         where ${OWNS_ELSEWHERE} and ${ofAccounts(scope)} and ${matches(PERSON_TEXT, query, how, right)} limit ${RANKED})
        union
        (select a.space_id from rm_accounts a where a.space_id = ${ownId} and ${matches(NAME, query, how, right)})
      ), best as (
        select a.*, ${how === 'near' ? sql`${NEAR}::int` : rankOf(NAME, query)} as rank from found join rm_accounts a using (space_id)
        order by rank, a.space_id = ${ownId} desc, lower(a.name), a.space_id limit ${limit}
      )
      select ${ACCOUNT}, a.rank from best a ${ITS_OWNER}
      order by a.rank, a.space_id = ${ownId} desc, lower(a.name), a.space_id`.execute(db)
  return rows
}

/** Campaigns that a query finds, the best first. Without a query the newest ones. */
async function campaignsLike(
  db: Kysely<Db>,
  { whitelabelId, spaceId }: SearchScope,
  query: string,
  limit: number,
  how: Matching,
  right: ReadonlySet<string>,
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
      select ${one}, 0 as rank from (
        select * from rm_campaign_list l where ${within} order by l.created_at desc, l.id limit ${limit}
      ) l left join rm_accounts a on a.space_id = l.space_id order by l.created_at desc, l.id`.execute(db)
    return rows
  }
  const campaigns = sourceOf(sql`rm_campaign_list l`, within, CAMPAIGN_NAME, query)
  const { rows } = await sql<FoundCampaign>`
      with found as materialized (
        (select l.id from rm_campaign_list l where ${within} and ${startsWith(CAMPAIGN_NAME, query)} limit ${RANKED})
        union
        (select l.id from ${campaigns(how, right)} l
         where ${within} and ${matches(CAMPAIGN_NAME, query, how, right)} limit ${RANKED})
      ), best as (
        select l.*, ${how === 'near' ? sql`${NEAR}::int` : rankOf(CAMPAIGN_NAME, query)} as rank
        from found join rm_campaign_list l using (id)
        order by rank, l.created_at desc, l.id limit ${limit}
      )
      select ${one}, l.rank from best l left join rm_accounts a on a.space_id = l.space_id
      order by l.rank, l.created_at desc, l.id`.execute(db)
  return rows
}

/**
 * Accounts and campaigns that a query finds. Only where nothing holds the query are names found that are a typing error away: beside a right
 * result such names would only be in the way.
 */
export async function searchBoth(db: Kysely<Db>, scope: SearchScope, query: string, limit: number) {
  return exactOrNear(db, query, async (on, how, right) => {
    const [accounts, campaigns] = await Promise.all([
      accountsLike(on, scope, query, limit, how, right),
      campaignsLike(on, scope, query, limit, how, right),
    ])
    return { accounts, campaigns, isEmpty: accounts.length + campaigns.length === 0 }
  })
}

/** Accounts alone, as `searchBoth` finds them. */
export async function searchAccounts(
  db: Kysely<Db>,
  scope: SearchScope,
  query: string,
  limit: number,
): Promise<readonly FoundAccount[]> {
  const { accounts } = await exactOrNear(db, query, async (on, how, right) => {
    const found = await accountsLike(on, scope, query, limit, how, right)
    return { accounts: found, isEmpty: found.length === 0 }
  })
  return accounts
}

async function exactOrNear<Found extends { readonly isEmpty: boolean }>(
  db: Kysely<Db>,
  query: string,
  search: (on: Kysely<Db>, how: Matching, right: ReadonlySet<string>) => Promise<Found>,
): Promise<Found> {
  const exact = await search(db, 'exact', new Set())
  if (!exact.isEmpty || !toleratesErrors(query)) return exact
  return db.transaction().execute(async (tx) => {
    // The planner cannot tell how few rows such patterns match, and would read the whole table.
    await sql`
      select set_config('pg_trgm.word_similarity_threshold', ${String(candidateSimilarity(query))}, true),
        set_config('enable_seqscan', 'off', true)`.execute(tx)
    const right = await rightWords(tx, query)
    return right === null ? exact : search(tx, 'near', right)
  })
}

/**
 * Words of a query that some name holds, when others are held by none: the typing error is in those. Null when one of those is no word that
 * may hold an error: then nothing can be found.
 */
async function rightWords(db: Kysely<Db>, query: string): Promise<ReadonlySet<string> | null> {
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
  if (words.some((word) => !known.includes(word) && !toleratesErrors(word))) return null
  return new Set(known.length === words.length ? [] : known)
}

/** Submissions of campaigns and registrants that wait for a moderator. */
export async function waitingCounts(
  db: Kysely<Db>,
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
