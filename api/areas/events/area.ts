import { removeFromEvents } from '#platform/events/erasure'
import { confirmEvents } from '#commands/events/confirm-events'
import { countConversions } from '#commands/events/count-conversions'
import { EVENT_ENDPOINTS } from '#contract/events'
import { area } from '../area.ts'
import { registerEventRoutes } from './event-routes.ts'
import { registerPixel } from './pixel-route.ts'

/** How long events are kept, days: thirteen months, so that a month can be compared with that of the year before. */
const KEPT_DAYS = 396
const DAY_MS = 86_400_000
/** Events that one housekeeping round removes. */
const PURGED_AT_ONCE = 50_000

export const events = area({
  name: 'events',
  summary: 'Events of visitors, by pixel or server, and the conversions that campaigns brought',
  endpoints: EVENT_ENDPOINTS,
  uses: ['accounts', 'db', 'facts', 'fingerprint', 'inbox', 'limits', 'security', 'store', 'tracked', 'whiteLabels'],
  tables: ['app.pixel_keys', 'app.tracked_days', 'app.tracked_events'],
  erase: { before: removeFromEvents },
  register(app, kit) {
    registerEventRoutes(app, kit)
    registerPixel(app, kit)
  },
  policies: async ({ tracked, inbox, facts, now }) => [
    countConversions({ log: tracked.log, inbox, facts }),
    confirmEvents({ log: tracked.log, inbox, facts, now }),
  ],
  housekeeping: ({ tracked, now }) =>
    tracked.reads.purge(new Date(Date.parse(now()) - KEPT_DAYS * DAY_MS).toISOString(), PURGED_AT_ONCE),
})
