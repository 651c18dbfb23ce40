import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { DEFAULT_SETTINGS, type AccountSettings } from '#domain/account/settings'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { pageAndTotal } from '../page-and-total.ts'
import { openCharges } from './accounts.ts'
import { OWNS_ELSEWHERE } from './people.ts'
import { matches } from './text-search.ts'

/** Accounts with their owners, and registrants that have no account yet, for the administration of a white-label. */

/** Filters by state: the verification states of the owner, and suspension of the account. */
export type DirectoryStatus = 'all' | 'opened' | 'active' | 'suspended' | 'registered' | 'approved' | 'rejected'
/** Verification states (platform.md §3). */
const STATUS_KEYS: Readonly<Partial<Record<DirectoryStatus, number>>> = { registered: 1, approved: 2, rejected: 3 }

export type DirectoryFilter = {
  /** Null for every white-label. */
  readonly whitelabelId: string | null
  readonly status: DirectoryStatus
  /** Part of the name of the account. */
  readonly name: string
  /** Part of the account's name, or of the name, company or address of its owner. */
  readonly search: string
  /** Instants of creation, ISO 8601; null is open. */
  readonly from: string | null
  readonly to: string | null
}

export const DIRECTORY_SORTS = ['name', 'created_at', 'balance', 'spent'] as const
export type DirectorySort = (typeof DIRECTORY_SORTS)[number]

export type DirectoryPage = DirectoryFilter & {
  readonly sort: DirectorySort
  readonly descending: boolean
  /** Counts from zero. */
  readonly page: number
  readonly size: number
}

export type DirectoryRow = {
  readonly space_id: string
  readonly whitelabel_id: string
  /** False for a registrant without an account. */
  readonly opened: boolean
  readonly space_name: string
  readonly currency: string
  readonly balance: number
  readonly credit_limit: number
  readonly spent: number
  readonly settings: AccountSettings
  readonly suspended: boolean
  readonly suspended_at: string | null
  readonly suspended_reason: string | null
  readonly created_at: string
  readonly campaigns: number
  readonly running: number
  /** Null for an account without an owner. */
  readonly user_id: string | null
  readonly email: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly phone: string | null
  readonly company_name: string | null
  readonly country: string | null
  readonly language_key: number | null
  readonly user_type_key: number | null
  readonly picture_id: string | null
  readonly roles: readonly string[] | null
  readonly user_settings: Readonly<Record<string, unknown>> | null
  readonly status_key: number | null
  /** Why a registration was rejected. */
  readonly moderator_comment: string | null
  readonly updated_at: string | null
  readonly legal_entity_name: string | null
  readonly tin_number: string | null
  readonly address_line_1: string | null
  readonly address_line_2: string | null
  readonly city: string | null
  readonly postal_code: string | null
  readonly legal_country: string | null
  readonly invoice_email: string | null
}

/** Rows whose sealed values are opened without a pause: some 15 ms. */
const OPENED_AT_ONCE = 200

const OWNER = sql`'USER_OWNER' = any(p.roles)`
export const PERSON_TEXT = sql`p.search_text`
const ACCOUNT_TEXT = sql`a.search_name`
const instant = (of: RawBuilder<unknown>) => sql`to_char(${of} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const both = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `)

function accountsWhere({ whitelabelId, status, name, search, from, to }: DirectoryFilter): RawBuilder<unknown> {
  const ownerIs = (condition: RawBuilder<unknown>) =>
    sql`(select p.home_space_id from identity.people p where ${OWNER} and ${condition})`
  const key = STATUS_KEYS[status]
  return both([
    sql`not a.house`,
    ...(whitelabelId === null ? [] : [sql`a.whitelabel_id = ${whitelabelId}`]),
    ...(status === 'active' ? [sql`not a.suspended and a.space_id not in ${ownerIs(sql`p.status_key <> 5`)}`] : []),
    ...(status === 'suspended' ? [sql`a.suspended`] : []),
    ...(key === undefined ? [] : [sql`a.space_id in ${ownerIs(sql`p.status_key = ${key}`)}`]),
    ...(name.trim() === '' ? [] : [matches(ACCOUNT_TEXT, name)]),
    ...(search.trim() === ''
      ? []
      : [
          sql`(${matches(ACCOUNT_TEXT, search)} or a.space_id in ${ownerIs(matches(PERSON_TEXT, search))} or a.space_id in (
            select m.space_id from identity.memberships m join identity.people p on p.id = m.person_id
            where ${OWNS_ELSEWHERE} and ${matches(PERSON_TEXT, search)}))`,
        ]),
    ...(from === null ? [] : [sql`a.created_at >= ${from}`]),
    ...(to === null ? [] : [sql`a.created_at <= ${to}`]),
  ])
}

