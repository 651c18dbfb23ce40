import { actingIn, actorWith } from '#commands/identity/person'
import { scheduleSweep, type CarryOutDeps } from '#commands/schedule/carry-out'
import { rightsAt } from '#domain/kit/access'
import { SCHEDULE_ENDPOINTS } from '#contract/schedules'
import { removeRowsOf } from '#platform/identity/rows-of'
import { createScheduledChanges } from '#platform/schedule/scheduled-changes'
import { area } from '../area.ts'
import { registerScheduleRoutes } from './schedule-routes.ts'
import { USES, type ScheduleOwn } from './uses.ts'

export const schedules = area({
  name: 'schedule',
  summary: 'Changes of campaigns that are carried out later',
  endpoints: SCHEDULE_ENDPOINTS,
  uses: USES,
  tables: ['app.scheduled_changes'],
  erase: { within: removeRowsOf('app.scheduled_changes') },
  register: (app, kit) => registerScheduleRoutes(app, kit, createScheduledChanges(kit.db, kit.now)),
  policies: async (kit) => [
    scheduleSweep({
      port: createScheduledChanges(kit.db, kit.now).port(kit.notify),
      campaigns: kit.commands.campaigns,
      store: kit.store,
      actorOf: actorsOf(kit),
      derivedId: kit.derivedId,
      now: kit.now,
    }),
  ],
  housekeeping: ({ db, now }) => createScheduledChanges(db, now).removeOld(),
})

/** People who may sign in, with the roles and rights of this moment. */
const actorsOf =
  ({ people, now }: Pick<ScheduleOwn, 'people' | 'now'>): CarryOutDeps['actorOf'] =>
  async (personId, spaceId) => {
    // Demo users may work here while the demo is on: the call that scheduled it was checked.
    const person = await people.entering(personId, true)
    if (person === null) return null
    const acting = actingIn(await people.accessOf(personId), spaceId)
    if (acting === null) return null
    const actor = actorWith(person, acting.access, acting.spaceId)
    return { ...actor, rights: rightsAt(actor.rights ?? [], now()) }
  }
