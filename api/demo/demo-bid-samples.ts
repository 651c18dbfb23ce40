import type { Wired } from '../areas/services.ts'
import { SAMPLE_SIZE, sampledFacts } from '#domain/bidding/sample'
import { EXCHANGES } from '#domain/campaign/content/options'
import { drawsOf, offerFrom } from '#domain/delivery/auction'
import type { BidSamples } from '#platform/delivery/bid-samples'
import { repeat } from '../process/repeat.ts'
import { createMarkets } from '../simulator/markets.ts'
import { DEMO_WHITELABEL } from './people.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The market of the demo's campaigns. */
const COUNTRY = 'EG'

/** A sample of simulated bid requests for the rule lab of the demo, renewed once a day. */
export function createDemoBidSamples({ logger, now, reference, stops }: Wired, samples: BidSamples) {
  /** Does nothing while the newest impression is from the last day. */
  async function renew(): Promise<void> {
    const [newest] = await samples.newest(DEMO_WHITELABEL)
    if (newest !== undefined && Date.parse(newest.at) > Date.now() - DAY_MS) return
    const { cities, apps } = await createMarkets(reference)(COUNTRY)
    const draw = drawsOf(`bid samples ${now().slice(0, 10)}`)
    const offering = { exchanges: EXCHANGES, places: cities.map((city) => ({ country: COUNTRY, ...city })), apps }
    const offers = Array.from({ length: SAMPLE_SIZE }, () => offerFrom(draw, offering))
    await samples.add(
      DEMO_WHITELABEL,
      offers.flatMap((offer) => (offer === null ? [] : sampledFacts(offer.request))),
    )
  }

  return {
    renew,
    start: (leads: () => Promise<boolean>) =>
      repeat({ logger, stops }, HOUR_MS, 'sampling of the demo', async () => {
        if (await leads()) await renew()
      }),
  }
}
