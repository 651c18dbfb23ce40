import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placesOf } from '../screens/places.ts'
import { isFirstSight } from '../screens/screen.ts'
import { SCREENS } from '../screens/screens.ts'
import { STATES } from '../screens/states.ts'
import { LANGUAGES, signedInOnce, type Tour } from '../screens/visit.ts'
import { VISITED_BY, walk } from '../screens/walk.ts'
import { launchBrowser } from '../support/browser.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

/** What has to be opened or done first, and each of these in the other language too, is looked over by `npm run screens -- --check`. */
const FIRST_SIGHTS = [...SCREENS, ...STATES].filter(isFirstSight)
/** Administrators have the screens of owners, and no others. */
const VISITORS = VISITED_BY.filter((person) => person !== 'admin').map((person, turn) => ({ person, turn }))

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

  it('messages are in colours that can be read, not in those of the library that draws them', async () => {
    const { seen, faults } = await walk(
      tour,
      'advertiser',
      'en',
      STATES.filter(({ name }) => name === 'list-message'),
    )
    expect(faults).toEqual([])
    expect(seen).toBe(2)
  })

  // Each half of somebody's screens in one language, the other half in the other: whoever comes next has them the other way round.
  it.each(VISITORS)('as $person', async ({ person, turn }) => {
    const halves = LANGUAGES.map((language, half) =>
      walk(
        tour,
        person,
        language,
        FIRST_SIGHTS.filter((_, place) => (place + turn) % 2 === half),
      ),
    )
    const walked = await Promise.all(halves)
    expect(walked.flatMap(({ faults }) => faults)).toEqual([])
    expect(walked.reduce((sum, { seen }) => sum + seen, 0)).toBeGreaterThan(0)
  })
})
