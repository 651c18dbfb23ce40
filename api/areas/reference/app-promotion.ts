import type { App } from '#commands/reference/reference-port'

/** Values of a campaign from the store page of its app; null for those that the catalogue does not have (campaigns.md §3). */
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
