import { fileAddress } from './file-addresses.ts'
import { equal, isObject, type Change, type Json } from '#domain/kit/json-changes'
import type { Banner, CampaignContent, CreativeKind, DynamicAd, NativeAd, VideoAd, AudioAd } from './content.ts'

/** One advertisement of a campaign, of any kind: the unit of exchange decisions and moderation. */
export type Creative = {
  readonly id: string
  readonly kind: CreativeKind
  readonly name: string | null
  /** Its path in the content, for faults and the change log. */
  readonly path: string
  /** Text and media: all that a moderator reviews. The creative's name is a label and excluded. */
  readonly material: Json
}

/**
 * Valid ids of creatives. Ids are keys of decisions and steps in paths of changes, so they contain no path syntax and
 * never equal a property name that every object has.
 */
export const isCreativeId = (id: string): boolean => /^[\w-]{1,64}$/.test(id) && !(id in Object.prototype)

type Ad = DynamicAd | NativeAd | VideoAd | AudioAd | Banner

/** Cached results per advertisement: it never changes, and every save reads most of them again. */
const made = new WeakMap<Ad, Creative>()

function creative(kind: CreativeKind, path: string, ad: Ad): Creative {
  const known = made.get(ad)
  if (known !== undefined) return known
  const name = 'creative_name' in ad ? ad.creative_name : ad.name
  const material: Record<string, Json> = { kind }
  const parts: Record<string, Json> = ad
  for (const key in parts) if (key !== 'id' && key !== 'creative_name' && key !== 'isManual') material[key] = parts[key] ?? null
  const result = { id: ad.id, kind, name, path, material }
  made.set(ad, result)
  return result
}

/** All creatives of a content, enabled or not. */
export function creativesOf(content: CampaignContent): readonly Creative[] {
  const { dynamic_ad: responsive, native_ad: native, video_ad: film } = content
  const all: Creative[] = []
  if (responsive) all.push(creative('dynamic', 'dynamic_ad', responsive))
  if (native) all.push(creative('native', 'native_ad', native))
  if (film) all.push(creative('video', 'video_ad', film))
  for (const ad of content.audio_ads) all.push(creative('audio', `audio_ads[${ad.id}]`, ad))
  for (const ad of content.visuals.banners) all.push(creative('banner', `visuals.banners[${ad.id}]`, ad))
  return all
}

/** The ids of all creatives of a content; `''` for creatives without one yet. */
export function creativeIdsOf({ dynamic_ad, native_ad, video_ad, audio_ads, visuals }: CampaignContent): readonly string[] {
  const single = [dynamic_ad, native_ad, video_ad].flatMap((ad) => (ad ? [ad.id] : []))
  return [...single, ...audio_ads.map(({ id }) => id), ...visuals.banners.map(({ id }) => id)]
}

/**
 * The same value with every file address derived from the file's id, at any depth: a creative's `url` is read-only, so addresses
 * sent by clients or stored in old events are never shown (fine print 41). Without a file the address is null.
 */
export function withFileAddresses(value: Json): Json {
  if (Array.isArray(value)) return value.map(withFileAddresses)
  if (!isObject(value)) return value
  const mapped = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withFileAddresses(part)]))
  if (!('url' in mapped)) return mapped
  const id = mapped['file_id'] ?? mapped['fileId']
  return { ...mapped, url: typeof id === 'string' && id !== '' ? fileAddress(id) : null }
}

/** Keys of the content that hold creatives. */
export const CREATIVE_KEYS = ['dynamic_ad', 'native_ad', 'video_ad', 'audio_ads', 'visuals'] as const
const creativeKeys: ReadonlySet<string> = new Set(CREATIVE_KEYS)

/** True for a key of the content under which every `url` is the address of a file. */
export const holdsCreatives = (key: string): boolean => creativeKeys.has(key)

/** A recorded file address as it may be shown: old events can hold any text from a client, which reads as null. */
const shownAddress = (address: Json): Json =>
  typeof address === 'string' && /^\/v1\/file\/cache\/[\w-]+$/.test(address) ? address : null

/**
 * A recorded change as it may be shown: file addresses are derived, or null where an old event holds a foreign one. Null when
 * nothing remains.
 */
export function shownChange({ path, from, to }: Change): Change | null {
  if (!holdsCreatives(path.split(/[.[]/, 1)[0] ?? '')) return { path, from, to }
  if (!path.endsWith('.url')) return { path, from: withFileAddresses(from), to: withFileAddresses(to) }
  const shown = { path, from: shownAddress(from), to: shownAddress(to) }
  return shown.from === shown.to ? null : shown
}

/** Equal in everything that a moderator reviews. Addresses follow from file ids and are ignored. */
export const sameMaterial = (a: Json, b: Json): boolean => equal(a, b) || equal(withoutAddresses(a), withoutAddresses(b))

function withoutAddresses(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => (key === 'url' ? [] : [[key, withoutAddresses(part)]])),
  )
}

/** Where a creative uses a file; determines the rules for the file. */
export type FileRole =
  | 'banner'
  | 'track'
  | 'dynamicImage'
  | 'dynamicLogo'
  | 'nativeImage'
  | 'nativeLogo'
  | 'nativeVideo'
  | 'video'
  | 'companion'

/** `width` and `height` are the creative's required size, in pixels; null where the role alone decides. */
export type FileUse = {
  readonly role: FileRole
  readonly path: string
  readonly id: string
  readonly width: number | null
  readonly height: number | null
}

/** The ids of the files that the creatives of a content refer to, each once. */
export const fileIdsOf = (content: CampaignContent): readonly string[] => [...new Set(filesOf(content).map(({ id }) => id))]

type Sized = { readonly width: number; readonly height: number }

/** Every stored file that the creatives of a content refer to, with the path that names it. */
export function filesOf(content: CampaignContent): readonly FileUse[] {
  const { dynamic_ad: responsive, native_ad: native, video_ad: film } = content
  const uses: FileUse[] = []
  const refer = (role: FileRole, path: string, id: string | null | undefined, size: Sized | null = null) => {
    if (id) uses.push({ role, path, id, width: size?.width ?? null, height: size?.height ?? null })
  }
  content.visuals.banners.forEach((banner, i) => refer('banner', `visuals.banners[${i}].file_id`, banner.file_id, banner))
  content.audio_ads.forEach((track, i) => refer('track', `audio_ads[${i}].fileId`, track.fileId))
  responsive?.images.forEach((image, i) => refer('dynamicImage', `dynamic_ad.images[${i}].file_id`, image.file_id))
  responsive?.logos.forEach((image, i) => refer('dynamicLogo', `dynamic_ad.logos[${i}].file_id`, image.file_id))
  native?.images.forEach((image, i) => refer('nativeImage', `native_ad.images[${i}].file_id`, image.file_id, image))
  refer('nativeLogo', 'native_ad.logo.file_id', native?.logo?.file_id)
  refer('nativeVideo', 'native_ad.video.fileId', native?.video?.fileId)
  refer('video', 'video_ad.video.file_id', film?.video?.file_id)
  film?.companion_banners.forEach((image, i) => refer('companion', `video_ad.companion_banners[${i}].file_id`, image.file_id))
  return uses
}
