import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/schedules'
import type { ScheduledChanges } from '#platform/schedule/scheduled-changes'
import { callerOf } from '#api/http/person'
import { isDryRun, register } from '#api/http/register'
import { createScheduleCalls } from './schedule-calls.ts'
import type { Served } from '#api/areas/services'

export function registerScheduleRoutes(
  app: FastifyInstance,
  kit: Served<'accounts' | 'campaigns' | 'commands.campaigns' | 'db' | 'people' | 'store'>,
  stored: ScheduledChanges,
): void {
  const { guards } = kit
  const scheduled = createScheduleCalls(kit, stored)
  register(app, guards, contract.listScheduled, async (call) => scheduled.list(callerOf(call), call.query))
  register(app, guards, contract.scheduleChanges, async (call) =>
    scheduled.create(callerOf(call), call.params.id, call.body, isDryRun(call.query)),
  )
  register(app, guards, contract.changeScheduled, async (call) => scheduled.change(callerOf(call), call.params.id, call.body))
  register(app, guards, contract.cancelScheduled, async (call) => scheduled.cancel(callerOf(call), call.params.id))
}
