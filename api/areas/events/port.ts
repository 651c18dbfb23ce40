import { MOST_CAMPAIGNS, type EventsPort, type HintedCampaign } from '#commands/events/events-port'
import { taggedCampaign } from '#domain/events/attribution'
import { approvedCampaigns, approvedIds } from '#projections/campaign/list/state-queries'
import { createClickDays } from '#commands/events/click-days'
import { createServedTimes } from '#commands/campaign/served-times'
import type { Needs } from '#api/areas/services'

/** States in memory at once: each may be a megabyte. */
const STATES_AT_ONCE = 50

type PortDeps = Needs<'db' | 'facts' | 'now' | 'store' | 'tracked'>

/** Answers commands about events from the campaign list, the facts and the log. */
export function createEventsPort({ db, facts, now, store, tracked }: PortDeps): EventsPort {
  const servedOf = createServedTimes(store)
  return {
    log: tracked.log,
    clickDays: createClickDays(facts, now),
    async campaigns(spaceId, hints) {
      const named = await tracked.campaignsNamed(spaceId, hints)
      const ids = await approvedIds(db, spaceId, [...new Set([...hints, ...named])], MOST_CAMPAIGNS + 1)
      if (ids.length > MOST_CAMPAIGNS) return null
      const found: HintedCampaign[] = []
      for (let at = 0; at < ids.length; at += STATES_AT_ONCE)
        for (const { state, version } of await approvedCampaigns(db, spaceId, ids.slice(at, at + STATES_AT_ONCE))) {
          const campaign = taggedCampaign(state)
          if (campaign !== null) found.push({ campaign, served: () => servedOf(campaign.id, version) })
        }
      return found
    },
  }
}
