import { expect } from 'vitest'
import { QueryClient } from '@tanstack/react-query'
import { ACCOUNT_SORTS, DATE_LABELS } from '#contract/account-list'
import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import { accountQueries } from '@/data/account-queries'
import { audienceQueries } from '@/data/audience-queries'
import { campaignQueries, type ListScope } from '@/data/campaign-queries'
import { chatQueries } from '@/data/chat-queries'
import { libraryQuery } from '@/data/library-queries'
import { moderationQueries } from '@/data/moderation-queries'
import { notificationQueries } from '@/data/notification-queries'
import { searchQueries } from '@/data/search-queries'
import { accountSearch } from '@/features/accounts/account-search'
import * as accounts from '@/features/accounts/accounts-search'
import * as audiences from '@/features/audiences/audiences-search'
import { auditQueries } from '@/features/audit/audit-queries'
import { auditFilters, auditSearch, filtersOf, startOf } from '@/features/audit/audit-search'
import { billingQueries } from '@/features/billing/billing-queries'
import { billingSearch } from '@/features/billing/billing-search'
import { cardQueries } from '@/features/billing/cards/cards-queries'
import { invoiceQueries } from '@/features/billing/invoices/invoice-queries'
import { INVOICE_STATES, keyOfState } from '@/features/billing/invoices/invoice-states'
import { askedOf, LOG_ROWS, logSearch } from '@/features/campaigns/change-log/log-search'
import { statusHistoryQuery } from '@/features/campaigns/delivery/delivery-queries'
import { editSearch } from '@/features/campaigns/form/form-search'
import { PLACE_FILTERS, placesQuery } from '@/features/campaigns/form/tabs/placement/places-query'
import { listQuery } from '@/features/campaigns/list/campaign-list-query'
import { listSearch, ROWS_PER_PAGE, SORTS } from '@/features/campaigns/list/campaign-list-search'
import { queueSearch } from '@/features/campaigns/moderation-queue/queue-search'
import { DEVICES, METRIC_NAMES, TABLE_ROWS } from '@/features/campaigns/report/report-names'
import { reportQueries } from '@/features/campaigns/report/report-queries'
import { reportSearch } from '@/features/campaigns/report/report-search'
import { scheduleQueries } from '@/features/campaigns/schedule/schedule-queries'
import { scheduleSearch } from '@/features/campaigns/schedule/schedule-search'
import { eventsQueries } from '@/features/events/events-queries'
import { eventsSearch } from '@/features/events/events-search'
import { notificationsSearch } from '@/features/notifications/notifications-search'
import { operationsQueries } from '@/features/operations/operations-queries'
import { operationsSearch } from '@/features/operations/operations-search'
import type { Fact } from '#domain/delivery/batch'
import type { TestProduct } from './product.ts'
import { day, fillLists, type FilledLists } from './web-lists-data.ts'

let data: FilledLists
/** Gives a product the rows that the lists expect. */
export const fill = async (product: TestProduct): Promise<void> => void (data = await fillLists(product))

export type Row = Readonly<Record<string, unknown>>
export type Search = Readonly<Record<string, unknown>>
export type Pages = readonly (readonly Row[])[]
export type Filter = {
  readonly key: string
  readonly set: Search | ((all: readonly Row[]) => Search)
  /** Whether the filtered list shows a row of the list without the filter. */
  readonly keeps?: (row: Row, search: Search) => boolean
  /** For filters of figures: what is true of the filtered list alone. */
  readonly holds?: (rows: readonly Row[], all: readonly Row[]) => boolean
}
export type List = {
  readonly name: string
  /** Where the page of the application is, in web. */
  readonly file: string
  /** The name of its search parameters. */
  readonly schema?: string
  readonly as: string
  readonly base?: () => Search
  /** Its field `id` without this. */
  readonly id?: (row: Row) => unknown
  readonly pages: (search: Search) => Promise<Pages>
  readonly filters?: readonly Filter[]
  /** Choices for rows per page. */
  readonly sizes?: { readonly key: string; readonly choices: readonly number[] }
  readonly sorts?: { readonly key: string; readonly by: readonly string[]; readonly value: (row: Row, by: string) => unknown }
  /** Never has a second page. */
  readonly single?: true
}

