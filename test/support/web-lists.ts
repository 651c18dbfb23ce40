import { REPORT_DEVICES } from '#domain/reports/figures'
import { QueryClient } from '@tanstack/react-query'
import { expect } from 'vitest'
import { ACCOUNT_SORTS, DATE_LABELS } from '#contract/account-list'
import { FEED_AUTHORS } from '#contract/audit-feed'
import { MOVEMENT_TYPES } from '#domain/account/movement-types'
import type { Fact } from '#domain/delivery/batch'
import { accountQueries } from '@/data/account-queries'
import { audienceQueries } from '@/data/audience-queries'
import { campaignQueries, type ListScope } from '@/data/campaign-queries'
import { chatQueries } from '@/data/chat-queries'
import { libraryQuery } from '@/data/library-queries'
import { moderationQueries } from '@/data/moderation-queries'
import { notificationQueries } from '@/data/notification-queries'
import { searchQueries } from '@/data/search-queries'
import { accountSearch } from '@/features/accounts/account-search'
import { accountsSearch, filterOf, pageOf, type STATES } from '@/features/accounts/accounts-search'
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
import { METRIC_NAMES, TABLE_ROWS } from '@/features/campaigns/report/report-names'
import { reportQueries } from '@/features/campaigns/report/report-queries'
import { reportSearch } from '@/features/campaigns/report/report-search'
import { scheduleQueries } from '@/features/campaigns/schedule/schedule-queries'
import { scheduleSearch } from '@/features/campaigns/schedule/schedule-search'
import { eventsQueries } from '@/features/events/events-queries'
import { eventsSearch } from '@/features/events/events-search'
import { notificationsSearch } from '@/features/notifications/notifications-search'
import { operationsQueries } from '@/features/operations/operations-queries'
import { operationsSearch } from '@/features/operations/operations-search'
import type { TestProduct } from './product.ts'
import { CAIRO, day, fillLists, LUXOR, type FilledLists } from './web-lists-data.ts'

let data: FilledLists
/** Gives a product the rows that the lists expect. */
export const fill = async (product: TestProduct): Promise<void> => void (data = await fillLists(product))

export type Row = Readonly<Record<string, unknown>>
export type Search = Readonly<Record<string, unknown>>
export type Pages = readonly (readonly Row[])[]
type Keeps = (row: Row, search: Search) => boolean
type Whole = { readonly holds: (rows: readonly Row[], all: readonly Row[]) => boolean }
/**
 * The parameters, the value of the first one or the values of several, and the rows of the whole list that the filter keeps: those whose
 * field of this name has the value (without a name, the field of the parameter's name), those with these fields, or those of a function.
 * A filter of figures says what is true of the filtered list alone.
 */
export type Filter = readonly [keys: string, value: unknown, keeps?: string | Row | Keeps | Whole]
export type List = {
  /** The file of the page in web, the user, and the name of the page's search parameters. */
  readonly at: readonly [file: string, user: string, schema?: string]
  readonly base?: () => Search
  readonly read: { readonly pages: (search: Search) => Promise<Pages>; readonly single?: true }
  readonly filters?: readonly Filter[]
  readonly sizes?: readonly [key: string, choices: readonly number[]]
  readonly sorts?: readonly [key: string, by: readonly string[], fieldOf: (by: string) => string]
}

/** Cleared before each request. */
export const client = new QueryClient()
const get = client.fetchQuery.bind(client)
const far = client.fetchInfiniteQuery.bind(client)
type Some = readonly object[]
const rowsOf = (some: Some): readonly Row[] => some.map((row) => Object.fromEntries(Object.entries(row)))

const paged = (read: (page: number, search: Search) => Promise<{ readonly data: Some; readonly total_size: number }>) => ({
  pages: async (search: Search): Promise<Pages> => {
    const pages: Row[][] = []
    let total = 1
    while (pages.at(-1)?.length !== 0 && pages.flat().length < total) {
      const answer = await read(pages.length, search)
      pages.push([...rowsOf(answer.data)])
      total = answer.total_size
    }
    expect(pages.flat().length, 'rows on all pages').toBe(total)
    return pages
  },
})
/** The rows of a page are its field of this name, or the page itself. */
const further = <Key extends string>(
  read: (search: Search) => Promise<{ readonly pages: readonly (Some | Readonly<Partial<Record<Key, Some>>>)[] }>,
  key?: Key,
): List['read'] => ({
  pages: async (search) =>
    (await read(search)).pages.map((page) =>
      rowsOf(Array.isArray(page) ? page : ((page as Record<string, Some>)[key ?? ''] ?? [])),
    ),
})
const once = (read: (search: Search) => Promise<Some>): List['read'] => ({
  pages: async (search) => [rowsOf(await read(search))],
  single: true,
})

