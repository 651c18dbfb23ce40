import { addedQuery, withQuery } from '#domain/kit/addresses'
import { generatedTags, isGenerated } from './attribution.ts'
import { equal, type Json } from '#domain/kit/json-changes'
import type { Fault } from '#domain/kit/errors'
import { creativeIdsOf, holdsCreatives, withFileAddresses } from './creatives.ts'
import { complete, completeRecord, initialOf, type Fields } from '#domain/kit/fields'
import { CONTENT_FIELDS, DEFAULT_CONTENT, OWNER_KEYS, type Banner, type CampaignContent, type ContentKey } from './content.ts'
import { DYNAMIC_AD, NATIVE_AD, VIDEO_AD } from './fields/creatives.ts'
import { GOALS_BY_TYPE, sizeKeyOf, type CampaignType } from './options.ts'
import { readInstant } from './dates.ts'
import { fault } from '../saving/faults.ts'

/** Content as a caller sends it: any subset of the top-level keys; absent keeps, null clears (decisions G-242). */
export type Loose<T> = T extends readonly (infer U)[]
  ? readonly Loose<U>[]
  : T extends object
    ? { readonly [K in keyof T]?: Loose<T[K]> | null | undefined }
    : T
export type CampaignPatch = {
  readonly [K in Exclude<ContentKey, 'campaign_start_at' | 'campaign_end_at'>]?: Loose<CampaignContent[K]> | null | undefined
} & {
  readonly campaign_start_at?: string | number | null | undefined
  readonly campaign_end_at?: string | number | null | undefined
}

export type ShapeContext = {
  /** Without the right, owner fields from the caller are silently ignored (decisions G-241). */
  readonly mayWriteOwnerFields: boolean
  /** Offset of the country the patch or the content names; null when there is none yet. */
  readonly countryOffset: number | null
  /** Ids for creatives sent without one: at least as many as the patch has creatives. */
  readonly newIds: readonly string[]
  readonly now: string
}

const ADS = { dynamic_ad: DYNAMIC_AD, native_ad: NATIVE_AD, video_ad: VIDEO_AD } as const
type AdKey = keyof typeof ADS

/** The product address of audio campaigns (decisions G-047). */
const AUDIO_PRODUCT_URL = 'https://www.example.com'

type Shaped = { readonly content: CampaignContent; readonly faults: readonly Fault[] }

/**
 * Applies a patch to a content and shapes the result as every save does (campaigns.md §5, "Data shaping on save"). A save is
 * shaped before its decision and in it: the result is cached.
 */
export function shape(before: CampaignContent, patch: CampaignPatch, context: ShapeContext): Shaped {
  const known = shapings.get(patch)
  if (known !== undefined && known.before === before && sameContext(known, context)) return known.shaped
  const shaped = shapeUncached(before, patch, context)
  const { mayWriteOwnerFields, countryOffset, newIds, now } = context
  shapings.set(patch, { before, mayWriteOwnerFields, countryOffset, newIds, now, shaped })
  return shaped
}

type Shaping = ShapeContext & { readonly before: CampaignContent; readonly shaped: Shaped }
const shapings = new WeakMap<CampaignPatch, Shaping>()

const sameContext = (a: ShapeContext, b: ShapeContext): boolean =>
  a.mayWriteOwnerFields === b.mayWriteOwnerFields &&
  a.countryOffset === b.countryOffset &&
  a.newIds === b.newIds &&
  a.now === b.now

function shapeUncached(before: CampaignContent, patch: CampaignPatch, context: ShapeContext): Shaped {
  const faults: Fault[] = []
  const allowed = Object.fromEntries(
    Object.entries(patch).filter(([key, value]) => value !== undefined && isContentKey(key) && mayWrite(key, context)),
  )
  let next = { ...before, ...merged(allowed) }
  next = withZone(before, next, context)
  next = { ...next, ...datesOf(before, next, patch, faults) }
  next = withGoal(before, next)
  next = withTexts(next, 'name' in allowed)
  next = withTracking(before, next)
  next = withOwnerStamps(before, next, context.now)
  return { content: withCreativeIds(before, next, context.newIds), faults }
}

const ownerKeys: ReadonlySet<string> = new Set(OWNER_KEYS)
const isContentKey = (key: string): boolean => Object.hasOwn(DEFAULT_CONTENT, key) && key !== 'timezone_offset_seconds'
const mayWrite = (key: string, context: ShapeContext): boolean => context.mayWriteOwnerFields || !ownerKeys.has(key)

