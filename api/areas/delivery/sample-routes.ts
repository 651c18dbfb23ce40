import type { FastifyInstance } from 'fastify'
import { sampledFacts } from '#domain/bidding/sample'
import { deliverySample } from '#contract/delivery'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import type { BidSamples } from '#platform/delivery/bid-samples'
import type { Served } from '#api/areas/services'

/** Bid requests that bidders sample for the rule lab (fine print 103). */
export function registerSampleRoutes(app: FastifyInstance, { guards }: Served<never>, samples: BidSamples): void {
  register(app, guards, deliverySample, async (call) => {
    if (call.identity.kind !== 'service') throw refused(3)
    const impressions = call.body.requests.flatMap(sampledFacts)
    await samples.add(call.identity.credential?.whitelabelId ?? null, impressions)
    return { impressions: impressions.length }
  })
}
