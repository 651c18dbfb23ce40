import { CONTENT_FIELDS, MONEY_KEYS } from '#domain/campaign/content/content'
import { BUDGET_TYPES, CAMPAIGN_FORMATS, DEVICE_TYPES, GENDERS, SIMILARITIES } from '#domain/campaign/content/options'
import { tabOf } from '#domain/campaign/saving/faults'
import { STATUS } from '#domain/campaign/status/status-keys'
import type { Field } from '#domain/kit/fields'
import { hasIdentity } from '#domain/kit/json-changes'
import type { TabKey } from '../form/form-tabs.ts'
import * as say from './values.ts'

/** Group of a log field: a tab of the form, or the state of the campaign. */
export type LogGroup = Exclude<TabKey, 'changeLog'> | 'state'

const { plain, money, oneOf, pictures, files, picture, labels, list, pixels, instant } = say

const apps = list((id, names) => names.app(id))
const appCategories = list((id, names) => names.appCategory(id))

/** The facts that a commit can change, beside the content. */
const STATE: Readonly<Record<string, say.Say>> = {
  status_key: oneOf('status:label', STATUS),
  intent: plain,
  archived: plain,
  review: oneOf('log:review'),
  need_moderation: plain,
  moderation_start_at: instant,
  moderation_rejected_at: instant,
  moderator_comment: plain,
  admin_comment: plain,
  approved_version: plain,
  exchange_decisions: say.verdict,
  flight: oneOf('log:flight'),
  day_budget: oneOf('log:budget'),
  total_budget: oneOf('log:budget'),
  funding: oneOf('log:funding'),
  suspended: plain,
  launched_at: instant,
  last_run_at: instant,
}

/** Content whose values are not formatted by their type alone. */
const FORMATS: Readonly<Record<string, say.Say>> = {
  country: say.country,
  timezone_offset_seconds: say.zone,
  campaign_start_at: say.day,
  campaign_end_at: say.day,
  budget_type_key: oneOf('log:budgetType', BUDGET_TYPES),
  campaign_type_key: oneOf('log:campaignFormat', CAMPAIGN_FORMATS),
  'bidding_strategy.type': oneOf('form:type'),
  'bidding_strategy.goal': oneOf('form:goals'),
  'bidding_strategy.website_promotion.url_type': oneOf('form:setup.urlTypes'),
  'bidding_strategy.website_promotion.optionCondition': oneOf('form:setup.conditions'),
  'bidding_strategy.app_promotion.app_platform_type': oneOf('form:platform'),
  'bidding_strategy.app_promotion.mmp': oneOf('form:mmps'),
  attribution: say.pairs(' = '),
  'targeting.gender': oneOf('targeting:genders', GENDERS),
  'targeting.ageRange': say.range,
  'targeting.target_languages': labels('targeting:language'),
  'targeting.connection_types': labels('targeting:connection'),
  'targeting.regions': labels('targeting:region'),
  'targeting.customer_attributes': labels('targeting:attribute'),
  'targeting.similarity': oneOf('targeting:similarities', SIMILARITIES),
  'targeting.city_ids': list((id, names) => names.city(id)),
  'dynamic_ad.titles': files,
  'dynamic_ad.descriptions': files,
  'dynamic_ad.images': pictures,
  'dynamic_ad.images.url': picture,
  'dynamic_ad.logos': pictures,
  'dynamic_ad.logos.url': picture,
  'visuals.banners': pictures,
  'visuals.banners.size_key': say.bannerSize,
  'visuals.banners.url': picture,
  'native_ad.images': pictures,
  'native_ad.logo': pictures,
  'native_ad.logo.url': picture,
  'native_ad.video': files,
  'native_ad.video.size': say.bytes,
  'video_ad.video': files,
  'video_ad.video.size': say.bytes,
  'video_ad.companion_banners': pictures,
  audio_ads: files,
  'audio_ads.size': say.megabytes,
  'placement.device_type_key': oneOf('placement:devices', DEVICE_TYPES),
  'placement.environment': oneOf('placement:environments'),
  'placement.languages': labels('placement:language'),
  'placement.included_apps': apps,
  'placement.excluded_apps': apps,
  'placement.included_app_category_ids': appCategories,
  'placement.excluded_app_category_ids': appCategories,
  'placement.excluded_game_category_ids': appCategories,
  campaign_category_keys: list((key, names) => names.category(key)),
  exchange_id: say.allWhenEmpty(labels('administration:exchange')),
  margin: say.percent,
  placard_tag_date: instant,
  slots: say.slots,
  bid_multipliers: say.pairs(' × '),
  traffic_targeting: say.entries,
}
/** Records whose parts are all formatted alike. */
const PARTS: Readonly<Record<string, say.Say>> = {
  'targeting.interests': list((id, names) => names.interest(id)),
  'targeting.apps': apps,
  'targeting.segment_audiences': list((id) => id),
  scheduling: say.hours,
}
/** Parts of fields that have no table. */
const INNER: Readonly<Record<string, say.Say>> = {
  'traffic_targeting.name': plain,
  'traffic_targeting.multiplier': plain,
  'traffic_targeting.rules.condition': oneOf('log:condition'),
  'traffic_targeting.rules.rules': say.rules,
}
const BY_NAME: Readonly<Record<string, say.Say>> = { width: pixels, height: pixels, duration: say.seconds }

type Format = readonly [path: string, say: say.Say]

/** A field and the parts that can change by themselves: those of records, and of lists whose elements have an identity. */
function formatsOf(path: string, { shape }: Field, as?: say.Say): readonly Format[] {
  const own = FORMATS[path]
  if (shape.kind === 'record') return [...(own === undefined ? [] : [[path, own] as const]), ...partsOf(path, shape.fields)]
  const name = path.slice(path.lastIndexOf('.') + 1)
  const whole: Format = [path, own ?? as ?? BY_NAME[name] ?? (isMoney(path) ? money : shape.kind === 'instant' ? instant : plain)]
  if (shape.kind !== 'list' || shape.item.shape.kind !== 'record' || !hasIdentity(path)) return [whole]
  const { id: _id, index: _index, ...parts } = shape.item.shape.fields
  return [whole, ...partsOf(path, parts)]
}
const partsOf = (path: string, fields: Readonly<Record<string, Field>>): readonly Format[] =>
  Object.entries(fields).flatMap(([key, field]) => formatsOf(`${path}.${key}`, field, PARTS[path]))
const isMoney = (path: string): boolean => MONEY_KEYS.some((key) => key === path)

const groupOf = (path: string): LogGroup => (path === 'targeting.city_ids' ? 'geography' : tabOf(path))
/** Numeric keys of an object are in the order of numbers; the week starts on Monday. */
const SUNDAY = 'scheduling.0'

const CONTENT: readonly Format[] = [
  ...Object.entries(CONTENT_FIELDS).flatMap(([key, field]) => formatsOf(key, field)),
  ...Object.entries(INNER),
].sort(([a], [b]) => Number(a === SUNDAY) - Number(b === SUNDAY))

/** Every field that can occur in the log, by path without element ids, with the function that formats its values. */
export const LOG_FIELDS: readonly { readonly path: string; readonly group: LogGroup; readonly say: say.Say }[] = [
  ...CONTENT.map(([path, said]) => ({ path, group: groupOf(path), say: said })),
  ...Object.entries(STATE).map(([path, said]) => ({ path, group: 'state' as const, say: said })),
]
