import { SMALLEST_SERVED } from '#domain/audience/audience'
import { biddingFaults } from '#domain/bidding/bidding-faults'
import { parameterNames } from '#domain/kit/addresses'
import type { Fault } from '#domain/kit/errors'
import { fromMicros } from '#domain/kit/money'
import { type CampaignContent } from '../content/content.ts'
import { BANNER_SIZES, GOALS_BY_TYPE, type CampaignType } from '../content/options.ts'
import { allowedValues } from '../content/allowed-values.ts'
import { creativesOf } from '../content/creatives.ts'
import { dateRules } from '../content/date-rules.ts'
import { isAddress, isAttributionTemplate, isPublicAddress } from '../content/destinations.ts'
import { fault } from './faults.ts'
import { mediaFaults } from '../content/media-rules.ts'
import { targetingRules } from '../content/targeting-rules.ts'
import { isShownName } from '#domain/kit/validators'
import type { Rule, SaveContext } from './save-context.ts'

/** All rules of a save; all are run, so that a caller sees every fault at once. */
export function saveFaults(content: CampaignContent, context: SaveContext): readonly Fault[] {
  const faults: Fault[] = []
  const report = (found: Fault) => void faults.push(found)
  for (const rule of RULES) rule(content, context, report)
  return faults
}

const mandatory: Rule = ({ name, country, bidding_strategy }, _, report) => {
  if (name === '') report(fault('name', 1301, 'required'))
  if (country === null) report(fault('country', 1301, 'required'))
  if (bidding_strategy.type === null) report(fault('bidding_strategy.type', 1301, 'required'))
}

const identity: Rule = ({ name, country }, { before, nameTaken, countryKnown }, report) => {
  if (name !== before?.name && !isShownName(name)) report(fault('name', 2, 'shownName'))
  if (name.length > 300) report(fault('name', 2, 'maxLength', { max: 300 }))
  if (nameTaken) report(fault('name', 1312, 'nameTaken'))
  if (before !== null && before.country !== null && country !== before.country) report(fault('country', 2, 'countryFixed'))
  if (country !== null && !countryKnown) report(fault('country', 2, 'countryUnknown'))
}

const strategy: Rule = ({ bidding_strategy: { type, goal, website_promotion: site } }, _, report) => {
  const goals = type !== null && Object.hasOwn(GOALS_BY_TYPE, type) ? GOALS_BY_TYPE[type as CampaignType] : null
  if (goals !== null && goal !== null && !(goals as readonly string[]).includes(goal))
    report(fault('bidding_strategy.goal', 2, 'notAllowed'))
  if (site.secondary_events.length > 4)
    report(fault('bidding_strategy.website_promotion.secondary_events', 2, 'tooMany', { max: 4 }))
}

const UTM = /^utm_(source|medium|campaign)$/i
const links: Rule = ({ bidding_strategy, product_url, impression_url, attribution_tags }, _, report) => {
  const { click_url, website_promotion: site, app_promotion: app } = bidding_strategy
  const destination = (path: string, url: string | null) => {
    if (url === null) return
    if (!isAddress(url, false)) report(fault(path, 2, 'url'))
    else if (!isPublicAddress(url)) report(fault(path, 2, 'publicUrl'))
  }
  const landing = (path: string, url: string | null) => {
    destination(path, url)
    if (url !== null && parameterNames(url).some((name) => UTM.test(name))) report(fault(path, 2, 'utm'))
  }
  const tracker = (path: string, url: string | null) => {
    if (url !== null && !isAddress(url, true)) report(fault(path, 1313, 'httpsUrl'))
    else destination(path, url)
  }
  landing('product_url', product_url)
  // click_url is filled from product_url, so the same mistake is reported once.
  if (click_url !== product_url) landing('bidding_strategy.click_url', click_url)
  destination('bidding_strategy.app_promotion.click_url', app.click_url)
  tracker('bidding_strategy.website_promotion.conversion_url', site.conversion_url)
  tracker('bidding_strategy.app_promotion.tracking_url', app.tracking_url)
  tracker('impression_url', impression_url)
  if (attribution_tags && !isAttributionTemplate(attribution_tags, product_url))
    report(fault('attribution_tags', 2, 'attributionTags'))
}

const budget: Rule = (content, { before, launched, strict, baseBid }, report) => {
  const { budget: amount, budget_type_key, manual_cpx, user_cpx } = content
  const bid = manual_cpx ? user_cpx : content.cpx
  if (budget_type_key !== 1 && budget_type_key !== 2) report(fault('budget_type_key', 1307, 'budgetType'))
  if (launched && before !== null && before.budget_type_key !== budget_type_key)
    report(fault('budget_type_key', 1307, 'budgetType'))
  if (amount !== null && (amount < 0 || (strict && amount === 0))) report(fault('budget', 2, 'positiveBudget'))
  if (user_cpx !== null && user_cpx <= -1_000_000) report(fault('user_cpx', 2, 'numeric'))
  if (!strict || bid === null) return
  if (bid <= baseBid) report(fault(manual_cpx ? 'user_cpx' : 'cpx', 1308, 'baseBid', { min: fromMicros(baseBid) }))
  if (amount !== null && amount > 0 && amount < bid)
    report(manual_cpx ? fault('budget', 1309, 'budgetBelowBid') : fault('budget', 1302, 'budgetBelowCpx'))
}