function registrantsWhere({ whitelabelId, status, name, search, from, to }: DirectoryFilter): RawBuilder<unknown> {
  const key = STATUS_KEYS[status]
  return both([
    OWNER,
    key === undefined ? sql`p.status_key <> 5` : sql`p.status_key = ${key}`,
    sql`not exists (select from rm_accounts o where o.space_id = p.home_space_id)`,
    ...(whitelabelId === null ? [] : [sql`p.whitelabel_id = ${whitelabelId}`]),
    ...(name.trim() === '' ? [] : [matches(PERSON_TEXT, name)]),
    ...(search.trim() === '' ? [] : [matches(PERSON_TEXT, search)]),
    ...(from === null ? [] : [sql`p.created_at >= ${from}::timestamptz`]),
    ...(to === null ? [] : [sql`p.created_at <= ${to}::timestamptz`]),
  ])
}

const holdsRegistrants = (status: DirectoryStatus) => status === 'all' || STATUS_KEYS[status] !== undefined

const ACCOUNT_SORTS: Readonly<Record<DirectorySort, RawBuilder<unknown>>> = {
  name: sql`lower(a.name)`,
  created_at: sql`a.created_at`,
  balance: sql`a.balance - coalesce(o.open, 0)`,
  spent: sql`a.spent + coalesce(o.open, 0)`,
}
/** Open charges of all accounts at once, for sorts that need those of every account. */
const OPEN = sql`
  left join (
    select c.space_id, sum(c.amount) as open from unsettled_charges c join rm_accounts a on a.space_id = c.space_id
    where c.settlement is null or c.settlement > a.settlements group by c.space_id
  ) o on o.space_id = a.space_id`
const NEEDS_CHARGES: readonly DirectorySort[] = ['balance', 'spent']
const REGISTRANT_SORTS: Readonly<Record<DirectorySort, RawBuilder<unknown>>> = {
  name: sql`lower(${nameOfRegistrant()})`,
  created_at: instant(sql`p.created_at`),
  balance: sql`0`,
  spent: sql`0`,
}

function nameOfRegistrant() {
  return sql`coalesce(nullif(p.company_name, ''), p.first_name || ' ' || p.last_name)`
}

/** Keys of the filtered entries, with what they are sorted by. */
function found(filter: DirectoryFilter, sort: DirectorySort): RawBuilder<unknown> {
  const accounts = sql`
    select a.space_id, ${ACCOUNT_SORTS[sort]} as sorted, null::text as person_id from rm_accounts a ${NEEDS_CHARGES.includes(sort) ? OPEN : sql``}
    where ${accountsWhere(filter)}`
  return holdsRegistrants(filter.status)
    ? sql`${accounts} union all
        select p.home_space_id, ${REGISTRANT_SORTS[sort]}, p.id from identity.people p where ${registrantsWhere(filter)}`
    : accounts
}

/** Entries with all their columns. `keys` has a space id and, for registrants, the id of the person. */
const shownOf = (keys: RawBuilder<unknown>) => sql<DirectoryRow>`
  select page.*, coalesce(a.whitelabel_id, p.whitelabel_id) as whitelabel_id, a.space_id is not null as opened,
    coalesce(a.name, ${nameOfRegistrant()}, '') as space_name, coalesce(a.currency, 'USD') as currency,
    coalesce(a.balance - charges.open, 0)::float8 as balance, coalesce(a.credit_limit, 0)::float8 as credit_limit,
    coalesce(a.spent + charges.open, 0)::float8 as spent,
    ${JSON.stringify(DEFAULT_SETTINGS)}::jsonb || coalesce(a.settings, '{}') as settings,
    coalesce(a.suspended, false) as suspended, a.suspended_at, a.suspended_reason,
    coalesce(nullif(a.created_at, ''), ${instant(sql`p.created_at`)}, '') as created_at, counted.campaigns, counted.running,
    p.id as user_id, p.email, p.first_name, p.last_name, p.phone, p.company_name, p.country, p.language_key,
    p.type_key as user_type_key, p.picture_id, p.roles, p.settings as user_settings, p.status_key, p.moderator_comment,
    ${instant(sql`p.updated_at`)} as updated_at, e.legal_entity_name, e.tin_number,
    e.address_line_1, e.address_line_2, e.city, e.postal_code, e.country as legal_country, e.invoice_email
  from ${keys} page
  left join rm_accounts a on a.space_id = page.space_id
  left join lateral (select ${openCharges} as open) charges on a.space_id is not null
  left join lateral (
    select * from (
      select * from identity.people p where page.person_id is null and p.home_space_id = page.space_id and ${OWNER}
      union all
      select p.* from identity.memberships m join identity.people p on p.id = m.person_id
      where page.person_id is null and m.space_id = page.space_id and ${OWNS_ELSEWHERE}
      union all
      select * from identity.people p where p.id = page.person_id
    ) p order by p.home_space_id <> page.space_id, p.created_at, p.id limit 1
  ) p on true
  left join lateral (
    select count(*)::int as campaigns, (count(*) filter (where l.status_key = 3))::int as running
    from rm_campaign_list l where l.space_id = page.space_id
  ) counted on true
  left join identity.legal_entities e on e.space_id = page.space_id`