const ADA = 'ada@nile.example'
const [OWNER, MODERATOR] = ['owner@dsp.example', 'moderator@dsp.example']
export const text = (value: unknown) => String(value)
const dayOf = (value: unknown) => text(value).slice(0, 10)
const sum = (rows: readonly Row[], field: string) => rows.reduce((total, row) => total + Number(row[field]), 0)
const each = (key: string, values: readonly unknown[], keeps?: Filter[2]): readonly Filter[] =>
  values.map((value) => (keeps === undefined ? [key, value] : [key, value, keeps]))
const within =
  (field: string): Keeps =>
  (row, { start, end }) =>
    dayOf(row[field]) >= text(start) && dayOf(row[field]) <= text(end)
const days = (field: string): readonly Filter[] => ['start', 'end'].map((key) => [key, () => day(10), within(field)])
const ALL_DAYS = () => ({ start: day(-60), end: day(89) })
const rangeOf = ({ start, end }: Search) => ({ start: text(start), end: text(end) })
const whole = (holds: Whole['holds']): Whole => ({ holds })
const every = (is: Keeps) => whole((rows) => rows.length > 0 && rows.every((row) => is(row, {})))
const contains = (row: Row, part: string) => JSON.stringify(row).includes(part)
const fewer = (field: string) => whole((rows, all) => sum(rows, field) > 0 && sum(rows, field) < sum(all, field))
/** The impressions of the list are those of these facts. */
const counts = (of: (fact: Fact) => boolean) =>
  whole((rows) => sum(rows, 'impressions') === data.facts.filter(of).reduce((total, fact) => total + fact.impressions, 0))
const DELIVERED_DAYS = () => ({ start: day(0), end: day(2) })
const OF_DAYS: readonly Filter[] = [
  ['start', () => day(1), counts(({ hour }) => dayOf(hour) >= day(1))],
  ['end', () => day(0), counts(({ hour }) => dayOf(hour) === day(0))],
]

const campaigns = (scope: ListScope): List => ({
  at: ['features/campaigns/list/campaign-list-page.tsx', scope === 'all' ? OWNER : ADA, 'listSearch'],
  base: () => ({ ...DELIVERED_DAYS(), rows: 25 }),
  read: paged((page, search) => get(listQuery(scope, listSearch.parse({ ...search, page })))),
  sizes: ['rows', ROWS_PER_PAGE],
  sorts: ['sort', SORTS, (by) => by],
  filters: [
    ['q', 'luxor', { name: LUXOR }],
    ...[[0], [1], [2], [1, 2]].map((places): Filter => [
      'status',
      (all: readonly Row[]) => places.map((n) => [...new Set(all.map((row) => row['status_key']))][n]).join(','),
      (row, { status }) => text(status).split(',').includes(text(row['status_key'])),
    ]),
    ['labels', () => data.label, { name: LUXOR }],
    ...(scope === 'all' ? each('accounts', [() => data.lagos], 'space_id') : []),
    ...OF_DAYS,
  ],
})

const today = (before = 0) => dayOf(new Date(Date.now() - before * 86_400_000).toISOString())
const since = (from: number, to: number) => (at: string) => at <= today(from) && at > today(to)
const IN_PERIOD: Readonly<Record<(typeof DATE_LABELS)[number], (at: string) => boolean>> = {
  today: since(0, 1),
  yesterday: since(1, 2),
  last_7_days: since(0, 7),
  last_30_days: since(0, 30),
  last_365_days: since(0, 365),
  this_month: (at) => at.slice(0, 7) === today().slice(0, 7) && at <= today(),
  past_month: (at) => at.slice(0, 7) === today(Number(today().slice(8))).slice(0, 7),
}
const IN_STATE: Readonly<Record<Exclude<(typeof STATES)[number], 'all'>, Row>> = {
  active: { opened: true, suspended: false },
  suspended: { suspended: true },
  registered: { status_key: 1 },
  approved: { status_key: 2 },
  rejected: { status_key: 3 },
}
const OF_ACCOUNTS: readonly Filter[] = [
  ['q', 'ada@nile', { email: ADA }],
  ['q', 'zanzibar', { company_name: 'Zanzibar Ferries' }],
  ['name', 'nile', { space_name: 'Nile Travel' }],
  ...Object.entries(IN_STATE).map(([status, row]): Filter => ['status', status, row]),
  ...DATE_LABELS.map((period): Filter => ['period', period, (row) => IN_PERIOD[period](dayOf(row['created_at']))]),
  ['start end', { period: 'custom', start: '2025-02-01', end: '2025-03-01' }, within('created_at')],
]

