import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { TrafficEntry } from '#domain/campaign/content/content'
import { biddingFaults } from '#domain/bidding/bidding-faults'
import { evaluateBid } from '#domain/bidding/evaluate'
import { factsOf, type BidRequest } from '#domain/bidding/impression'
import { comparisonsOf, createReplay, ENOUGH_IMPRESSIONS } from '#domain/bidding/replay'
import type { Fault } from '#domain/kit/errors'
import { equal } from '#domain/kit/json-changes'
import { explainBidding, replayBidding } from '#contract/bidding'
import type { CampaignInput } from '#contract/campaign-body'
import { authorize } from '#api/http/caller'
import type { Call } from '#api/http/call'
import { callerOf } from '#api/http/person'
import { register } from '#api/http/register'
import { refused } from '#commands/refused'
import type { BidSamples, SampledImpression } from '#platform/delivery/bid-samples'
import { readTraffic } from './patch.ts'
import type { Served } from '#api/areas/services'

/** Most comparisons of rules in one replay: about a quarter of a second. Longer lists of rules get a smaller sample. */
const MOST_COMPARISONS = 500_000
/** How long a replay works before other calls have their turn, milliseconds. */
const SLICE_MS = 10

type Sent = CampaignInput['traffic_targeting']

/** Tries bidding rules before they are saved (fine print 103). Reads alone: nothing is stored. */
export function registerRuleLab(
  app: FastifyInstance,
  deps: Served<'campaigns' | 'commands.campaigns'>,
  samples: BidSamples,
): void {
  const { guards } = deps

  /** The saved entries, and the place of the campaign. */
  async function savedOf(call: Call, id: string) {
    const place = await deps.campaigns.placeOf(id)
    authorize(callerOf(call).actor, 'owner-fields.read', place)
    const { head, revision } = await deps.commands.campaigns.load(id)
    return { saved: head.traffic_targeting, revision, whitelabelId: place.whitelabelId }
  }

  register(app, guards, explainBidding, async (call) => {
    const { traffic_targeting: sent, ...request } = call.body
    const { saved, revision } = await savedOf(call, call.params.id)
    return { revision, impressions: explained(unsavedEntries(sent, saved), request) }
  })

  register(app, guards, replayBidding, async (call) => {
    const { saved, revision, whitelabelId } = await savedOf(call, call.params.id)
    const unsaved = unsavedEntries(call.body.traffic_targeting, saved)
    const sample = affordable(await samples.newest(whitelabelId), comparisonsOf(saved) + comparisonsOf(unsaved))
    const [before, after] = [createReplay(saved), createReplay(unsaved)]
    let sliceEnd = performance.now() + SLICE_MS
    for (const { facts } of sample) {
      before.add(facts)
      after.add(facts)
      if (performance.now() < sliceEnd) continue
      await setImmediate()
      sliceEnd = performance.now() + SLICE_MS
    }
    return {
      revision,
      sample: {
        impressions: sample.length,
        oldest_at: sample.at(-1)?.at ?? null,
        newest_at: sample[0]?.at ?? null,
        enough: sample.length >= ENOUGH_IMPRESSIONS,
      },
      saved: before.sums(),
      unsaved: after.sums(),
    }
  })
}

/**
 * The entries that a save would store; the saved ones where none were sent. Throws the refusal of that save. As on save, entries that
 * stay as they are are not checked again.
 */
function unsavedEntries(sent: Sent, saved: readonly TrafficEntry[]): readonly TrafficEntry[] {
  if (sent === undefined) return saved
  const faults: Fault[] = []
  const entries = readTraffic(sent, faults)
  if (entries === null) throw refused(2, faults)
  if (equal(entries, saved)) return saved
  const found = biddingFaults(entries)
  if (found.length > 0) throw refused(2, found)
  return entries
}

/** The newest impressions that so many comparisons each leave time for, but always enough to say something. */
const affordable = (sample: readonly SampledImpression[], comparisons: number): readonly SampledImpression[] =>
  sample.slice(0, Math.max(ENOUGH_IMPRESSIONS, Math.floor(MOST_COMPARISONS / Math.max(1, comparisons))))

/** For each impression of the request: the entry that matches, and why the others do not. */
const explained = (all: readonly TrafficEntry[], request: BidRequest) =>
  request.imp.map((imp) => {
    const { entry, multiplier, entries } = evaluateBid(all, factsOf(request, imp))
    return {
      imp_id: imp.id,
      entry: entry?.id ?? null,
      multiplier,
      bids: multiplier > 0,
      entries: entries.map((one) => ({
        id: one.entry.id,
        name: one.entry.name,
        multiplier: one.entry.multiplier,
        rules: one.explained,
      })),
    }
  })
