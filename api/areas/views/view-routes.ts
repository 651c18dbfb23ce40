import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/views'
import type { ListViews } from '#platform/views/list-views'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import type { Served } from '#api/areas/services'
import { createViewCalls } from './view-calls.ts'

export function registerViewRoutes(app: FastifyInstance, kit: Served<'accounts' | 'people'>, stored: ListViews): void {
  const { guards } = kit
  const views = createViewCalls(kit, stored)
  register(app, guards, contract.listViews, async (call) => views.list(callerOf(call), call.query.list))
  register(app, guards, contract.addView, async (call) => views.add(callerOf(call), call.body.list, call.body))
  register(app, guards, contract.chooseDefaultView, async (call) =>
    views.chooseDefault(callerOf(call), call.body.list, call.body.view_id),
  )
  register(app, guards, contract.changeView, async (call) => views.change(callerOf(call), call.params.id, call.body))
  register(app, guards, contract.removeView, async (call) => views.remove(callerOf(call), call.params.id))
  register(app, guards, contract.restoreView, async (call) => views.restore(callerOf(call), call.params.id))
}
