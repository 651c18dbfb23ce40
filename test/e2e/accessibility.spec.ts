import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placesOf } from '../screens/places.ts'
import { isFirstSight } from '../screens/screen.ts'
import { SCREENS } from '../screens/screens.ts'
import { STATES } from '../screens/states.ts'
import { signedInOnce, type Tour } from '../screens/visit.ts'
import { walk, WAYS } from '../screens/walk.ts'
import { launchBrowser } from '../support/browser.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

/** What has to be opened or done first is looked over by `npm run screens -- --check`. */
const FIRST_SIGHTS = [...SCREENS, ...STATES].filter(isFirstSight)

describe('every page and section, in both themes: no violation, nothing cut off or untranslated, no complaint of the console', () => {
  let product: TestProduct
  let browser: Browser
  let tour: Tour
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await launchBrowser()
    const as = signedInOnce(product.as)
    tour = { browser, base: product.base, as, places: await placesOf(product.base, as) }
  })
  afterAll(async () => {
    await browser.close()
    await product.stop()
  })

  it.concurrent.each(WAYS)('as $person, in $language', async ({ person, language }) => {
    const { seen, faults } = await walk(tour, person, language, FIRST_SIGHTS)
    expect(faults).toEqual([])
    expect(seen).toBeGreaterThan(0)
  })
})