const scheduled = (state: 'waiting' | 'ended'): List => ({
  at: ['features/campaigns/schedule/schedule-queries.ts', ADA],
  base: () => ({ campaign: LUXOR }),
  read: once(async ({ campaign }) => (await get(scheduleQueries[state](data.campaign(text(campaign))))).data),
  filters: [
    [
      'campaign',
      CAIRO,
      every((row) => contains(row, data.campaign(CAIRO)) && (row['state'] === 'waiting') === (state === 'waiting')),
    ],
  ],
})

const search = (
  read: (name: string) => Promise<Some>,
  user = OWNER,
  [sent, other]: readonly [string, string] = ['Lagos', 'Nile Travel'],
): List => ({
  at: ['data/search-queries.ts', user, 'search'],
  base: () => ({ name: sent.toLowerCase() }),
  read: once(({ name }) => read(text(name))),
  filters: [['name', other.toLowerCase(), whole((rows) => rows.length === 1 && contains(rows[0] ?? {}, other))]],
})

export const LISTS: Readonly<Record<string, List>> = {
  'campaigns of an account': campaigns('account'),
  'campaigns of all accounts': campaigns('all'),
  accounts: {
    at: ['features/accounts/accounts-page.tsx', OWNER, 'accountsSearch'],
    base: () => ({ rows: 100 }),
    read: paged((page, search) => get(accountQueries.page(pageOf(accountsSearch.parse({ ...search, page }), new Date())))),
    sizes: ['rows', [10, 25]],
    sorts: ['sort', ACCOUNT_SORTS, (by) => (by === 'name' ? 'space_name' : by)],
    filters: OF_ACCOUNTS,
  },
  'totals of accounts': {
    at: ['features/accounts/accounts-page.tsx', OWNER],
    read: once(async (search) => [await get(accountQueries.totals(filterOf(accountsSearch.parse(search), new Date())))]),
    filters: OF_ACCOUNTS.map(([key, value]) => [key, value, fewer('count')]),
  },
  'campaigns on the page of an account': {
    at: ['features/accounts/account-campaigns.tsx', OWNER, 'accountSearch'],
    read: paged((page) =>
      get(campaignQueries.list('all', { space_id: data.nile, page, pageSize: 10, status_filter: 50, included_metrics: [] })),
    ),
  },
  'history of an account': {
    at: ['features/accounts/account-history.tsx', OWNER, 'accountSearch'],
    read: paged((page) => get(accountQueries.history(data.nile, page))),
  },
  audiences: {
    at: ['features/audiences/audiences-page.tsx', ADA, 'audiencesSearch'],
    read: paged((page, search) =>
      get(audienceQueries.page(audiences.pageOf(audiences.audiencesSearch.parse({ ...search, page })))),
    ),
    sizes: ['rows', [10, 25]],
    filters: [
      ['name', 'island', { name: 'Island hoppers' }],
      ...each('type', audiences.AUDIENCE_TYPES.slice(1)),
      ...each('status', audiences.AUDIENCE_STATUSES.slice(1), 'status_key'),
    ],
  },
  invoices: {
    at: ['features/billing/invoices/invoices-list.tsx', OWNER, 'billingSearch'],
    read: paged((page, search) => {
      const { space: space_id = null, status, start: from_date = null, end: to_date = null, q = '' } = billingSearch.parse(search)
      const key = status === undefined ? null : keyOfState(status)
      return get(invoiceQueries.page({ space_id, status: key, from_date, to_date, search: q, page, page_size: 25 }))
    }),
    filters: [
      ['space', () => data.lagos, 'space_id'],
      ...INVOICE_STATES.map((status): Filter => ['status', status, { status: keyOfState(status) }]),
      ['q', 'inv-1007', { number: 'INV-1007' }],
      ['start end', () => ({ start: day(3), end: day(20) }), within('dated_at')],
    ],
  },
  'movements of an account': {
    at: ['features/billing/movements-tab.tsx', OWNER, 'billingSearch'],
    base: ALL_DAYS,
    read: paged((page, search) => {
      const { type } = billingSearch.parse(search)
      return get(billingQueries.movements(data.nile, { range: rangeOf(search), type, page }))
    }),
    filters: [...each('type', MOVEMENT_TYPES), ...days('at')],
  },
  'refills of an account': {
    at: ['features/billing/cards/refills-table.tsx', OWNER, 'billingSearch'],
    read: paged((page) => get(cardQueries.refills(data.nile, page))),
  },
  'events of visitors': {
    at: ['features/events/events-page.tsx', ADA, 'eventsSearch'],
    base: ALL_DAYS,
    read: paged((page, search) => {
      const { name, show } = eventsSearch.parse(search)
      return get(eventsQueries.page({ range: rangeOf(search), name, unconfirmed: show === 'unconfirmed', page }))
    }),
    filters: [
      ['name', 'booking'],
      [
        'show',
        'unconfirmed',
        { holds: (rows) => rows.length === 3 && rows.every(({ unconfirmed }) => unconfirmed === 'origin') },
      ],
      ...days('time'),
    ],
  },
  'failed jobs': {
    at: ['features/operations/failed-jobs.tsx', 'admin@dsp.example', 'operationsSearch'],
    read: paged((page) => get(operationsQueries.jobs(page))),
  },
  'errors of the server': {
    at: ['features/operations/errors-tab.tsx', 'admin@dsp.example', 'operationsSearch'],
    read: paged((page, search) => get(operationsQueries.errors(page, operationsSearch.parse(search).request))),
    filters: [['request', 'request-7', 'request_id']],
  },
  notifications: {
    at: ['features/notifications/notifications-page.tsx', ADA, 'notificationsSearch'],
    read: paged((page, search) => {
      const { kind, state } = notificationsSearch.parse(search)
      return get(notificationQueries.page({ kind, page, unread: state === 'unread' }))
    }),
    filters: [...each('kind', ['balance-low', 'campaign-approved']), ['state', 'unread', { read: false }]],
  },
  'submissions that wait for moderation': {
    at: ['features/campaigns/moderation-queue/use-queue.ts', MODERATOR, 'queueSearch'],
    read: paged((page, search) => get(moderationQueries.queue(page, queueSearch.parse(search).filter))),
    filters: ['mine', 'free'].map((filter) => [
      'filter',
      filter,
      (row) => contains(row, data.moderator) || (filter === 'free' && row['assignee'] === null),
    ]),
  },
  registrants: {
    at: ['features/registration/registrants-page.tsx', MODERATOR, 'queueSearch'],
    read: paged(async (page) => (await get(moderationQueries.queue(page))).registrants),
  },
  'approvals that wait for a second look': {
    at: ['features/campaigns/moderation-queue/second-looks-page.tsx', OWNER, 'queueSearch'],
    read: paged((page) => get(moderationQueries.secondLooks(page))),
  },
  'scheduled changes': {
    at: ['features/campaigns/schedule/schedule-page.tsx', ADA, 'scheduleSearch'],
    read: paged((page, search) => get(scheduleQueries.list(scheduleSearch.parse(search).state ?? 'waiting', page))),
    filters: [['state', 'ended', every(({ state }) => state === 'done')]],
  },
  'scheduled changes of a campaign': scheduled('waiting'),
  'ended changes of a campaign': scheduled('ended'),
  'other submissions of an account': {
    at: ['features/campaigns/moderation-queue/same-account.tsx', MODERATOR],
    base: () => ({ space: data.nile }),
    read: once(async ({ space }) => (await get(moderationQueries.ofAccount(text(space)))).data),
    filters: [['space', () => data.lagos, every((row) => row['space_id'] === data.lagos)]],
  },
  'change log of a campaign': {
    at: ['features/campaigns/change-log/change-log-tab.tsx', OWNER, 'editSearch'],
    base: () => ({ log_rows: 5 }),
    read: paged((page, search) =>
      get(campaignQueries.log(data.campaign(CAIRO), askedOf({ ...logSearch.parse(search), log_page: page }))),
    ),
    sizes: ['log_rows', LOG_ROWS.slice(0, 2)],
    filters: [
      ['log_who', () => data.ada, 'author_id'],
      ['log_field', 'budget', (row) => contains(row, '"path":"budget"') || row['revision'] === 1],
      ['log_source', 'system', { author_id: null }],
      ['log_source', 'people', (row) => row['author_id'] !== null],
      [
        'log_day',
        (all: readonly Row[]) => dayOf(all.at(-1)?.['commit_date']),
        (row, search) => dayOf(row['commit_date']) === search['log_day'],
      ],
    ],
  },
  'past statuses of a campaign': {
    at: ['features/campaigns/delivery/status-timeline.tsx', ADA],
    read: further(() => far({ ...statusHistoryQuery(data.campaign(CAIRO), 1), pages: 9 }), 'data'),
  },
  'conversations of the inbox': {
    at: ['features/inbox/inbox-page.tsx', OWNER, 'inboxSearch'],
    read: paged((page) => get(chatQueries.inbox(page))),
  },
  'messages of a conversation': {
    at: ['features/inbox/inbox-page.tsx', OWNER],
    read: further(() => far({ ...chatQueries.of(data.ada), pages: 9 }), 'messages'),
  },
  'messages of the own conversation': {
    at: ['app/frame/chat/chat-panel.tsx', ADA],
    read: further(() => far({ ...chatQueries.own(true), pages: 9 }), 'messages'),
  },
  'entries of the audit log': {
    at: ['features/audit/changes-tab.tsx', 'auditor@dsp.example', 'auditSearch'],
    // Rows that policies add meanwhile are newer.
    base: () => ({ to: today(1) }),
    read: further((search) => far({ ...auditQueries.feed(filtersOf(auditFilters.parse(search))), pages: 40 }), 'entries'),
    filters: [
      ['who', () => data.ada, 'actor_id'],
      ...FEED_AUTHORS.map((by): Filter => [
        'by',
        by,
        ({ actor_id: actor, role }) =>
          by === 'system'
            ? actor === null
            : actor !== null && (by === 'people' || (by === 'advertisers') === text(role).startsWith('USER_')),
      ]),
      ...each('kind', ['account', 'campaign']),
      ['account', () => data.lagos, 'space_id'],
      ['subject', () => data.campaign(LUXOR), 'subject_id'],
      ['type', 'CampaignSubmitted,CampaignApproved', ({ type }) => /^Campaign(Submitted|Approved)$/.test(text(type))],
      ['field', 'budget', (row) => row['type'] === 'CampaignCreated' || contains(row, '"path":"budget"')],
      ...(['from', 'to'] as const).map((key): Filter => [
        key,
        (all: readonly Row[]) => dayOf(all[Math.floor(all.length / 2)]?.['at']),
        ({ at }, { from, to }) => (key === 'from' ? text(at) >= startOf(text(from), 0) : text(at) < startOf(text(to), 1)),
      ]),
    ],
  },
  'security events': {
    at: ['features/audit/security-tab.tsx', 'auditor@dsp.example'],
    read: further(() => far({ ...auditQueries.security(), pages: 9 })),
  },
  'files of the library': {
    at: ['features/campaigns/form/library/library-dialog.tsx', ADA, 'library'],
    read: once(async ({ name = '', role, size }) => {
      const of = {
        ...(role === 'companion' ? { role: 'companion' as const } : {}),
        ...(size === '728x90' ? { width: 728, height: 90 } : {}),
      }
      return (await far({ ...libraryQuery({ name: text(name), ...of }), pages: 9 })).pages.flatMap(({ files }) => files)
    }),
    filters: [
      ['name', '728x90', ({ name }) => text(name).includes('728x90')],
      ['role', 'companion', { width: 300, height: 250 }],
      ['size', '728x90', { width: 728 }],
    ],
  },
  'places for advertisements': {
    at: ['features/campaigns/form/tabs/placement/places-list.tsx', ADA, 'places'],
    read: further(({ name = '', country = '', ...filters }) => {
      const none = { category: '', environment: '', creative_position: '', creative_type: '', creative_size: '' }
      return far({ ...placesQuery(text(name), text(country), { ...none, ...filters }), pages: 20 })
    }, 'data'),
    filters: [
      ['name', (all: readonly Row[]) => all[3]?.['name'], (row, { name }) => text(row['name']).includes(text(name))],
      ['country', 'EG', fewer('user_count')],
      ...PLACE_FILTERS.map((key): Filter => {
        const field = key === 'environment' ? 'site_or_app' : key
        return [key, ([first]: readonly Row[]) => text(first?.[field]), field]
      }),
    ],
  },
  'the table of a report': {
    at: ['features/campaigns/report/report-table.tsx', ADA, 'reportSearch'],
    base: () => ({ ...DELIVERED_DAYS(), by: 'app_or_site' }),
    read: paged(async (page, search) => {
      const asked = reportSearch.parse({ ...search, page })
      const { by: grouping = 'day', order, dir, q, rows = TABLE_ROWS[0], devices = '', size = null, publisher = null } = asked
      const request = {
        range: rangeOf(search),
        step: 'days' as const,
        metrics: METRIC_NAMES.filter((name) => asked.metrics?.split(',').includes(name) ?? true),
        filters: { devices: REPORT_DEVICES.filter((one) => devices.split(',').includes(String(one))), size, publisher },
        zone: 0,
      }
      const table = { grouping, order, dir, search: q, page, rows, language: 'en' as const }
      const answer = await get(reportQueries.table(asked.campaignId === '' ? null : asked.campaignId, request, table))
      return { data: answer.rows.map(({ key, label, values }) => ({ key, label, ...values })), total_size: answer.total_size }
    }),
    sizes: ['rows', TABLE_ROWS.slice(0, 2)],
    sorts: ['order', ['name', ...METRIC_NAMES], (by) => (by === 'name' ? 'label' : by)],
    filters: [
      ['q', 'site-1-3', { key: 'site-1-3.example' }],
      ['by', 'publishers', every(({ key }) => text(key).startsWith('Publisher'))],
      ['metrics', 'clicks', whole(([row = {}]) => 'clicks' in row && !('impressions' in row))],
      ['campaignId', () => data.campaign(LUXOR), ({ key }) => text(key).startsWith('site-1-')],
      ...OF_DAYS,
      ['devices', '2', counts(({ device_type_key: kind }) => kind === 2)],
      ['devices', '2,5', counts(({ device_type_key: kind }) => kind !== 3)],
      ['size', 103, counts(({ size }) => size === '728x90')],
      ['publisher', 'Publisher 1', counts(({ publisher }) => publisher === 'Publisher 1')],
    ],
  },
  'the search for campaigns and accounts': search((name) => get(searchQueries.all(name)).then(({ all }) => all)),
  'the search for accounts': search((name) => get(searchQueries.accounts(name)).then((found) => found.accounts)),
  'the search for names of accounts': search((name) => get(campaignQueries.accountNames({ name }))),
  'the search for names of campaigns': search(
    (name) => get(campaignQueries.names(name)).then((names) => names.map((one) => ({ name: one }))),
    ADA,
    ['Luxor', 'Karnak'],
  ),
}

