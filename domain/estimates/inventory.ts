import { BANNER_SIZES, EXCHANGES, type Exchange } from '../campaign/content/options.ts'
import { shareOf } from './audience.ts'
import { peopleOnline } from './estimate.ts'
import { ANDROID, ON_THE_WEB } from './placement.ts'
import { standing } from './panel.ts'
import { SITES } from './sites.ts'

/** An app in the catalogue. */
export type InventoryApp = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly android: string | null
  readonly ios: string | null
}

/**
 * A place that sells advertisements (campaigns.md §3, "Placement report items"). Counts use the model of the other estimates, a
 * day.
 */
export type InventoryPlace = {
  readonly name: string
  /** Bundle id of an app, or the domain of a site. */
  readonly bundle_id: string
  readonly category: string
  readonly site_or_app: 'site' | 'app'
  readonly exchange_id: Exchange
  readonly os: 'Android' | 'iOS' | 'Web'
  readonly interstitial: boolean
  readonly user_count: number
  readonly impression_count: number
  /** 0 to 7, as bidding rules number positions. */
  readonly creative_position: number
  readonly creative_type: 'banner' | 'native' | 'video'
  readonly creative_size: string
}

const TYPES = ['banner', 'native', 'video'] as const
const POSITIONS = [0, 1, 3, 4, 5, 6, 7] as const
/** Impressions per day of one user of an app or site. */
const CHANCES = 5

const chosen = <T>(subject: string, from: readonly T[], otherwise: NoInfer<T>): T =>
  from[Math.floor(standing(subject) * from.length)] ?? otherwise

type Place = Pick<InventoryPlace, 'name' | 'bundle_id' | 'category' | 'site_or_app' | 'os'>

/** A place with the properties that derive from its name, so that they are stable. */
function placeOf(place: Place, id: string, users: number): InventoryPlace {
  const about = (what: string) => `${what} of ${place.os} ${id}`
  const size = chosen(about('size'), BANNER_SIZES, { width: 300, height: 250, key: 106 })
  const creative_position = chosen(about('position'), POSITIONS, 0)
  return {
    ...place,
    exchange_id: chosen(about('exchange'), EXCHANGES, 'google'),
    interstitial: creative_position === 7,
    user_count: users,
    impression_count: users * CHANCES,
    creative_position,
    creative_type: chosen(about('type'), TYPES, 'banner'),
    creative_size: `${size.width}x${size.height}`,
  }
}

/** Every app on each of its systems, and every site. */
export function inventory(apps: readonly InventoryApp[], country: string | null): readonly InventoryPlace[] {
  const online = peopleOnline(country)
  const ofApps = apps.flatMap((app) =>
    [['Android', app.android, ANDROID] as const, ['iOS', app.ios, 1 - ANDROID] as const].flatMap(([os, bundle_id, part]) => {
      if (bundle_id === null) return []
      const users = Math.round(online * shareOf('app', app.id) * part)
      return [placeOf({ name: app.name, bundle_id, category: app.category, site_or_app: 'app', os }, app.id, users)]
    }),
  )
  const ofSites = SITES.map(({ domain, name, category }) => {
    const users = Math.round(online * shareOf('app', domain) * ON_THE_WEB)
    return placeOf({ name, bundle_id: domain, category, site_or_app: 'site', os: 'Web' }, domain, users)
  })
  return [...ofApps, ...ofSites]
}

export type SizeShare = { readonly width: number; readonly height: number; readonly share: number }

/** The part of the impressions of banner places that each banner size gets, 0 to 1, the largest first. */
export function sizeShares(places: readonly InventoryPlace[]): readonly SizeShare[] {
  const impressions = new Map<string, number>()
  let all = 0
  for (const { creative_type, creative_size, impression_count } of places) {
    if (creative_type !== 'banner') continue
    impressions.set(creative_size, (impressions.get(creative_size) ?? 0) + impression_count)
    all += impression_count
  }
  return BANNER_SIZES.map(({ width, height }) => ({
    width,
    height,
    share: all === 0 ? 0 : (impressions.get(`${width}x${height}`) ?? 0) / all,
  })).toSorted((a, b) => b.share - a.share)
}
