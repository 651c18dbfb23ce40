import { own } from '#domain/kit/own'
import { equal, type Change, type Json } from '#domain/kit/json-changes'
import type { CampaignContent, CreativeKind } from '../content/content.ts'
import { creativesOf, sameMaterial, type Creative } from '../content/creatives.ts'

/**
 * The reviewed fields: a moderator must approve them before they serve (lifecycle.md "Two versions", fine print 8).
 * All other fields are free or the owner's.
 */
export const REVIEWED_PATHS = [
  'product_url',
  'campaign_type_key',
  'bidding_strategy.type',
  'bidding_strategy.goal',
  'bidding_strategy.click_url',
  'bidding_strategy.website_promotion.conversion_url',
  'bidding_strategy.app_promotion.bundle_id',
  'bidding_strategy.app_promotion.app_platform_type',
  'bidding_strategy.app_promotion.click_url',
  'bidding_strategy.app_promotion.tracking_url',
  'bidding_strategy.app_promotion.metadata',
] as const

/** Enabling a creative type is reviewed; disabling it is free. */
export const SWITCHES = ['native_ad_enabled', 'dynamic_ad_enabled', 'video_ad_enabled', 'audio_ad_enabled'] as const

/** Where creatives are in a campaign: what they show is reviewed. */
const CREATIVES = ['visuals', 'dynamic_ad', 'native_ad', 'video_ad', 'audio_ads']
const REVIEWED: readonly string[] = [...REVIEWED_PATHS, ...SWITCHES, ...CREATIVES]

/** True when a path of a campaign is reviewed, lies in something reviewed or contains it. List elements may be named: `audio_ads[id].name`. */
function isReviewedPath(path: string): boolean {
  const plain = path.replaceAll(/\[[^\]]*\]/g, '')
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}.`)
  return REVIEWED.some((known) => isWithin(plain, known) || isWithin(known, plain))
}

/** Whole creatives: an advertisement, or an element of a list of them. */
const WHOLE_CREATIVE = /^(?:(?:dynamic|native|video)_ad|(?:visuals\.banners|audio_ads)\[[^\]]*\])$/

/**
 * True for a change that waits for a moderator: one of something reviewed, but for a creative that goes away and a type that is
 * switched off, which `goesBeyond` allows too.
 */
export function isReviewedChange({ path, to }: Pick<Change, 'path' | 'to'>): boolean {
  if (!isReviewedPath(path)) return false
  if (to === false && SWITCHES.some((name) => name === path)) return false
  return !(to === null && WHOLE_CREATIVE.test(path))
}

/** A detached copy of the reviewed part of a content: what is submitted, approved or rejected. */
export type Reviewed = {
  readonly fields: Readonly<Record<string, Json>>
  readonly switches: Readonly<Record<(typeof SWITCHES)[number], boolean>>
  readonly creatives: Readonly<Record<string, Creative>>
}

const STEPS = REVIEWED_PATHS.map((path) => ({ path, keys: path.split('.') }))

function valueAt(content: CampaignContent, keys: readonly string[]): Json {
  let node: Json = content
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return null
    node = (node as { [k: string]: Json })[key] ?? null
  }
  return node
}

export function reviewedOf(content: CampaignContent): Reviewed {
  const fields: Record<string, Json> = {}
  for (const { path, keys } of STEPS) fields[path] = valueAt(content, keys)
  // Defined as an entry, not assigned: assigning `__proto__` would not create an entry.
  const creatives = Object.fromEntries(creativesOf(content).map((creative) => [creative.id, creative]))
  const { native_ad_enabled, dynamic_ad_enabled, video_ad_enabled, audio_ad_enabled } = content
  return { fields, switches: { native_ad_enabled, dynamic_ad_enabled, video_ad_enabled, audio_ad_enabled }, creatives }
}

const materialOf = (reviewed: Reviewed): Json =>
  Object.fromEntries(Object.entries(reviewed.creatives).map(([id, creative]) => [id, creative.material]))

/** Equal in every reviewed value, creatives added or removed included (fine print 36). */
export const sameReviewed = (a: Reviewed, b: Reviewed): boolean =>
  equal(a.fields, b.fields) && equal(a.switches, b.switches) && sameMaterial(materialOf(a), materialOf(b))

/** True when `head` holds a reviewed value or creative that `approved` does not; removals do not count. */
export const goesBeyond = (head: Reviewed, approved: Reviewed): boolean =>
  !equal(head.fields, approved.fields) ||
  SWITCHES.some((name) => head.switches[name] && !approved.switches[name]) ||
  Object.values(head.creatives).some(({ id, material }) => !sameMaterial(material, own(approved.creatives, id)?.material ?? null))

const SWITCH_OF: Readonly<Record<CreativeKind, (typeof SWITCHES)[number] | null>> = {
  native: 'native_ad_enabled',
  dynamic: 'dynamic_ad_enabled',
  video: 'video_ad_enabled',
  audio: 'audio_ad_enabled',
  banner: null,
}

/**
 * Served creatives: approved ones that are still in the head, of a type that is on now and was on when it was approved
 * (fine print 8).
 */
export function servedCreatives(head: CampaignContent, approved: Reviewed): readonly Creative[] {
  const all: Creative[] = []
  for (const { id } of creativesOf(head)) {
    const creative = own(approved.creatives, id)
    if (creative === undefined) continue
    const name = SWITCH_OF[creative.kind]
    if (name === null || (head[name] && approved.switches[name])) all.push(creative)
  }
  return all
}