function merged(patch: Readonly<Record<string, unknown>>): Partial<CampaignContent> {
  const entries = Object.entries(patch).map(([key, value]) => [key, valueOf(key, value)])
  return Object.fromEntries(entries) as Partial<CampaignContent>
}

function valueOf(key: string, value: unknown): unknown {
  const read = readValue(key, value)
  return holdsCreatives(key) ? withFileAddresses(read as Json) : read
}

function readValue(key: string, value: unknown): unknown {
  if (isAdKey(key) && (value === null || isUntouched(key, value))) return null
  const whole = complete(CONTENT_FIELDS[key as ContentKey], value)
  return key === 'visuals' ? { banners: (whole as CampaignContent['visuals']).banners.map(withSizeKey) } : whole
}

const isAdKey = (key: string): key is AdKey => Object.hasOwn(ADS, key)

/** An enabled advertisement that holds only initial values was never written. */
const isUntouched = (key: AdKey, value: unknown): boolean =>
  typeof value === 'object' && equal(completeRecord<Fields>(ADS[key], value) as Json, initialOf<Fields>(ADS[key]) as Json)

const withSizeKey = (banner: Banner): Banner => ({ ...banner, type_key: 1, size_key: sizeKeyOf(banner.width, banner.height) })

/** The zone is copied from the country when it is set, and kept. A copy may name another country than its source. */
function withZone(before: CampaignContent, next: CampaignContent, context: ShapeContext): CampaignContent {
  const country = next.country === null ? null : countryCode(next.country)
  if (before.country !== null && before.country === country)
    return { ...next, country, timezone_offset_seconds: before.timezone_offset_seconds }
  return { ...next, country, timezone_offset_seconds: country === null ? null : context.countryOffset }
}

export const countryCode = (sent: string): string | null => sent.trim().toUpperCase() || null

function datesOf(before: CampaignContent, next: CampaignContent, patch: CampaignPatch, faults: Fault[]) {
  const read = (key: 'campaign_start_at' | 'campaign_end_at', edge: 'start' | 'end'): string | null => {
    const value = patch[key]
    if (value === undefined) return before[key]
    if (value === null || value === '') return null
    const instant = readInstant(value, edge, next.timezone_offset_seconds ?? 0)
    if (instant !== undefined) return instant
    faults.push(fault(key, 11, 'invalidDate'))
    return before[key]
  }
  return { campaign_start_at: read('campaign_start_at', 'start'), campaign_end_at: read('campaign_end_at', 'end') }
}

const GOAL_ALIASES: Readonly<Record<string, string>> = { VISIBILITY: 'ENHANCED_EXPOSURE', APP_PROMOTION: 'APP_INSTALLS' }

/** Goal names are parsed leniently; a type without a goal gets its default; data of other types is cleared. */
function withGoal(before: CampaignContent, content: CampaignContent): CampaignContent {
  const strategy = content.bidding_strategy
  const type = strategy.type === null ? null : strategy.type.trim().toLowerCase() || null
  const known = type !== null && Object.hasOwn(GOALS_BY_TYPE, type) ? GOALS_BY_TYPE[type as CampaignType] : null
  const written = strategy.goal === null ? null : strategy.goal.trim().toUpperCase().replaceAll(/[ -]/g, '_') || null
  const goal = written === null ? (known?.[0] ?? null) : (GOAL_ALIASES[written] ?? written)
  const empty = DEFAULT_CONTENT.bidding_strategy
  const audio = goal === 'AUDIO_ADVERTISING'
  const product = audio ? AUDIO_PRODUCT_URL : content.product_url
  const clicked = strategy.click_url?.trim() || null
  // A value filled from the product address follows it; the client's own value stays (fine print 43).
  const follows = clicked === null || clicked === before.product_url
  return {
    ...content,
    product_url: product,
    audio_ad_enabled: audio,
    targeting: audio ? { ...content.targeting, automaticTargeting: false } : content.targeting,
    targeting_on: audio || !content.targeting.automaticTargeting,
    bidding_strategy: {
      ...strategy,
      type,
      goal,
      click_url: follows ? product : clicked,
      app_promotion: type === 'consideration' ? strategy.app_promotion : empty.app_promotion,
      website_promotion: type === 'conversion' ? strategy.website_promotion : empty.website_promotion,
    },
  }
}

