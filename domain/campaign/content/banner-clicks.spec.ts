import { describe, expect, it } from 'vitest'
import { clickAddress, withClickTag } from './banner-clicks.ts'
import { bannerWarnings, readBannerWarnings } from './banner-warnings.ts'

const of = (product: string | null, click: string | null = null, app: string | null = null) =>
  clickAddress({ product_url: product, bidding_strategy: { click_url: click, app_promotion: { click_url: app } } })

describe('the address that a click opens', () => {
  it.each([
    ['the click address', of('https://a.example', 'https://b.example', 'https://c.example'), 'https://b.example'],
    ['that of the app', of('https://a.example', null, 'https://c.example'), 'https://c.example'],
    ['the landing page', of('https://a.example', ''), 'https://a.example'],
    ['nothing that is no web address', of('javascript:alert(1)'), null],
    ['nothing without one', of(null), null],
  ])('the address that a click opens is %s', (_, found, address) => expect(found).toBe(address))

  it('stands in the query of the banner', () => {
    expect(withClickTag('/index.html', 'https://a.example/?b=1&c=%20#d')).toBe(
      '/index.html?clickTag=https%3A%2F%2Fa.example%2F%3Fb%3D1%26c%3D%2520%23d',
    )
    expect(withClickTag('/index.html', null)).toBe('/index.html')
  })
})

it('the warnings of a banner are read as they were written, and unknown ones are passed over', () => {
  const warnings = { clickLinks: true, externalHosts: ['a.example', 'b.example'] }
  expect(readBannerWarnings([...bannerWarnings(warnings), 'other', ''])).toEqual(warnings)
  expect(readBannerWarnings([''])).toEqual({ clickLinks: false, externalHosts: [] })
})
