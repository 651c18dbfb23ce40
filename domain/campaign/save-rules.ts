import { biddingFaults } from '../bidding/bidding-faults.ts'
import type { Fault } from '../errors.ts'
import { fromMicros } from '../money.ts'
import { type CampaignContent } from './content.ts'
import { BANNER_SIZES, EXCHANGES, GOALS_BY_TYPE, type CampaignType } from './options.ts'
import { creativesOf } from './creatives.ts'
import { localDay } from './dates.ts'
import { fault } from './faults.ts'
import { mediaFaults } from './media-rules.ts'
import { targetingRules } from './targeting-rules.ts'
import { when, type RuleOf, type SaveContext } from './save-context.ts'

/** All rules of a save; every one is asked, so that a caller sees every fault at once. */
export const saveFaults = (content: CampaignContent, context: SaveContext): readonly Fault[] =>
  RULES.flatMap((rule) => rule(content, context)).filter((found): found is Fault => found !== null)

const mandatory: RuleOf = (content) => [
  when(content.name === '', () => fault('name', 1301, 'required')),
  when(content.country === null, () => fault('country', 1301, 'required')),
  when(content.bidding_strategy.type === null, () => fault('bidding_strategy.type', 1301, 'required')),
]

const identity: RuleOf = (content, context) => [
  when(content.name.length > 300, () => fault('name', 2, 'maxLength', { max: 300 })),
  when(context.nameTaken, () => fault('name', 1312, 'nameTaken')),
  when(context.before?.country !== null && context.before !== null && content.country !== context.before.country, () =>
    fault('country', 2, 'countryFixed'),
  ),
  when(content.country !== null && !context.countryKnown, () => fault('country', 2, 'countryUnknown')),
]

const strategy: RuleOf = (content) => {
  const { type, goal, website_promotion: site } = content.bidding_strategy
  const goals = type !== null && Object.hasOwn(GOALS_BY_TYPE, type) ? GOALS_BY_TYPE[type as CampaignType] : null
  return [
    when(type !== null && goals === null, () => fault('bidding_strategy.type', 2, 'notAllowed')),
    when(goals !== null && goal !== null && !(goals as readonly string[]).includes(goal), () =>
      fault('bidding_strategy.goal', 2, 'notAllowed'),
    ),
    when(site.secondary_events.length > 4, () =>
      fault('bidding_strategy.website_promotion.secondary_events', 2, 'tooMany', { max: 4 }),
    ),
    when(!['conversion', 'parameter'].includes(site.url_type), () =>
      fault('bidding_strategy.website_promotion.url_type', 2, 'notAllowed'),
    ),
    when(!['contains', 'does_not_contain'].includes(site.optionCondition), () =>
      fault('bidding_strategy.website_promotion.optionCondition', 2, 'notAllowed'),
    ),
  ]
}

const UTM = /(^|[?&;])utm_(source|medium|campaign)=/i
const links: RuleOf = (content) => {
  const { click_url, website_promotion: site, app_promotion: app } = content.bidding_strategy
  // click_url is filled from product_url, so the same mistake is told once.
  const own = click_url === content.product_url ? null : click_url
  return [
    ...[['product_url', content.product_url] as const, ['bidding_strategy.click_url', own] as const].flatMap(([path, url]) => [
      when(url !== null && !isUrl(url, false), () => fault(path, 2, 'url')),
      when(url !== null && UTM.test(url), () => fault(path, 2, 'utm')),
    ]),
    when(app.click_url !== null && !isUrl(app.click_url, false), () =>
      fault('bidding_strategy.app_promotion.click_url', 2, 'url'),
    ),
    ...[
      ['bidding_strategy.website_promotion.conversion_url', site.conversion_url] as const,
      ['bidding_strategy.app_promotion.tracking_url', app.tracking_url] as const,
      ['impression_url', content.impression_url] as const,
    ].map(([path, url]) => when(url !== null && !isUrl(url, true), () => fault(path, 1313, 'httpsUrl'))),
  ]
}

