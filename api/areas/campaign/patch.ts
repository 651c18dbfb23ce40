import type { CampaignPatch } from '#domain/campaign/content/shape'
import type { TrafficEntry } from '#domain/campaign/content/content'
import { isCreativeId } from '#domain/campaign/content/creatives'
import { MONEY_KEYS } from '#domain/campaign/content/content'
import { tabOf } from '#domain/campaign/saving/faults'
import type { Fault } from '#domain/kit/errors'
import { unitsFault, type SentenceKey } from '#domain/kit/faults'
import { toMicros } from '#domain/kit/money'
import { trafficEntry, type CampaignInput } from '#contract/campaign-body'
import { z } from '#contract/zod'
import { nestsDeeperThan } from '#api/http/json-body'
import { withoutAliases } from './aliases.ts'

/** A save in the domain's terms: money in micros, bidding entries as a list. */
export type ReadPatch = { readonly patch: CampaignPatch; readonly faults: readonly Fault[] }

/** The specification's sentences for amounts below zero, where a field has its own. */
const NEGATIVE: Partial<Record<(typeof MONEY_KEYS)[number], SentenceKey>> = { budget: 'positiveBudget', user_cpx: 'numeric' }

export function readPatch(sent: CampaignInput): ReadPatch {
  const faults: Fault[] = []
  const input = withPlainIds(withoutAliases(sent))
  const { id: _id, space_id: _space, replicated_from: _source, revision: _revision, traffic_targeting, ...rest } = input
  const money: Record<string, number | null> = {}
  for (const key of MONEY_KEYS) {
    const units = rest[key]
    if (units === undefined) continue
    const micros = units === null ? null : toMicros(units)
    if (units !== null && micros === null) faults.push(unitsFault(key, units, NEGATIVE[key]))
    else money[key] = micros
  }
  const traffic = traffic_targeting === undefined ? {} : { traffic_targeting: readTraffic(traffic_targeting, faults) }
  return { patch: { ...(rest as CampaignPatch), ...money, ...traffic }, faults }
}

const entries = z.compile(z.array(trafficEntry).check(z.maxLength(1000)))

/** JSON text, or the list itself (decisions G-157); a negative multiplier is stored as 0 (decisions G-156). */
export function readTraffic(value: CampaignInput['traffic_targeting'], faults: Fault[]): readonly TrafficEntry[] | null {
  if (value === null || value === undefined || value === '') return []
  const parsed = entries.safeParse(typeof value === 'string' ? readJson(value) : value)
  if (!parsed.success) {
    faults.push({
      path: 'traffic_targeting',
      code: 2,
      message: 'traffic_targeting must be a JSON list of entries',
      tab: tabOf('traffic_targeting'),
    })
    return null
  }
  return parsed.data.map((entry) => ({ ...entry, multiplier: Math.max(0, entry.multiplier) }))
}

/** Groups nested too deep are refused by path; text nested deeper than this is not parsed as a list of entries. */
const MOST_LEVELS = 1000

function readJson(text: string): unknown {
  if (nestsDeeperThan(MOST_LEVELS, text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Identified = { readonly id?: string | null | undefined }
const hasId = ({ id }: Identified): boolean => typeof id === 'string' && isCreativeId(id)

/** An invalid creative id counts as missing, so the creative gets a new one (fine print 7). */
function withPlainIds(input: CampaignInput): CampaignInput {
  const plain = <T extends Identified>(ad: T): T => (hasId(ad) ? ad : { ...ad, id: null })
  const { dynamic_ad, native_ad, video_ad, audio_ads, visuals } = input
  return {
    ...input,
    ...(dynamic_ad ? { dynamic_ad: plain(dynamic_ad) } : {}),
    ...(native_ad ? { native_ad: plain(native_ad) } : {}),
    ...(video_ad ? { video_ad: plain(video_ad) } : {}),
    ...(audio_ads ? { audio_ads: audio_ads.map(plain) } : {}),
    ...(visuals?.banners ? { visuals: { banners: visuals.banners.map(plain) } } : {}),
  }
}

/** Enough new ids for the body: one for every creative without one. */
export function missingIds({ dynamic_ad, native_ad, video_ad, audio_ads, visuals }: CampaignInput): number {
  const ads = [dynamic_ad, native_ad, video_ad, ...(audio_ads ?? []), ...(visuals?.banners ?? [])]
  return ads.filter((ad) => ad && !hasId(ad)).length
}