/** Cleared before each question. */
export const client = new QueryClient()
const rowOf = (row: object): Row => Object.fromEntries(Object.entries(row))
type Paged = { readonly data: readonly object[]; readonly total_size: number }
async function paged(read: (page: number) => Promise<Paged>): Promise<Pages> {
  const pages: Row[][] = []
  for (let page = 0, seen = 0; ; page++) {
    const { data: rows, total_size: total } = await read(page)
    pages.push(rows.map(rowOf))
    seen += rows.length
    if (rows.length > 0 && seen < total) continue
    expect(seen, 'rows on all pages').toBe(total)
    return pages
  }
}
async function further<Page>(
  read: () => Promise<{ readonly pages: readonly Page[] }>,
  rowsOf: (page: Page) => readonly object[],
): Promise<Pages> {
  return (await read()).pages.map((page) => rowsOf(page).map(rowOf))
}
const once = async (rows: Promise<readonly object[]>): Promise<Pages> => [(await rows).map(rowOf)]

export const text = (value: unknown) => String(value)
const dayOf = (value: unknown) => text(value).slice(0, 10)
const sum = (rows: readonly Row[], of: (row: Row) => unknown) => rows.reduce((total, row) => total + Number(of(row)), 0)
const within =
  (field: string) =>
  (row: Row, { start, end }: Search) =>
    dayOf(row[field]) >= text(start) && dayOf(row[field]) <= text(end)
const rangeOf = ({ start, end }: Search) => ({ start: text(start), end: text(end) })
/** Filters that keep the rows with exactly this value. */
const is = (field: string, values: readonly string[], key = field): readonly Filter[] =>
  values.map((value) => ({ key, set: { [key]: value }, keeps: (row) => text(row[field]) === value }))
const days = (field: string): readonly Filter[] => [
  { key: 'start', set: () => ({ start: day(10) }), keeps: within(field) },
  { key: 'end', set: () => ({ end: day(10) }), keeps: within(field) },
]
const distinct = (rows: readonly Row[], field: string) => [...new Set(rows.map((row) => row[field]))]
const ALL_DAYS = () => ({ start: day(-60), end: day(89) })
const delivered = (wanted: (fact: Fact) => boolean) =>
  data.facts.filter(wanted).reduce((total, { impressions }) => total + impressions, 0)

const DELIVERED_DAYS = () => ({ start: day(0), end: day(2) })
const campaigns = (scope: ListScope): List => ({
  name: scope === 'all' ? 'campaigns of all accounts' : 'campaigns of an account',
  file: 'features/campaigns/list/campaign-list-page.tsx',
  schema: 'listSearch',
  as: scope === 'all' ? 'owner@dsp.example' : 'ada@nile.example',
  base: () => ({ ...DELIVERED_DAYS(), rows: 25 }),
  pages: (search) => paged((page) => client.fetchQuery(listQuery(scope, listSearch.parse({ ...search, page })))),
  sizes: { key: 'rows', choices: ROWS_PER_PAGE },
  sorts: { key: 'sort', by: SORTS, value: (row, by) => row[by] },
  filters: [
    { key: 'q', set: { q: 'luxor' }, keeps: ({ name }) => name === 'Luxor by river' },
    ...[[0], [1], [2], [1, 2]].map((places): Filter => ({
      key: 'status',
      set: (all) => ({ status: places.map((n) => distinct(all, 'status_key')[n]).join(',') }),
      keeps: (row, { status }) => text(status).split(',').includes(text(row['status_key'])),
    })),
    { key: 'labels', set: () => ({ labels: data.label }), keeps: ({ name }) => name === 'Luxor by river' },
    ...(scope === 'all'
      ? [{ key: 'accounts', set: () => ({ accounts: data.lagos }), keeps: (row: Row) => row['space_id'] === data.lagos }]
      : []),
    ...[
      { key: 'start', set: () => ({ start: day(1) }) },
      { key: 'end', set: () => ({ end: day(0) }) },
    ].map(({ key, set }): Filter => ({
      key,
      set,
      holds: (rows) => {
        const { start, end } = { ...DELIVERED_DAYS(), ...set() }
        return sum(rows, (row) => row['impressions']) === delivered(({ hour }) => dayOf(hour) >= start && dayOf(hour) <= end)
      },
    })),
  ],
})

const ageOf = (at: unknown) =>
  Math.round((Date.parse(new Date().toISOString().slice(0, 10)) - Date.parse(dayOf(at))) / 86_400_000)
