import {
  described,
  flag,
  integer,
  list,
  number,
  oneOf,
  optionalInteger,
  optionalNumber,
  optionalRecord,
  optionalText,
  record,
  required,
  text,
  withAliases,
  type ValuesOf,
} from '#domain/kit/fields'
import { BANNER_SIZES } from '../options.ts'

const id = described(
  text('', { max: 64 }),
  'Letters, digits, dashes and underscores; any other text counts as none, and a new id is given.',
)

const indexed = record({ index: required(integer(0)), value: required(text('')) })

const indexedImage = record({ index: required(integer(0)), file_id: required(text('')), url: optionalText() })

const SIZED_IMAGE = {
  width: required(integer(0)),
  height: required(integer(0)),
  file_id: optionalText(),
  url: optionalText(),
}
const sizedImages = list(record(SIZED_IMAGE), { max: 50 })

/** The tab "Responsive ads". */
export const DYNAMIC_AD = {
  id,
  creative_name: optionalText(),
  titles: list(indexed, { max: 50 }),
  descriptions: list(indexed, { max: 50 }),
  call_to_action: optionalText(),
  /** With a leading #. */
  call_to_action_color: text('#65abf6', { pattern: /^#?[0-9a-fA-F]{6}$/ }),
  company_name: optionalText(),
  images: list(indexedImage, { max: 50 }),
  logos: list(indexedImage, { max: 50 }),
  isManual: flag(false),
}
export type DynamicAd = ValuesOf<typeof DYNAMIC_AD>

const NATIVE_VIDEO = {
  url: optionalText(),
  fileId: optionalText(),
  filename: optionalText(),
  size: optionalNumber(),
  /** Seconds. */
  duration: optionalNumber(),
}

/** The tab "Native ads". */
export const NATIVE_AD = {
  id,
  creative_name: optionalText(),
  headline: optionalText(),
  body: optionalText(),
  call_to_action: optionalText(),
  advertiser: optionalText(),
  star_rating: number(5),
  /** Text, as the specification has it. */
  price: text('0'),
  images: sizedImages,
  logo: optionalRecord(SIZED_IMAGE),
  video: withAliases(optionalRecord(NATIVE_VIDEO), { file_id: optionalText() }),
}
export type NativeAd = ValuesOf<typeof NATIVE_AD>

const VIDEO = {
  file_id: optionalText(),
  name: optionalText(),
  url: optionalText(),
  size: optionalNumber(),
  duration: optionalNumber(),
  width: optionalNumber(),
  height: optionalNumber(),
}

/** The tab "Video ads". */
export const VIDEO_AD = {
  id,
  creative_name: optionalText(),
  headline: optionalText(),
  long_headline: optionalText(),
  cta: optionalText(),
  video: withAliases(optionalRecord(VIDEO), { fileId: optionalText() }),
  companion_banners: sizedImages,
}
export type VideoAd = ValuesOf<typeof VIDEO_AD>

/** The tab "Tracks". */
export const AUDIO_AD = {
  id,
  fileId: text(''),
  name: optionalText(),
  url: optionalText(),
  /** Megabytes. */
  size: optionalNumber(),
  extension: optionalText(),
}
export type AudioAd = ValuesOf<typeof AUDIO_AD>

/** The tab "Banner ads". */
export const BANNER = {
  id,
  width: required(integer(0)),
  height: required(integer(0)),
  file_id: required(text('')),
  url: optionalText(),
  creative_name: optionalText(),
  type_key: oneOf(integer(1), [1]),
  size_key: oneOf(
    optionalInteger(),
    BANNER_SIZES.map(({ key }) => key),
  ),
}
export type Banner = ValuesOf<typeof BANNER>

/** Alternative names under which callers may send a field (decisions G-013, G-149). */
const CTA = { cta: optionalText() }
const CALL_TO_ACTION = { call_to_action: optionalText() }
const FILE_ID = { file_id: optionalText() }

/** The creatives of a campaign (campaigns.md §3 and §5). */
export const CREATIVES = {
  native_ad_enabled: flag(false),
  dynamic_ad_enabled: flag(false),
  video_ad_enabled: flag(false),
  audio_ad_enabled: flag(false),
  dynamic_ad: withAliases(optionalRecord(DYNAMIC_AD), CTA),
  native_ad: withAliases(optionalRecord(NATIVE_AD), CTA),
  video_ad: withAliases(optionalRecord(VIDEO_AD), CALL_TO_ACTION),
  audio_ads: list(withAliases(record(AUDIO_AD), FILE_ID), { max: 1000 }),
  visuals: record({ banners: list(record(BANNER), { max: 1000 }) }),
}
