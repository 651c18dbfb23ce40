import type { CampaignContent } from '../content/content.ts'

/** Why a user who follows an address finds no page (fine print 108). */
export const ADDRESS_FAULTS = [
  'no_name',
  'no_answer',
  'not_found',
  'server_error',
  'certificate',
  'not_public',
  'redirects',
] as const
export type AddressFault = (typeof ADDRESS_FAULTS)[number]

type Followed = Pick<CampaignContent, 'product_url' | 'bidding_strategy'>

/** The web addresses that users follow, with their places: the landing page and the click addresses. */
export function followedAddresses({ product_url, bidding_strategy: { click_url, app_promotion } }: Followed) {
  const places = [
    ['product_url', product_url],
    ['bidding_strategy.click_url', click_url],
    ['bidding_strategy.app_promotion.click_url', app_promotion.click_url],
  ] as const
  return places.flatMap(([path, value]) => (value !== null && /^https?:/i.test(value) ? [{ path, value }] : []))
}
