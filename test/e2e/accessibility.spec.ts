import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { placesOf } from '../screens/places.ts'
import { isFirstSight } from '../screens/screen.ts'
import { SCREENS } from '../screens/screens.ts'
import { STATES } from '../screens/states.ts'
import { LANGUAGES, signedInOnce, type Tour } from '../screens/visit.ts'
import { isFor, VISITED_BY, walk } from '../screens/walk.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

const FIRST_SIGHTS = [...SCREENS, ...STATES].filter(isFirstSight)
/** Administrators have the screens of owners, and no others. */
const VISITORS = VISITED_BY.filter((person) => person !== 'admin')
/** In twos that have nothing in common. */
const LOOKS = [
  ['en', 'light'],
  ['ru', 'dark'],
  ['ru', 'light'],
  ['en', 'dark'],
] as const

/**
 * A pairwise sample: each screen is visited twice, in both languages and both themes, by two of the roles that have it. Every role, and
 * what has to be opened or done first, is checked by `npm run screens -- --check`.
 */
const SAMPLE = FIRST_SIGHTS.flatMap((screen, place) => {
  const visitors = VISITORS.filter((person) => isFor(screen, person))
  const two = [0, 1].flatMap((turn) => visitors[(place + turn) % visitors.length] ?? [])
  return two.map((person, turn) => {
    const pair = (place + Math.floor(turn / 2)) % LOOKS.length
    const [language, theme] = LOOKS[turn % 2 === 0 ? pair : pair ^ 1] ?? LOOKS[0]
    return { screen, person, language, theme }
  })
})

describe('every page and section, in both themes: no violation, nothing cut off or untranslated, no complaint of the console', () => {
  let product: TestProduct
  let browser: Browser
  let tour: Tour
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const as = signedInOnce(product.as)
    tour = { browser, base: product.base, as, places: await placesOf(product.base, as) }
  })
  afterAll(async () => {
    await leaveBrowser(browser)
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

  // covers I18N-02
  it.each(VISITORS)('every page and section passes in both themes as %s', async (visitor) => {
    const own = SAMPLE.filter(({ person }) => person === visitor)
    const walked = await Promise.all(
      LANGUAGES.map((language) => {
        const looks = own.filter((look) => look.language === language)
        const screens = looks.map(({ screen }) => screen)
        return walk(tour, visitor, language, screens, {
          themes: (screen) => looks.filter((look) => look.screen === screen).map(({ theme }) => theme),
        })
      }),
    )
    expect(walked.flatMap(({ faults }) => faults)).toEqual([])
    expect(walked.reduce((sum, { seen }) => sum + seen, 0)).toBe(own.length)
  })
})
