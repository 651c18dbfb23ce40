import type { EventsPort } from '../../../commands/events/events-port.ts'
import { approvedCampaigns } from '../../../projections/campaign-list/state-queries.ts'
import { createServedTimes } from '../../kit/campaigns/served-times.ts'
import type { Kit } from '../../kit/kit.ts'

/** Answers commands about events from the campaign list and the log. */
export function createEventsPort({ db, store, tracked }: Pick<Kit, 'db' | 'store' | 'tracked'>): EventsPort {
  const servedOf = createServedTimes(store)
  return {
    log: tracked.log,
    async campaigns(spaceId, hints) {
      const named = await tracked.campaignsNamed(spaceId, hints)
      const found = await approvedCampaigns(db, spaceId, [...new Set([...hints, ...named])])
      return found.map(({ state, version }) => ({ state, served: () => servedOf(state.id, version) }))
    },
  }
}