/** The search parameters of each page with a list, without those that no call sends. */
const keysOf = ({ shape }: { readonly shape: object }, ...unsent: readonly string[]) =>
  Object.keys(shape).filter((key) => !unsent.includes(key))
export const SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  listSearch: keysOf(listSearch, 'hide', 'columns', 'density', 'view'),
  accountsSearch: keysOf(accountsSearch, 'hide'),
  accountSearch: keysOf(accountSearch, 'tab'),
  audiencesSearch: keysOf(audiences.audiencesSearch, 'hide'),
  billingSearch: keysOf(billingSearch, 'open', 'tab'),
  eventsSearch: keysOf(eventsSearch),
  operationsSearch: keysOf(operationsSearch, 'tab'),
  notificationsSearch: keysOf(notificationsSearch),
  queueSearch: keysOf(queueSearch, 'tab', 'id'),
  scheduleSearch: keysOf(scheduleSearch),
  editSearch: keysOf(editSearch, 'tab', 'as_of', 'log_open', 'log_from', 'log_to'),
  inboxSearch: ['page'],
  auditSearch: keysOf(auditSearch, 'tab'),
  reportSearch: keysOf(reportSearch, 'step', 'compare', 'metric', 'saved'),
  library: ['name', 'role', 'size'],
  places: ['name', 'country', ...PLACE_FILTERS],
  search: ['name'],
}