/** The owner's and the legal entity's columns are of two rows. */
function opened(db: Kysely<Db>, row: DirectoryRow): DirectoryRow {
  const withOwner = openRow(db, 'identity.people', row.user_id ?? '', row)
  return openRow(db, 'identity.legal_entities', row.space_id, withOwner)
}

const orderOf = ({ descending }: Pick<DirectoryPage, 'descending'>) => {
  const direction = descending ? sql`desc` : sql`asc`
  return sql`page.sorted ${direction}, page.space_id ${direction}`
}

/** One page of the directory, and the number of entries. */
export async function pageOfDirectory(db: Kysely<Db>, asked: DirectoryPage) {
  const { rows, total } = await pageAndTotal(db, {
    found: found(asked, asked.sort),
    order: orderOf(asked),
    page: asked.page,
    size: asked.size,
    shown: shownOf(sql`page`),
  })
  return { rows: rows.map((row) => opened(db, row)), total }
}

/** The first entries of the directory, for a file. */
export async function firstOfDirectory(db: Kysely<Db>, asked: DirectoryPage): Promise<readonly DirectoryRow[]> {
  const { rows } = await sql<DirectoryRow>`
    with found as materialized (${found(asked, asked.sort)}),
         keys as materialized (select * from found page order by ${orderOf(asked)} limit ${asked.size})
    select page.* from (${shownOf(sql`keys`)}) page order by ${orderOf(asked)}`.execute(db)
  const entries: DirectoryRow[] = []
  for (const row of rows) {
    // A file of 100,000 rows has 800,000 sealed values: other calls go on in between.
    if (entries.length % OPENED_AT_ONCE === 0) await setImmediate()
    entries.push(opened(db, row))
  }
  return entries
}

export type DirectoryTotals = {
  readonly count: number
  readonly suspended: number
  readonly currencies: readonly { readonly currency: string; readonly balance: number; readonly spent: number }[]
}

/** Totals over the filtered entries, money by currency. */
export async function totalsOfDirectory(db: Kysely<Db>, filter: DirectoryFilter): Promise<DirectoryTotals> {
  const [{ rows }, registrants] = await Promise.all([
    sql<{ currency: string; count: number; suspended: number; balance: number; spent: number }>`
      with filtered as materialized (
        select a.space_id, a.currency, a.suspended, a.balance, a.spent, a.settlements from rm_accounts a where ${accountsWhere(filter)}
      ), open as (
        select c.space_id, sum(c.amount) as open from unsettled_charges c join filtered a on a.space_id = c.space_id
        where c.settlement is null or c.settlement > a.settlements group by c.space_id
      )
      select a.currency, count(*)::int as count, (count(*) filter (where a.suspended))::int as suspended,
        sum(a.balance - coalesce(o.open, 0))::float8 as balance, sum(a.spent + coalesce(o.open, 0))::float8 as spent
      from filtered a left join open o on o.space_id = a.space_id group by a.currency order by a.currency`.execute(db),
    holdsRegistrants(filter.status)
      ? sql<{ count: number }>`
          select count(*)::int as count from identity.people p where ${registrantsWhere(filter)}`.execute(db)
      : null,
  ])
  const sum = (of: 'count' | 'suspended') => rows.reduce((total, row) => total + row[of], 0)
  return {
    count: sum('count') + (registrants?.rows[0]?.count ?? 0),
    suspended: sum('suspended'),
    currencies: rows.map(({ currency, balance, spent }) => ({ currency, balance, spent })),
  }
}

/** The entry of an account, or of a registrant by the id of the person; null for unknown ids. */
export async function findInDirectory(
  db: Kysely<Db>,
  by: { readonly spaceId: string } | { readonly userId: string },
): Promise<DirectoryRow | null> {
  const key =
    'spaceId' in by
      ? sql`select a.space_id, null::text as person_id from rm_accounts a where a.space_id = ${by.spaceId}`
      : sql`select p.home_space_id as space_id, p.id as person_id from identity.people p where p.id = ${by.userId}`
  const { rows } = await sql<DirectoryRow>`${shownOf(sql`(${key})`)}`.execute(db)
  return rows[0] === undefined ? null : opened(db, rows[0])
}
