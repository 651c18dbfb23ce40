import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createAppCatalogue } from '#platform/reference/app-catalogue'
import { promotionOf } from './app-promotion.ts'

const folder = mkdtempSync(join(tmpdir(), 'placard-promotion-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NAMED = {
  id: 'shop',
  name: 'Shop',
  publisher: 'Shop Ltd',
  category: 'shopping',
  android: 'ng.shop',
  ios: 'ng.shop',
  price: '4.99',
}
const PAGE = {
  app_icon: 'https://shop.example/icon.png',
  body: 'Everything at the corner.',
  star_rating: 4.5,
  call_to_action: 'Open',
  min_os_version: { android: '8.0' },
}

function found(app: object) {
  const file = join(folder, 'apps.json')
  writeFileSync(file, JSON.stringify([app]))
  const shop = createAppCatalogue({ file }).findApp('android', 'ng.shop')
  if (shop === null) throw new Error('the shop is not in the catalogue')
  return shop
}

// covers CAM-API-39
it('the store page of an app is what the operator’s file says of it, with the version of the asked platform', () => {
  const shop = found({ ...NAMED, ...PAGE })
  const all = { ...PAGE, app_name: 'Shop', price: '4.99', advertiser: 'Shop Ltd', min_os_version: '8.0' }
  expect(promotionOf(shop, 'android')).toEqual(all)
  expect(promotionOf(shop, 'ios')).toEqual({ ...all, min_os_version: null })
})

it('an app without a store page has null in its place', () => {
  expect(promotionOf(found(NAMED), 'android')).toEqual({
    app_icon: null,
    app_name: 'Shop',
    body: null,
    price: '4.99',
    star_rating: null,
    call_to_action: 'Install',
    advertiser: 'Shop Ltd',
    min_os_version: null,
  })
})