const monthOf = (at: unknown, before = 0) => {
  const [year = 0, month = 1] = text(at).split('-').map(Number)
  return year * 12 + month - before
}
const sameMonth = (at: unknown, before: number) => monthOf(at) === monthOf(new Date().toISOString(), before)
const IN_PERIOD: Readonly<Record<(typeof DATE_LABELS)[number], (at: unknown) => boolean>> = {
  today: (at) => ageOf(at) === 0,
  yesterday: (at) => ageOf(at) === 1,
  last_7_days: (at) => ageOf(at) >= 0 && ageOf(at) < 7,
  last_30_days: (at) => ageOf(at) >= 0 && ageOf(at) < 30,
  this_month: (at) => sameMonth(at, 0) && ageOf(at) >= 0,
  past_month: (at) => sameMonth(at, 1),
  last_365_days: (at) => ageOf(at) >= 0 && ageOf(at) < 365,
}
const IN_STATE: Readonly<Record<Exclude<(typeof accounts.STATES)[number], 'all'>, (row: Row) => boolean>> = {
  active: (row) => row['opened'] === true && row['suspended'] === false,
  suspended: (row) => row['suspended'] === true,
  registered: (row) => row['status_key'] === 1,
  approved: (row) => row['status_key'] === 2,
  rejected: (row) => row['status_key'] === 3,
}
const ACCOUNT_FILTERS: readonly Filter[] = [
  { key: 'q', set: { q: 'ada@nile' }, keeps: ({ email }) => email === 'ada@nile.example' },
  { key: 'q', set: { q: 'zanzibar' }, keeps: (row) => row['company_name'] === 'Zanzibar Ferries' },
  { key: 'name', set: { name: 'nile' }, keeps: (row) => row['space_name'] === 'Nile Travel' },
  ...Object.entries(IN_STATE).map(([status, keeps]): Filter => ({ key: 'status', set: { status }, keeps })),
  ...DATE_LABELS.map((period): Filter => ({
    key: 'period',
    set: { period },
    keeps: (row) => IN_PERIOD[period](row['created_at']),
  })),
  ...['start', 'end'].map((key): Filter => ({
    key,
    set: { period: 'custom', start: '2025-02-01', end: '2025-03-01' },
    keeps: within('created_at'),
  })),
]
const noted = (by: string): Filter => ({
  key: 'by',
  set: { by },
  keeps: ({ actor_id: actor, role }) =>
    by === 'system'
      ? actor === null
      : actor !== null && (by === 'people' || (by === 'advertisers') === text(role).startsWith('USER_')),
})

