import { VIEW_ENDPOINTS } from '#contract/views'
import { removeRowsOf } from '#platform/identity/rows-of'
import { createListViews } from '#platform/views/list-views'
import { area } from '../area.ts'
import { registerViewRoutes } from './view-routes.ts'

export const views = area({
  name: 'views',
  summary: 'Saved views of the lists of campaigns',
  endpoints: VIEW_ENDPOINTS,
  uses: ['accounts', 'db', 'people'],
  tables: ['app.list_view_defaults', 'app.list_views'],
  erase: { within: removeRowsOf('app.list_view_defaults', 'app.list_views') },
  register: (app, kit) => registerViewRoutes(app, kit, createListViews(kit.db)),
  housekeeping: ({ db, now }) => createListViews(db).purge(now()),
})