const CAPS = ['1', '2', '3'] as const
const caps: Rule = ({ frequency_cap }, _, report) => {
  let before: number | null = null
  let rising = true
  for (const key of CAPS) {
    const cap = frequency_cap[key]
    if (cap !== null && (!Number.isInteger(cap) || cap < 0)) report(fault(`frequency_cap.${key}`, 2, 'positiveNumber'))
    if (cap === null || cap === 0) continue
    if (before !== null && !(cap > before)) rising = false
    before = cap
  }
  if (!rising) report(fault('frequency_cap', 1315, 'caps'))
}

const PRICES = ['cpm', 'cpx', 'fixed_cpm'] as const
const administration: Rule = (content, { maxMargin }, report) => {
  const { margin, fixed_cpm, t, test_devices, slots } = content
  if (margin !== null && (!Number.isInteger(margin) || margin < 0 || margin > maxMargin))
    report(fault('margin', 2, 'margin', { max: maxMargin }))
  if (margin !== null && fixed_cpm !== null) {
    report(fault('margin', 2, 'fixedCpmBeforeMargin'))
    report(fault('fixed_cpm', 2, 'marginBeforeFixedCpm'))
  }
  if (t !== null && t < 0) report(fault('t', 2, 'positiveNumber'))
  for (const key of PRICES) if ((content[key] ?? 0) < 0) report(fault(key, 2, 'positiveNumber'))
  if (test_devices.length > 10) report(fault('test_devices', 2, 'tooMany', { max: 10 }))
  if (slots.length !== 12 || slots.some((slot) => slot !== 0 && slot !== 1)) report(fault('slots', 2, 'notAllowed'))
}

/** UTF-8 length, as the creative limits count (campaigns.md §5). */
export const byteLength = (text: string): number =>
  [...text].reduce((sum, char) => {
    const code = char.codePointAt(0) ?? 0
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
  }, 0)

const texts: Rule = ({ dynamic_ad: responsive, native_ad: native, video_ad: video }, _, report) => {
  const within = (path: string, text: string | null, max: number) => {
    // No character takes more than three bytes of UTF-8 for each of its units.
    if (text !== null && text.length * 3 > max && byteLength(text) > max) report(fault(path, 2, 'maxBytes', { max }))
  }
  if (responsive) {
    within('dynamic_ad.call_to_action', responsive.call_to_action, 12)
    within('dynamic_ad.company_name', responsive.company_name, 10)
    for (const { index, value } of responsive.titles) within(`dynamic_ad.titles[${index}]`, value, 30)
    for (const { index, value } of responsive.descriptions) within(`dynamic_ad.descriptions[${index}]`, value, 50)
    if (responsive.images.length > 1) report(fault('dynamic_ad.images', 2, 'tooMany', { max: 1 }))
    if (responsive.logos.length > 1) report(fault('dynamic_ad.logos', 2, 'tooMany', { max: 1 }))
  }
  if (native) {
    within('native_ad.advertiser', native.advertiser, 25)
    within('native_ad.call_to_action', native.call_to_action, 15)
    within('native_ad.body', native.body, 90)
    within('native_ad.headline', native.headline, 25)
    if (native.star_rating < 1 || native.star_rating > 5)
      report(fault('native_ad.star_rating', 2, 'outOfRange', { min: 1, max: 5 }))
  }
  if (video) {
    within('video_ad.headline', video.headline, 25)
    within('video_ad.long_headline', video.long_headline, 90)
    within('video_ad.cta', video.cta, 15)
  }
}

const CREATIVE_NAME = /^[\w.-]+$/
const creatives: Rule = (content, { references }, report) => {
  const all = creativesOf(content)
  for (const { kind, name, path } of all) {
    if (kind === 'audio' || name === null) continue
    if (name.length > 75) report(fault(`${path}.creative_name`, 2, 'creativeNameLength'))
    if (!CREATIVE_NAME.test(name)) report(fault(`${path}.creative_name`, 2, 'creativeNamePattern'))
  }
  if (new Set(all.map(({ id }) => id)).size !== all.length) report(fault('visuals.banners', 2, 'duplicateId'))
  content.visuals.banners.forEach((banner, i) => {
    if (!BANNER_SIZES.some(({ width, height }) => width === banner.width && height === banner.height))
      report(fault(`visuals.banners[${i}]`, 2, 'bannerSize'))
  })
  if (content.audio_ads.length > 5) report(fault('audio_ads', 2, 'tooMany', { max: 5 }))
  for (const found of mediaFaults(content, references)) report(found)
}

const app: Rule = (content, { before, approvedOnce, references }, report) => {
  const next = content.bidding_strategy.app_promotion
  const old = before?.bidding_strategy.app_promotion
  const changed = old !== undefined && (old.bundle_id !== next.bundle_id || old.app_platform_type !== next.app_platform_type)
  if (approvedOnce && changed) report(fault('bidding_strategy.app_promotion.bundle_id', 1310, 'appFixed'))
  if (!references.appKnown) report(fault('bidding_strategy.app_promotion.bundle_id', 1311, 'appUnknown'))
}

const targets: Rule = (_, { references, strict }, report) => {
  for (const path of references.unknownTargets) report(fault(path, 131, 'targetUnknown'))
  if (strict && references.smallAudiences)
    report(fault('targeting.segment_audiences', 135, 'audienceSmall', { min: SMALLEST_SERVED }))
}

/** Entries stored before rules were checked are validated when they change. */
const bidding: Rule = ({ traffic_targeting: entries }, { before }, report) => {
  if (entries === before?.traffic_targeting) return
  for (const found of biddingFaults(entries)) report(found)
}

const RULES: readonly Rule[] = [
  bidding,
  mandatory,
  identity,
  strategy,
  links,
  dateRules,
  budget,
  caps,
  administration,
  allowedValues,
  targetingRules,
  texts,
  creatives,
  app,
  targets,
]