function withTexts(content: CampaignContent, renamed: boolean): CampaignContent {
  const trimmed = (text: string | null) => text?.trim() || null
  const underscored = <T extends { readonly creative_name: string | null }>(ad: T): T =>
    ad.creative_name === null || !/\s|^$/.test(ad.creative_name)
      ? ad
      : { ...ad, creative_name: ad.creative_name.trim().replaceAll(/\s/g, '_') || null }
  const colored = (color: string) => (color.startsWith('#') ? color : `#${color}`)
  const { targeting } = content
  return {
    ...content,
    name: renamed ? content.name.normalize('NFC').trim() : content.name,
    product_url: trimmed(content.product_url),
    telco_model: trimmed(content.telco_model),
    no_telco_model: trimmed(content.no_telco_model),
    dummy_models: trimmed(content.dummy_models),
    targeting: { ...targeting, ageRange: [targeting.fromAge, targeting.toAge] },
    placement: {
      ...content.placement,
      environment: content.placement.environment === 'all' ? null : content.placement.environment,
    },
    dynamic_ad: content.dynamic_ad && {
      ...underscored(content.dynamic_ad),
      call_to_action_color: colored(content.dynamic_ad.call_to_action_color),
    },
    native_ad: content.native_ad && underscored(content.native_ad),
    video_ad: content.video_ad && underscored(content.video_ad),
    visuals: { banners: content.visuals.banners.map(underscored) },
  }
}

/** Tags follow the product address until a user edits them; app-install and audio goals have none. */
function withTracking(before: CampaignContent, next: CampaignContent): CampaignContent {
  const goal = next.bidding_strategy.goal
  if (goal === 'APP_INSTALLS' || goal === 'AUDIO_ADVERTISING') return { ...next, attribution_tags: '' }
  const own =
    next.attribution_tags !== null && next.attribution_tags !== '' && !isGenerated(next.attribution_tags, before.product_url)
  if (!own) return { ...next, attribution_tags: generatedTags(next.product_url) }
  return { ...next, attribution_tags: movedTags(before, next) }
}

/** Tags written after the product address move with it. */
function movedTags(before: CampaignContent, { attribution_tags: tags, product_url: to }: CampaignContent): string | null {
  const from = before.product_url
  if (tags === null || tags !== before.attribution_tags || from === null || to === from) return tags
  const added = addedQuery(from, tags)
  if (added !== null) return withQuery(to ?? '', added)
  return tags.startsWith(from) ? `${to ?? ''}${tags.slice(from.length)}` : tags
}

/** Enabling verification stamps its date once; an existing date is kept. */
function withOwnerStamps(before: CampaignContent, next: CampaignContent, now: string): CampaignContent {
  const date = before.placard_tag_date ?? (next.placard_verified ? now : null)
  return { ...next, placard_tag_date: date }
}

/** A creative without id takes that of the stored one with the same file, or of the only one of the same kind (fine print 7). */
function withCreativeIds(before: CampaignContent, next: CampaignContent, newIds: readonly string[]): CampaignContent {
  const taken = new Set(creativeIdsOf(next).filter((id) => id !== ''))
  const fresh = newIds[Symbol.iterator]()
  const claim = (id: string | undefined): string => {
    const chosen = id !== undefined && id !== '' && !taken.has(id) ? id : (fresh.next().value ?? '')
    taken.add(chosen)
    return chosen
  }
  const single = <T extends { readonly id: string }>(ad: T | null, stored: T | null): T | null =>
    ad === null || ad.id !== '' ? ad : { ...ad, id: claim(stored?.id) }
  const listed = <T extends { readonly id: string }>(
    ads: readonly T[],
    stored: readonly T[],
    fileOf: (ad: T) => string,
  ): readonly T[] =>
    ads.map((ad) =>
      ad.id === '' ? { ...ad, id: claim(stored.find((old) => fileOf(old) === fileOf(ad) && !taken.has(old.id))?.id) } : ad,
    )
  return {
    ...next,
    dynamic_ad: single(next.dynamic_ad, before.dynamic_ad),
    native_ad: single(next.native_ad, before.native_ad),
    video_ad: single(next.video_ad, before.video_ad),
    audio_ads: listed(next.audio_ads, before.audio_ads, (ad) => ad.fileId),
    visuals: { banners: listed(next.visuals.banners, before.visuals.banners, (ad) => ad.file_id) },
  }
}