function isUrl(text: string, secure: boolean): boolean {
  if (/\s/.test(text) || text.length > 5000) return false
  const parts = /^(https?):\/\/([^/?#]+)/i.exec(text)
  if (parts === null || (secure && parts[1]?.toLowerCase() !== 'https')) return false
  return /^([^@]*@)?(\[[\da-f:.]+\]|[^\s:@/[\]]+)(:\d{1,5})?$/i.test(parts[2] ?? '')
}

const dates: RuleOf = (content, { before, now, publishing, launched }) => {
  const { campaign_start_at: start, campaign_end_at: end } = content
  const zone = content.timezone_offset_seconds ?? 0
  const today = localDay(now, zone)
  const startChanged = start !== (before?.campaign_start_at ?? null)
  const endChanged = end !== (before?.campaign_end_at ?? null)
  return [
    when(start !== null && end !== null && start >= end, () => fault('campaign_end_at', 1303, 'startAfterEnd')),
    when(start !== null && (startChanged || publishing) && localDay(start, zone) < today, () =>
      fault('campaign_start_at', 1304, 'startInPast'),
    ),
    when(end !== null && (endChanged || publishing) && localDay(end, zone) < today, () =>
      fault('campaign_end_at', 1305, 'endInPast'),
    ),
    when(launched && startChanged, () => fault('campaign_start_at', 1306, 'startFixed')),
  ]
}

const budget: RuleOf = (content, { before, launched, strict, baseBid }) => {
  const bid = content.manual_cpx ? content.user_cpx : content.cpx
  const amount = content.budget
  const bidPath = content.manual_cpx ? 'user_cpx' : 'cpx'
  return [
    when(content.budget_type_key !== 1 && content.budget_type_key !== 2, () => fault('budget_type_key', 1307, 'budgetType')),
    when(launched && before !== null && before.budget_type_key !== content.budget_type_key, () =>
      fault('budget_type_key', 1307, 'budgetType'),
    ),
    when(amount !== null && (amount < 0 || (strict && amount === 0)), () => fault('budget', 2, 'positiveBudget')),
    when(content.user_cpx !== null && content.user_cpx <= -1_000_000, () => fault('user_cpx', 2, 'numeric')),
    when(strict && bid !== null && bid <= baseBid, () => fault(bidPath, 1308, 'baseBid', { min: fromMicros(baseBid) })),
    when(strict && bid !== null && amount !== null && amount > 0 && amount < bid, () =>
      content.manual_cpx ? fault('budget', 1309, 'budgetBelowBid') : fault('budget', 1302, 'budgetBelowCpx'),
    ),
  ]
}

const caps: RuleOf = (content) => {
  const set = (['1', '2', '3'] as const).map((key) => content.frequency_cap[key]).filter((cap) => cap !== null && cap !== 0)
  const rising = set.every((cap, i) => i === 0 || (cap ?? 0) > (set[i - 1] ?? 0))
  return [
    ...(['1', '2', '3'] as const).map((key) => {
      const cap = content.frequency_cap[key]
      return when(cap !== null && (!Number.isInteger(cap) || cap < 0), () => fault(`frequency_cap.${key}`, 2, 'positiveNumber'))
    }),
    when(!rising, () => fault('frequency_cap', 1315, 'caps')),
  ]
}

const administration: RuleOf = (content, { maxMargin }) => {
  const { margin } = content
  return [
    when(margin !== null && (!Number.isInteger(margin) || margin < 0 || margin > maxMargin), () =>
      fault('margin', 2, 'margin', { max: maxMargin }),
    ),
    when(margin !== null && content.fixed_cpm !== null, () => fault('margin', 2, 'fixedCpmBeforeMargin')),
    when(margin !== null && content.fixed_cpm !== null, () => fault('fixed_cpm', 2, 'marginBeforeFixedCpm')),
    when(content.t !== null && content.t < 0, () => fault('t', 2, 'positiveNumber')),
    ...(['cpm', 'cpx', 'fixed_cpm'] as const).map((key) => when((content[key] ?? 0) < 0, () => fault(key, 2, 'positiveNumber'))),
    when(content.test_devices.length > 10, () => fault('test_devices', 2, 'tooMany', { max: 10 })),
    when(content.slots.length !== 12 || content.slots.some((slot) => slot !== 0 && slot !== 1), () =>
      fault('slots', 2, 'notAllowed'),
    ),
    when(
      content.exchange_id.some((exchange) => !(EXCHANGES as readonly string[]).includes(exchange)),
      () => fault('exchange_id', 2, 'notAllowed'),
    ),
  ]
}

/** UTF-8 length, as the creative limits count (campaign.md §5). */
export const byteLength = (text: string): number =>
  [...text].reduce((sum, char) => {
    const code = char.codePointAt(0) ?? 0
    return sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4)
  }, 0)

const within = (path: string, text: string | null, max: number) =>
  when(text !== null && byteLength(text) > max, () => fault(path, 2, 'maxBytes', { max }))

const texts: RuleOf = ({ dynamic_ad: responsive, native_ad: native, video_ad: video }) => [
  ...(responsive
    ? [
        within('dynamic_ad.call_to_action', responsive.call_to_action, 12),
        within('dynamic_ad.company_name', responsive.company_name, 10),
        ...responsive.titles.map((title) => within(`dynamic_ad.titles[${title.index}]`, title.value, 30)),
        ...responsive.descriptions.map((text) => within(`dynamic_ad.descriptions[${text.index}]`, text.value, 50)),
        when(responsive.images.length > 1, () => fault('dynamic_ad.images', 2, 'tooMany', { max: 1 })),
        when(responsive.logos.length > 1, () => fault('dynamic_ad.logos', 2, 'tooMany', { max: 1 })),
      ]
    : []),
  ...(native
    ? [
        within('native_ad.advertiser', native.advertiser, 25),
        within('native_ad.call_to_action', native.call_to_action, 15),
        within('native_ad.body', native.body, 90),
        within('native_ad.headline', native.headline, 25),
        when(native.star_rating < 1 || native.star_rating > 5, () =>
          fault('native_ad.star_rating', 2, 'outOfRange', { min: 1, max: 5 }),
        ),
      ]
    : []),
  ...(video
    ? [
        within('video_ad.headline', video.headline, 25),
        within('video_ad.long_headline', video.long_headline, 90),
        within('video_ad.cta', video.cta, 15),
      ]
    : []),
]

const creatives: RuleOf = (content, { references }) => {
  const all = creativesOf(content)
  return [
    ...all.flatMap(({ kind, name, path }) =>
      kind === 'audio' || name === null
        ? []
        : [
            when(name.length > 75, () => fault(`${path}.creative_name`, 2, 'creativeNameLength')),
            when(!/^[\w.-]+$/.test(name), () => fault(`${path}.creative_name`, 2, 'creativeNamePattern')),
          ],
    ),
    when(new Set(all.map(({ id }) => id)).size !== all.length, () => fault('visuals.banners', 2, 'duplicateId')),
    ...content.visuals.banners.map((banner, i) =>
      when(!BANNER_SIZES.some(({ width, height }) => width === banner.width && height === banner.height), () =>
        fault(`visuals.banners[${i}]`, 2, 'bannerSize'),
      ),
    ),
    when(content.audio_ads.length > 5, () => fault('audio_ads', 2, 'tooMany', { max: 5 })),
    ...mediaFaults(content, references),
  ]
}

const app: RuleOf = (content, { before, approvedOnce, references }) => {
  const next = content.bidding_strategy.app_promotion
  const old = before?.bidding_strategy.app_promotion
  const changed = old !== undefined && (old.bundle_id !== next.bundle_id || old.app_platform_type !== next.app_platform_type)
  return [
    when(approvedOnce && changed, () => fault('bidding_strategy.app_promotion.bundle_id', 1310, 'appFixed')),
    when(!references.appKnown, () => fault('bidding_strategy.app_promotion.bundle_id', 1311, 'appUnknown')),
    when(next.mmp !== null && !['adjust', 'appsflyer'].includes(next.mmp), () =>
      fault('bidding_strategy.app_promotion.mmp', 2, 'notAllowed'),
    ),
    when(next.app_platform_type !== null && !['ios', 'android'].includes(next.app_platform_type), () =>
      fault('bidding_strategy.app_promotion.app_platform_type', 2, 'notAllowed'),
    ),
  ]
}

const targets: RuleOf = (_, { references }) => [...references.unknownTargets].map((path) => fault(path, 131, 'targetUnknown'))

/** Stored before rules were checked, entries are judged when they change. */
const bidding: RuleOf = ({ traffic_targeting: entries }, { before }) =>
  entries === before?.traffic_targeting ? [] : biddingFaults(entries)

const RULES: readonly RuleOf[] = [
  bidding,
  mandatory,
  identity,
  strategy,
  links,
  dates,
  budget,
  caps,
  administration,
  targetingRules,
  texts,
  creatives,
  app,
  targets,
]
