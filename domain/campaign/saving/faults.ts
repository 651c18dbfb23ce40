import type { FormTab } from '#domain/kit/errors'
import { fault as plainFault } from '#domain/kit/faults'
import type { Fields } from '#domain/kit/fields'
import { isOwnerPath } from '../content/content.ts'
import { FREQUENCY } from '../content/fields/frequency.ts'
import { PLACEMENT } from '../content/fields/placement.ts'
import { TARGETING } from '../content/fields/targeting.ts'

/** The tab on which a path is edited. */
export function tabOf(path: string): FormTab {
  const top = path.split(/[.[]/, 1)[0] ?? ''
  if (top === 'traffic_targeting') return 'advancedBidding'
  if (isOwnerPath(path)) return 'administration'
  return TABS[top] ?? 'basicInfo'
}

const keysOn = (tab: FormTab, fields: Fields): Readonly<Record<string, FormTab>> =>
  Object.fromEntries(Object.keys(fields).map((key) => [key, tab]))

const TABS: Readonly<Record<string, FormTab>> = {
  ...keysOn('targeting', TARGETING),
  ...keysOn('frequency', FREQUENCY),
  ...keysOn('placement', PLACEMENT),
  dynamic_ad: 'dynamicAds',
  dynamic_ad_enabled: 'dynamicAds',
  native_ad: 'nativeAds',
  native_ad_enabled: 'nativeAds',
  video_ad: 'videoAds',
  video_ad_enabled: 'videoAds',
  audio_ads: 'tracks',
  audio_ad_enabled: 'tracks',
  visuals: 'bannerAds',
}

/** A fault on one field of a campaign, with the tab of the form that shows it. */
export const fault: typeof plainFault = (path, ...rest) => ({ ...plainFault(path, ...rest), tab: tabOf(path) })
