import { actorNow } from '#commands/identity/actor-now'
import { scheduleSweep } from '#commands/schedule/carry-out'
import { SCHEDULE_ENDPOINTS } from '#contract/schedules'
import { removeRowsOf } from '#platform/identity/rows-of'
import { createScheduledChanges } from '#platform/schedule/scheduled-changes'
import { area } from '../area.ts'
import { registerScheduleRoutes } from './schedule-routes.ts'

export const schedules = area({
  name: 'schedule',
  summary: 'Changes of campaigns that are carried out later',
  endpoints: SCHEDULE_ENDPOINTS,
  uses: ['accounts', 'campaigns', 'commands.campaigns', 'db', 'notify', 'people', 'store'],
  tables: ['app.scheduled_changes'],
  erase: { within: removeRowsOf('app.scheduled_changes') },
  register: (app, kit) => registerScheduleRoutes(app, kit, createScheduledChanges(kit.db, kit.now)),
  policies: async (kit) => [
    scheduleSweep({
      port: createScheduledChanges(kit.db, kit.now).port(kit.notify),
      campaigns: kit.commands.campaigns,
      store: kit.store,
      actorOf: async (personId, spaceId) => (await actorNow(kit, personId, spaceId))?.actor ?? null,
      derivedId: kit.derivedId,
      now: kit.now,
    }),
  ],
  housekeeping: ({ db, now }) => createScheduledChanges(db, now).removeOld(),
})
