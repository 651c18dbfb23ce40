import type { CampaignContent } from './content.ts'

/** Clicks on an HTML banner (decisions G-140). */

/** The message of a banner's page to the page around its frame, as `{ type }`: a user clicked. It carries no address. */
export const BANNER_CLICK = 'placard:click'

/** The query of a banner's page that holds its click address. */
export const CLICK_TAG = 'clickTag'

type Clicked = Pick<CampaignContent, 'product_url'> & {
  readonly bidding_strategy: {
    readonly click_url: string | null
    readonly app_promotion: { readonly click_url: string | null }
  }
}

/** The web address that a click on an ad of a campaign opens, without tags; null without one. */
export function clickAddress({ product_url, bidding_strategy: { click_url, app_promotion } }: Clicked): string | null {
  const address = [click_url, app_promotion.click_url, product_url].find((one) => one !== null && one.trim() !== '') ?? null
  return address !== null && /^https?:\/\//i.test(address) ? address : null
}

/** The address of a banner's page with the click address for its scripts. */
export const withClickTag = (page: string, address: string | null): string =>
  address === null ? page : `${page}?${CLICK_TAG}=${encodeURIComponent(address)}`