export const LISTS: readonly List[] = [
  campaigns('account'),
  campaigns('all'),
  {
    name: 'accounts',
    file: 'features/accounts/accounts-page.tsx',
    schema: 'accountsSearch',
    as: 'owner@dsp.example',
    base: () => ({ rows: 100 }),
    id: ({ id, space_id: space }) => id ?? space,
    pages: (search) =>
      paged((page) =>
        client.fetchQuery(accountQueries.page(accounts.pageOf(accounts.accountsSearch.parse({ ...search, page }), new Date()))),
      ),
    sizes: { key: 'rows', choices: [10, 25] },
    sorts: { key: 'sort', by: ACCOUNT_SORTS, value: (row, by) => row[by === 'name' ? 'space_name' : by] },
    filters: ACCOUNT_FILTERS,
  },
  {
    name: 'totals of accounts',
    file: 'features/accounts/accounts-page.tsx',
    as: 'owner@dsp.example',
    single: true,
    pages: (search) =>
      once(
        client
          .fetchQuery(accountQueries.totals(accounts.filterOf(accounts.accountsSearch.parse(search), new Date())))
          .then((one) => [one]),
      ),
    filters: ACCOUNT_FILTERS.map(({ key, set }) => ({
      key,
      set,
      holds: ([row], [all]) => Number(row?.['count']) > 0 && Number(row?.['count']) < Number(all?.['count']),
    })),
  },
  {
    name: 'campaigns on the page of an account',
    file: 'features/accounts/account-campaigns.tsx',
    schema: 'accountSearch',
    as: 'owner@dsp.example',
    pages: () =>
      paged((page) =>
        client.fetchQuery(
          campaignQueries.list('all', {
            space_id: data.nile,
            page,
            pageSize: 10,
            status_filter: 50,
            included_metrics: ['spent'],
          }),
        ),
      ),
  },
  {
    name: 'history of an account',
    file: 'features/accounts/account-history.tsx',
    schema: 'accountSearch',
    as: 'owner@dsp.example',
    pages: () => paged((page) => client.fetchQuery(accountQueries.history(data.nile, page))),
  },
  {
    name: 'audiences',
    file: 'features/audiences/audiences-page.tsx',
    schema: 'audiencesSearch',
    as: 'ada@nile.example',
    pages: (search) =>
      paged((page) =>
        client.fetchQuery(audienceQueries.page(audiences.pageOf(audiences.audiencesSearch.parse({ ...search, page })))),
      ),
    sizes: { key: 'rows', choices: [10, 25] },
    filters: [
      { key: 'name', set: { name: 'island' }, keeps: ({ name }) => name === 'Island hoppers' },
      ...is('type', audiences.AUDIENCE_TYPES.slice(1)),
      ...is('status_key', audiences.AUDIENCE_STATUSES.slice(1), 'status'),
    ],
  },
  {
    name: 'invoices',
    file: 'features/billing/invoices/invoices-list.tsx',
    schema: 'billingSearch',
    as: 'owner@dsp.example',
    pages: ({ space = null, status, start = null, end = null, q = '' }) =>
      paged((page) =>
        client.fetchQuery(
          invoiceQueries.page({
            space_id: space === null ? null : text(space),
            status: INVOICE_STATES.map((name) => (name === status ? keyOfState(name) : null)).find((key) => key !== null) ?? null,
            from_date: start === null ? null : text(start),
            to_date: end === null ? null : text(end),
            search: text(q),
            page,
            page_size: 25,
          }),
        ),
      ),
    filters: [
      { key: 'space', set: () => ({ space: data.lagos }), keeps: (row) => row['space_id'] === data.lagos },
      ...INVOICE_STATES.map((status): Filter => ({
        key: 'status',
        set: { status },
        keeps: (row) => row['status'] === keyOfState(status),
      })),
      { key: 'q', set: { q: 'inv-1007' }, keeps: ({ number }) => number === 'INV-1007' },
      ...['start', 'end'].map((key): Filter => ({
        key,
        set: () => ({ start: day(3), end: day(20) }),
        keeps: within('dated_at'),
      })),
    ],
  },
  {
    name: 'movements of an account',
    file: 'features/billing/movements-tab.tsx',
    schema: 'billingSearch',
    as: 'owner@dsp.example',
    base: ALL_DAYS,
    pages: ({ type, space = data.nile, ...days }) =>
      paged((page) =>
        client.fetchQuery(
          billingQueries.movements(text(space), { range: rangeOf(days), type: MOVEMENT_TYPES.find((one) => one === type), page }),
        ),
      ),
    filters: [...is('type', MOVEMENT_TYPES), ...days('at')],
  },
  {
    name: 'refills of an account',
    file: 'features/billing/cards/refills-table.tsx',
    schema: 'billingSearch',
    as: 'owner@dsp.example',
    pages: () => paged((page) => client.fetchQuery(cardQueries.refills(data.nile, page))),
  },
  {
    name: 'events of visitors',
    file: 'features/events/events-page.tsx',
    schema: 'eventsSearch',
    as: 'ada@nile.example',
    base: ALL_DAYS,
    pages: ({ name, ...days }) =>
      paged((page) =>
        client.fetchQuery(eventsQueries.page({ range: rangeOf(days), name: name === undefined ? undefined : text(name), page })),
      ),
    filters: [...is('name', ['booking']), ...days('time')],
  },
  {
    name: 'failed jobs',
    file: 'features/operations/failed-jobs.tsx',
    schema: 'operationsSearch',
    as: 'admin@dsp.example',
    id: ({ kind, key }) => `${text(kind)} ${text(key)}`,
    pages: () => paged((page) => client.fetchQuery(operationsQueries.jobs(page))),
  },
  {
    name: 'errors of the server',
    file: 'features/operations/errors-tab.tsx',
    schema: 'operationsSearch',
    as: 'admin@dsp.example',
    pages: ({ request }) =>
      paged((page) => client.fetchQuery(operationsQueries.errors(page, request === undefined ? undefined : text(request)))),
    filters: is('request_id', ['request-7'], 'request'),
  },
  {
    name: 'notifications',
    file: 'features/notifications/notifications-page.tsx',
    schema: 'notificationsSearch',
    as: 'ada@nile.example',
    pages: (search) =>
      paged((page) => {
        const { kind, state } = notificationsSearch.parse(search)
        return client.fetchQuery(notificationQueries.page({ kind, page, unread: state === 'unread' }))
      }),
    filters: [
      ...is('kind', ['balance-low', 'campaign-approved']),
      { key: 'state', set: { state: 'unread' }, keeps: ({ read }) => read === false },
    ],
  },
  {
    name: 'submissions that wait for moderation',
    file: 'features/campaigns/moderation-queue/use-queue.ts',
    schema: 'queueSearch',
    as: 'moderator@dsp.example',
    id: (row) => row['campaign_id'],
    pages: (search) => paged((page) => client.fetchQuery(moderationQueries.queue(page, queueSearch.parse(search).filter))),
    filters: [
      { key: 'filter', set: { filter: 'mine' }, keeps: ({ assignee }) => JSON.stringify(assignee).includes(data.moderator) },
      {
        key: 'filter',
        set: { filter: 'free' },
        keeps: ({ assignee }) => assignee === null || JSON.stringify(assignee).includes(data.moderator),
      },
    ],
  },
  {
    name: 'registrants',
    file: 'features/registration/registrants-page.tsx',
    schema: 'queueSearch',
    as: 'moderator@dsp.example',
    pages: () => paged(async (page) => (await client.fetchQuery(moderationQueries.queue(page))).registrants),
  },
  {
    name: 'approvals that wait for a second look',
    file: 'features/campaigns/moderation-queue/second-looks-page.tsx',
    schema: 'queueSearch',
    as: 'owner@dsp.example',
    id: ({ campaign_id: campaign, approval }) => `${text(campaign)} ${text(approval)}`,
    pages: () => paged((page) => client.fetchQuery(moderationQueries.secondLooks(page))),
  },
  {
    name: 'scheduled changes',
    file: 'features/campaigns/schedule/schedule-page.tsx',
    schema: 'scheduleSearch',
    as: 'ada@nile.example',
    pages: (search) =>
      paged((page) => client.fetchQuery(scheduleQueries.list(scheduleSearch.parse(search).state ?? 'waiting', page))),
    filters: [
      {
        key: 'state',
        set: { state: 'ended' },
        holds: (rows, all) =>
          rows.length > 0 && rows.every(({ state }) => state === 'done') && all.every(({ state }) => state === 'waiting'),
      },
    ],
  },
  ...(['waiting', 'ended'] as const).map((state): List => ({
    name: `scheduled changes of a campaign, ${state}`,
    file: 'features/campaigns/schedule/schedule-queries.ts',
    as: 'ada@nile.example',
    single: true,
    base: () => ({ campaign: 'Luxor by river' }),
    pages: ({ campaign }) =>
      once(client.fetchQuery(scheduleQueries[state](data.campaign(text(campaign)))).then((found) => found.data)),
    filters: [
      {
        key: 'campaign',
        set: { campaign: 'Cairo city breaks' },
        holds: (rows) =>
          rows.length > 0 &&
          rows.every(
            (row) =>
              row['campaign_id'] === data.campaign('Cairo city breaks') && (row['state'] === 'waiting') === (state === 'waiting'),
          ),
      },
    ],
  })),
  {
    name: 'other submissions of an account',
    file: 'features/campaigns/moderation-queue/same-account.tsx',
    as: 'moderator@dsp.example',
    single: true,
    base: () => ({ space: data.nile }),
    id: (row) => row['campaign_id'],
    pages: ({ space }) => once(client.fetchQuery(moderationQueries.ofAccount(text(space))).then((found) => found.data)),
    filters: [
      {
        key: 'space',
        set: () => ({ space: data.lagos }),
        holds: (rows) => rows.length > 0 && rows.every((row) => row['space_id'] === data.lagos),
      },
    ],
  },
  {
    name: 'change log of a campaign',
    file: 'features/campaigns/change-log/change-log-tab.tsx',
    schema: 'editSearch',
    as: 'owner@dsp.example',
    base: () => ({ log_rows: 5 }),
    id: ({ revision }) => revision,
    pages: (search) =>
      paged((page) =>
        client.fetchQuery(
          campaignQueries.log(data.campaign('Cairo city breaks'), askedOf({ ...logSearch.parse(search), log_page: page })),
        ),
      ),
    sizes: { key: 'log_rows', choices: LOG_ROWS.slice(0, 2) },
    filters: [
      { key: 'log_who', set: () => ({ log_who: data.ada }), keeps: (row) => row['author_id'] === data.ada },
      {
        key: 'log_field',
        set: { log_field: 'budget' },
        keeps: (row) => JSON.stringify(row['state_difference']).includes('"path":"budget"') || row['revision'] === 1,
      },
      ...(['people', 'system'] as const).map((source): Filter => ({
        key: 'log_source',
        set: { log_source: source },
        keeps: (row) => (row['author_id'] === null) === (source === 'system'),
      })),
      {
        key: 'log_day',
        set: (all) => ({ log_day: dayOf(all.at(-1)?.['commit_date']) }),
        keeps: (row, search) => dayOf(row['commit_date']) === search['log_day'],
      },
    ],
  },
  {
    name: 'past statuses of a campaign',
    file: 'features/campaigns/delivery/status-timeline.tsx',
    as: 'ada@nile.example',
    id: (row) => JSON.stringify(row),
    pages: () =>
      further(
        () => client.fetchInfiniteQuery({ ...statusHistoryQuery(data.campaign('Cairo city breaks'), 1), pages: 9 }),
        (page) => page.data,
      ),
  },
  {
    name: 'conversations of the inbox',
    file: 'features/inbox/inbox-page.tsx',
    schema: 'inboxSearch',
    as: 'owner@dsp.example',
    id: (row) => JSON.stringify(row),
    pages: () => paged((page) => client.fetchQuery(chatQueries.inbox(page))),
  },
  {
    name: 'messages of a conversation',
    file: 'features/inbox/inbox-page.tsx',
    as: 'owner@dsp.example',
    id: ({ number }) => number,
    pages: () =>
      further(
        () => client.fetchInfiniteQuery({ ...chatQueries.of(data.ada), pages: 9 }),
        ({ messages }) => messages,
      ),
  },
  {
    name: 'messages of the own conversation',
    file: 'app/frame/chat/chat-panel.tsx',
    as: 'ada@nile.example',
    id: ({ number }) => number,
    pages: () =>
      further(
        () => client.fetchInfiniteQuery({ ...chatQueries.own(true), pages: 9 }),
        ({ messages }) => messages,
      ),
  },
  {
    name: 'entries of the audit log',
    file: 'features/audit/changes-tab.tsx',
    schema: 'auditSearch',
    as: 'auditor@dsp.example',
    // What policies add meanwhile is newer.
    base: () => ({ to: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) }),
    id: ({ position }) => position,
    pages: (search) =>
      further(
        () => client.fetchInfiniteQuery({ ...auditQueries.feed(filtersOf(auditFilters.parse(search))), pages: 40 }),
        ({ entries }) => entries,
      ),
    filters: [
      { key: 'who', set: () => ({ who: data.ada }), keeps: (row) => row['actor_id'] === data.ada },
      ...['people', 'staff', 'advertisers', 'system'].map(noted),
      ...is('kind', ['account', 'campaign']),
      { key: 'account', set: () => ({ account: data.lagos }), keeps: (row) => row['space_id'] === data.lagos },
      {
        key: 'subject',
        set: () => ({ subject: data.campaign('Luxor by river') }),
        keeps: (row) => row['subject_id'] === data.campaign('Luxor by river'),
      },
      {
        key: 'type',
        set: { type: 'CampaignSubmitted,CampaignApproved' },
        keeps: ({ type }) => type === 'CampaignSubmitted' || type === 'CampaignApproved',
      },
      {
        key: 'field',
        set: { field: 'budget' },
        keeps: ({ type, changes }) => type === 'CampaignCreated' || JSON.stringify(changes).includes('"path":"budget"'),
      },
      {
        key: 'from',
        set: (all) => ({ from: dayOf(all[Math.floor(all.length / 2)]?.['at']) }),
        keeps: ({ at }, { from }) => text(at) >= startOf(text(from), 0),
      },
      {
        key: 'to',
        set: (all) => ({ to: dayOf(all[Math.floor(all.length / 2)]?.['at']) }),
        keeps: ({ at }, { to }) => text(at) < startOf(text(to), 1),
      },
    ],
  },
  {
    name: 'security events',
    file: 'features/audit/security-tab.tsx',
    as: 'auditor@dsp.example',
    pages: () =>
      further(
        () => client.fetchInfiniteQuery({ ...auditQueries.security(), pages: 9 }),
        (page) => page,
      ),
  },
  {
    name: 'files of the library',
    file: 'features/campaigns/form/library/library-dialog.tsx',
    schema: 'library',
    as: 'ada@nile.example',
    id: (row) => row['file_id'],
    pages: ({ name = '', role, size }) =>
      further(
        () =>
          client.fetchInfiniteQuery({
            ...libraryQuery({
              name: text(name),
              ...(role === 'companion' ? { role } : {}),
              ...(size === '728x90' ? { width: 728, height: 90 } : {}),
            }),
            pages: 9,
          }),
        ({ files }) => files,
      ),
    single: true,
    filters: [
      { key: 'name', set: { name: '728x90' }, keeps: ({ name }) => text(name).includes('728x90') },
      { key: 'role', set: { role: 'companion' }, keeps: ({ width, height }) => width === 300 && height === 250 },
      { key: 'size', set: { size: '728x90' }, keeps: ({ width }) => width === 728 },
    ],
  },
  {
    name: 'places for advertisements',
    file: 'features/campaigns/form/tabs/placement/places-list.tsx',
    schema: 'places',
    as: 'ada@nile.example',
    id: (row) => [row['name'], row['bundle_id'], row['os'], row['exchange_id']].join(' '),
    pages: ({ name = '', country = '', ...filters }) =>
      further(
        () =>
          client.fetchInfiniteQuery({
            ...placesQuery(text(name), text(country), {
              category: '',
              environment: '',
              creative_position: '',
              creative_type: '',
              creative_size: '',
              ...filters,
            }),
            pages: 20,
          }),
        ({ data: places }) => places,
      ),
    filters: [
      {
        key: 'name',
        set: (all) => ({ name: text(all[3]?.['name']) }),
        keeps: (row, { name }) => text(row['name']).includes(text(name)),
      },
      {
        key: 'country',
        set: { country: 'EG' },
        holds: (rows, all) => rows.length > 0 && sum(rows, (row) => row['user_count']) < sum(all, (row) => row['user_count']),
      },
      ...PLACE_FILTERS.map((key): Filter => {
        const field = key === 'environment' ? 'site_or_app' : key
        return { key, set: (all) => ({ [key]: text(all[0]?.[field]) }), keeps: (row, search) => text(row[field]) === search[key] }
      }),
    ],
  },
  {
    name: 'the table of a report',
    file: 'features/campaigns/report/report-table.tsx',
    schema: 'reportSearch',
    as: 'ada@nile.example',
    base: () => ({ ...DELIVERED_DAYS(), by: 'app_or_site' }),
    id: ({ key }) => key,
    pages: (search) =>
      paged(async (page) => {
        const asked = reportSearch.parse({ ...search, page })
        const { by = 'day', order, dir, q, rows = TABLE_ROWS[0], devices = '', size = null, publisher = null } = asked
        const request = {
          range: rangeOf(search),
          step: 'days' as const,
          metrics: METRIC_NAMES.filter((name) => asked.metrics?.split(',').includes(name) ?? true),
          filters: { devices: DEVICES.filter((one) => devices.split(',').includes(String(one))), size, publisher },
          zone: 0,
        }
        const table = { grouping: by, order, dir, search: q, page, rows, language: 'en' as const }
        const answer = await client.fetchQuery(
          reportQueries.table(asked.campaignId === '' ? null : asked.campaignId, request, table),
        )
        return { data: answer.rows.map(({ key, label, values }) => ({ key, label, ...values })), total_size: answer.total_size }
      }),
    sizes: { key: 'rows', choices: TABLE_ROWS.slice(0, 2) },
    sorts: { key: 'order', by: ['name', ...METRIC_NAMES], value: (row, by) => row[by === 'name' ? 'label' : by] },
    filters: [
      { key: 'q', set: { q: 'site-1-3' }, keeps: ({ key }) => key === 'site-1-3.example' },
      {
        key: 'by',
        set: { by: 'publishers' },
        holds: (rows) => rows.length === 4 && rows.every(({ key }) => text(key).startsWith('Publisher')),
      },
      { key: 'metrics', set: { metrics: 'clicks' }, holds: ([row = {}]) => 'clicks' in row && !('impressions' in row) },
      {
        key: 'campaignId',
        set: () => ({ campaignId: data.campaign('Luxor by river') }),
        keeps: ({ key }) => text(key).startsWith('site-1-'),
      },
      ...[
        { key: 'start', set: () => ({ start: day(1) }), of: ({ hour }: Fact) => dayOf(hour) >= day(1) },
        { key: 'end', set: () => ({ end: day(0) }), of: ({ hour }: Fact) => dayOf(hour) === day(0) },
        { key: 'devices', set: { devices: '2' }, of: ({ device_type_key: kind }: Fact) => kind === 2 },
        { key: 'devices', set: { devices: '2,5' }, of: ({ device_type_key: kind }: Fact) => kind !== 3 },
        { key: 'size', set: { size: 103 }, of: ({ size }: Fact) => size === '728x90' },
        { key: 'publisher', set: { publisher: 'Publisher 1' }, of: ({ publisher }: Fact) => publisher === 'Publisher 1' },
      ].map(({ key, set, of }): Filter => ({
        key,
        set,
        holds: (rows) => sum(rows, (row) => row['impressions']) === delivered(of),
      })),
    ],
  },
  ...(['campaigns and accounts', 'accounts', 'names of accounts', 'names of campaigns'] as const).map((kind): List => ({
    name: `the search for ${kind}`,
    file: 'data/search-queries.ts',
    schema: 'search',
    as: kind === 'names of campaigns' ? 'ada@nile.example' : 'owner@dsp.example',
    base: () => ({ name: kind === 'names of campaigns' ? 'luxor' : 'lagos' }),
    id: (row) => JSON.stringify(row),
    single: true,
    pages: async ({ name: asked }) => {
      const name = text(asked)
      if (kind === 'accounts') return once(client.fetchQuery(searchQueries.accounts(name)).then((found) => found.accounts))
      if (kind === 'campaigns and accounts') return once(client.fetchQuery(searchQueries.all(name)).then(({ all }) => all))
      if (kind === 'names of accounts') return once(client.fetchQuery(campaignQueries.accountNames({ name })))
      return once(client.fetchQuery(campaignQueries.names(name)).then((names) => names.map((one) => ({ name: one }))))
    },
    filters: [
      {
        key: 'name',
        set: { name: kind === 'names of campaigns' ? 'karnak' : 'nile travel' },
        holds: (rows, all) =>
          rows.length === 1 &&
          /nile travel|karnak/i.test(JSON.stringify(rows)) &&
          all.length === 1 &&
          /lagos|luxor/i.test(JSON.stringify(all)),
      },
    ],
  })),
]

