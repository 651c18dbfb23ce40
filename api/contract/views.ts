import { REPORT_RANGES } from '#domain/reports/schedule'
import { idParams } from './campaign-answers.ts'
import { labelIds, spaceIds } from './campaign-list.ts'
import { endpoint, named, position } from './http.ts'
import { statusKey } from './sets.ts'
import { z } from './zod.ts'
import { shownName } from './shown-name.ts'

/** Saved views of the lists of campaigns (fine print 102). */

/** `account` is the list of one account, `all` that of every account of a white-label, for staff. */
const list = z.enum(['account', 'all'])
export type ViewedList = z.infer<typeof list>

const columns = z.array(z.string().check(z.maxLength(40))).check(z.maxLength(30))

const listViewState = named(
  'ListViewState',
  z.object({
    /** Part of a name. */
    q: z.string().check(z.maxLength(300)),
    /** None means every status. */
    statuses: z.array(statusKey).check(z.maxLength(20)),
    /** None means every account. */
    accounts: spaceIds,
    /** Campaigns with any of these labels; none means every campaign. */
    labels: z.optional(labelIds),
    /** A usual range moves with the day. Without it the days are fixed, YYYY-MM-DD. */
    range: z.nullish(z.enum(REPORT_RANGES)),
    start_date: z.nullish(z.string().check(z.maxLength(10))),
    end_date: z.nullish(z.string().check(z.maxLength(10))),
    /** The column of the order; null for the list's own order. */
    sort: z.nullable(z.string().check(z.maxLength(40))),
    dir: z.enum(['asc', 'desc']),
    hidden: columns,
    /** Columns from the first to the last. Usual ones that are missing follow in their order, further ones are not shown. */
    order: columns,
    rows: z.int().check(z.gte(1), z.lte(150)),
    density: z.enum(['comfortable', 'compact']),
  }),
)
export type ListViewState = z.infer<typeof listViewState>

const viewBody = {
  name: shownName(),
  shared: z.boolean(),
  state: listViewState,
}

const listView = named(
  'ListView',
  z.object({
    id: z.string(),
    name: z.string(),
    /** Whether every user of the list sees it. */
    shared: z.boolean(),
    state: listViewState,
    /** Name of the user who saved it. */
    by: z.string(),
    /** Whether the caller saved it. */
    own: z.boolean(),
    /** Whether the caller may change and remove it. */
    editable: z.boolean(),
    /** For changes: one that was made meanwhile refuses them with 140. */
    version: z.number(),
  }),
)
export type ListView = z.infer<typeof listView>

const ofViews = { reads: ['accounts'], access: 'campaign.read' } as const
const viewId = z.object({ id: z.string(), version: z.number(), position })

export const listViews = endpoint({
  ...ofViews,
  id: 'view.list',
  method: 'GET',
  path: '/v1/list-views',
  summary: 'Saved views of a list of campaigns: those of the caller, and those that are shared',
  query: z.object({ list: z._default(list, 'account') }),
  output: z.object({
    views: z.array(listView),
    /** The view that opens with the list; null for none. */
    default_id: z.nullable(z.string()),
    /** Whether the caller may share views of this list. */
    may_share: z.boolean(),
  }),
})

export const addView = endpoint({
  ...ofViews,
  id: 'view.add',
  perDay: { of: 'person', name: 'views', limit: 100 },
  method: 'POST',
  path: '/v1/list-views',
  summary: 'Save a view: at most 50 of a user, and 50 shared ones of a list',
  body: 'json',
  input: z.object({ list, ...viewBody }),
  output: viewId,
  write: true,
})

export const changeView = endpoint({
  ...ofViews,
  id: 'view.change',
  method: 'PUT',
  path: '/v1/list-views/:id',
  summary: 'Change a view; 131 for an unknown one, 140 for one that changed meanwhile',
  params: idParams,
  body: 'json',
  input: z.object({ ...viewBody, version: z.int() }),
  output: viewId,
  write: true,
})

export const removeView = endpoint({
  ...ofViews,
  id: 'view.remove',
  method: 'DELETE',
  path: '/v1/list-views/:id',
  summary: 'Remove a view, which can be restored for an hour; 131 for an unknown one',
  params: idParams,
  output: viewId,
  write: true,
})

export const restoreView = endpoint({
  ...ofViews,
  id: 'view.restore',
  method: 'POST',
  path: '/v1/list-views/:id/restore',
  summary: 'Restore a removed view; 131 once it is gone',
  params: idParams,
  output: viewId,
  write: true,
})

export const chooseDefaultView = endpoint({
  ...ofViews,
  id: 'view.default',
  method: 'POST',
  path: '/v1/list-views/default',
  summary: 'Choose the view that opens with a list for the caller, or null for none; 131 for an unknown one',
  body: 'json',
  input: z.object({ list, view_id: z.nullable(z.string().check(z.maxLength(64))) }),
  output: z.object({ position }),
  write: true,
})

export const VIEW_ENDPOINTS = [listViews, addView, chooseDefaultView, changeView, removeView, restoreView]
