import type { Fault } from '#domain/kit/errors'
import { isAudio, type CampaignContent } from '../content/content.ts'
import type { SentenceKey } from '#domain/kit/faults'
import { fault } from './faults.ts'

/** Required values before a review (campaigns.md §5, "On publish"); each missing one is a 135. */
export function publishFaults(content: CampaignContent): readonly Fault[] {
  const missing: Fault[] = []
  const need = (present: unknown, path: string, key: SentenceKey = 'required') => {
    if (present === null || present === undefined || present === '' || present === false) missing.push(fault(path, 135, key))
  }
  const { goal, type, click_url, website_promotion: site, app_promotion: app } = content.bidding_strategy
  need(content.budget, 'budget')
  need(goal, 'bidding_strategy.goal')
  if (type !== 'other') need(content.product_url ?? click_url, 'product_url')
  if (content.manual_cpx) need(content.user_cpx, 'user_cpx')
  if (goal === 'WEB_STANDARD_CONVERSION' && site.url_type === 'conversion')
    need(site.conversion_url, 'bidding_strategy.website_promotion.conversion_url')
  if (goal === 'WEBSITE_CUSTOM_EVENT') need(site.custom_action_name, 'bidding_strategy.website_promotion.custom_action_name')
  if (goal === 'APP_INSTALLS' || goal === 'APP_CUSTOM_EVENT') {
    need(app.app_platform_type, 'bidding_strategy.app_promotion.app_platform_type')
    need(app.bundle_id, 'bidding_strategy.app_promotion.bundle_id')
    need(app.mmp, 'bidding_strategy.app_promotion.mmp')
    if (goal === 'APP_CUSTOM_EVENT') need(app.custom_action_name, 'bidding_strategy.app_promotion.custom_action_name')
  }
  return [...missing, ...creativeFaults(content)]
}

function creativeFaults(content: CampaignContent): readonly Fault[] {
  if (isAudio(content)) return content.audio_ads.length === 0 ? [fault('audio_ads', 135, 'needTrack')] : []
  const faults: Fault[] = []
  const { dynamic_ad: responsive, native_ad: native, video_ad: video } = content
  const enabled = { responsive: content.dynamic_ad_enabled, native: content.native_ad_enabled, video: content.video_ad_enabled }
  if (enabled.responsive) {
    if (!responsive?.creative_name) faults.push(fault('dynamic_ad.creative_name', 135, 'creativeNameRequired'))
    if (!responsive?.logos.length) faults.push(fault('dynamic_ad.logos', 135, 'needLogo'))
    if (!responsive?.images.length) faults.push(fault('dynamic_ad.images', 135, 'needImage'))
  }
  if (enabled.native) {
    if (!native?.creative_name) faults.push(fault('native_ad.creative_name', 135, 'creativeNameRequired'))
    if (!native?.logo) faults.push(fault('native_ad.logo', 135, 'needLogo'))
    if (!native?.images.length) faults.push(fault('native_ad.images', 135, 'needImage'))
    if (!native?.body) faults.push(fault('native_ad.body', 135, 'required'))
    if (!native?.call_to_action) faults.push(fault('native_ad.call_to_action', 135, 'required'))
    // App-install style shows an icon, a rating and a price instead of the advertiser (decisions G-148).
    const promotesApp = ['APP_INSTALLS', 'APP_CUSTOM_EVENT'].includes(content.bidding_strategy.goal ?? '')
    if (!promotesApp && !native?.advertiser) faults.push(fault('native_ad.advertiser', 135, 'required'))
  }
  if (enabled.video) {
    if (!video?.creative_name) faults.push(fault('video_ad.creative_name', 135, 'creativeNameRequired'))
    if (!video?.video) faults.push(fault('video_ad.video', 135, 'needVideo'))
  }
  faults.push(...placesWithoutFile(content))
  const { banners } = content.visuals
  if (!enabled.responsive && !enabled.native && !enabled.video && banners.length === 0)
    faults.push(fault('visuals.banners', 135, 'needBanner'))
  banners.forEach((banner, i) => {
    if (!banner.creative_name) faults.push(fault(`visuals.banners[${i}].creative_name`, 135, 'creativeNameRequired'))
  })
  return faults
}

/** Places of enabled creatives without a stored file: they would show nothing (fine print 41). */
function placesWithoutFile(content: CampaignContent): readonly Fault[] {
  const { dynamic_ad: responsive, native_ad: native, video_ad: video } = content
  const faults: Fault[] = []
  const need = (path: string, fileId: string | null | undefined) => {
    if (!fileId) faults.push(fault(path, 135, 'needFile'))
  }
  if (content.dynamic_ad_enabled) {
    responsive?.images.forEach((image, i) => need(`dynamic_ad.images[${i}].file_id`, image.file_id))
    responsive?.logos.forEach((image, i) => need(`dynamic_ad.logos[${i}].file_id`, image.file_id))
  }
  if (content.native_ad_enabled) {
    native?.images.forEach((image, i) => need(`native_ad.images[${i}].file_id`, image.file_id))
    if (native?.logo) need('native_ad.logo.file_id', native.logo.file_id)
    if (native?.video) need('native_ad.video.fileId', native.video.fileId)
  }
  if (content.video_ad_enabled) {
    if (video?.video) need('video_ad.video.file_id', video.video.file_id)
    video?.companion_banners.forEach((image, i) => need(`video_ad.companion_banners[${i}].file_id`, image.file_id))
  }
  return faults
}