/** The search parameters of each page with a list, and those of them that no call sends. */
export const SCHEMAS: Readonly<Record<string, { readonly keys: readonly string[]; readonly unsent: readonly string[] }>> = {
  listSearch: { keys: Object.keys(listSearch.shape), unsent: ['hide', 'columns', 'density', 'view'] },
  accountsSearch: { keys: Object.keys(accounts.accountsSearch.shape), unsent: ['hide'] },
  accountSearch: { keys: Object.keys(accountSearch.shape), unsent: ['tab'] },
  audiencesSearch: { keys: Object.keys(audiences.audiencesSearch.shape), unsent: ['hide'] },
  billingSearch: { keys: Object.keys(billingSearch.shape), unsent: ['open', 'tab'] },
  eventsSearch: { keys: Object.keys(eventsSearch.shape), unsent: [] },
  operationsSearch: { keys: Object.keys(operationsSearch.shape), unsent: ['tab'] },
  notificationsSearch: { keys: Object.keys(notificationsSearch.shape), unsent: [] },
  queueSearch: { keys: Object.keys(queueSearch.shape), unsent: ['tab', 'id'] },
  scheduleSearch: { keys: Object.keys(scheduleSearch.shape), unsent: [] },
  editSearch: { keys: Object.keys(editSearch.shape), unsent: ['tab', 'as_of', 'log_open', 'log_from', 'log_to'] },
  inboxSearch: { keys: ['id', 'page'], unsent: ['id'] },
  auditSearch: { keys: Object.keys(auditSearch.shape), unsent: ['tab'] },
  reportSearch: { keys: Object.keys(reportSearch.shape), unsent: ['step', 'compare', 'metric', 'saved'] },
  library: { keys: ['name', 'role', 'size'], unsent: [] },
  places: { keys: ['name', 'country', ...PLACE_FILTERS], unsent: [] },
  search: { keys: ['name'], unsent: [] },
}
/** Pages without a list. */
export const OTHER_PAGES = [
  'statisticsSearch',
  'timelineSearch',
  'keySearch',
  'profileSearch',
  'signInSearch',
  'customizationSearch',
  'createSearch',
]
/** A part of a page whose list is in another file, and packages, which only a build has. */
export const OTHER_FILES = ['app/frame/chat/chat-widget.tsx', 'features/operations/licences-tab.tsx']
