import type { App } from '#commands/reference/reference-port'

/** What a campaign that promotes an app takes from its store page; null for what the catalogue does not say (campaigns.md §3). */
export const promotionOf = (app: App, platform: 'android' | 'ios') => ({
  app_icon: app.app_icon ?? null,
  app_name: app.name,
  body: app.body ?? null,
  price: app.price,
  star_rating: app.star_rating ?? null,
  call_to_action: app.call_to_action ?? 'Install',
  advertiser: app.publisher,
  min_os_version: app.min_os_version?.[platform] ?? null,
})
