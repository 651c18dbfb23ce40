import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clipped } from '../screens/clipped.ts'
import { placesOf } from '../screens/places.ts'
import { isFirstSight, type Screen } from '../screens/screen.ts'
import { SCREENS } from '../screens/screens.ts'
import { goOn, open, signedInOnce, type Tour } from '../screens/visit.ts'
import { violations } from '../support/axe.ts'
import { isFor } from '../screens/walk.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'

/** A laptop of 1366 x 768 pixels at 200 % zoom, and the narrowest window that is supported. */
const WIDTHS = [683, 640]
const HEIGHT = 384
const PEOPLE = [
  ['advertiser', 'ru'],
  ['owner', 'ru'],
  ['moderator', 'en'],
] as const
type Person = (typeof PEOPLE)[number][0]

const NARROW = 'For having best user experience, please use desktop.'

/** Controls that lie outside the window and that no inner scrolling brings into it. */
const outOfReach = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element) => {
      for (let around = element.parentElement; around !== null && around !== document.body; around = around.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(around).overflowX)) return true
      return false
    }
    return [...document.querySelectorAll('a, button, input, select, textarea, [role=switch]')].flatMap((control) => {
      const { left, right, width, height } = control.getBoundingClientRect()
      const drawn = width > 1 && height > 1 && control.checkVisibility()
      if (!drawn || control.matches('[href="#content"]') || (left >= -1 && right <= innerWidth + 1) || scrolls(control)) return []
      return [`${control.outerHTML.slice(0, 120)} from ${Math.round(left)} to ${Math.round(right)}`]
    })
  })

describe('the application at 200 % zoom on a laptop', () => {
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

  /** In the gate each screen is visited by one of its roles, in turn; `npm run nightly` visits it as each of them. */
  const isVisitedBy = (person: Person, screen: Screen, place: number) => {
    const roles = PEOPLE.map(([role]) => role).filter((role) => isFor(screen, role))
    return process.env['SCREENS'] === 'all' ? roles.includes(person) : roles[place % roles.length] === person
  }

  it.each(PEOPLE)(
    'every page and form section of the %s fits the width, cuts no text off and keeps controls in reach: %s',
    async (person, language) => {
      const faults: string[] = []
      const { page, close } = await open(tour, person, { language, theme: 'light', width: 683 })
      await page.goto('/')
      const own = SCREENS.filter(isFirstSight).filter((screen, place) => isVisitedBy(person, screen, place))
      for (const screen of own) {
        await goOn(page, screen, tour)
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: HEIGHT })
          const found = [...(await clipped(page)), ...(await outOfReach(page))]
          faults.push(...found.map((fault) => `${screen.name}, ${width} px: ${fault}`))
        }
      }
      expect(faults).toEqual([])
      await close()
    },
  )

  it.each([
    [1366, 'en'],
    [1280, 'ru'],
    [1024, 'en'],
  ] as const)(
    'the list shows every figure and reason in full at %i px, and no row moves when rows are selected: %s',
    async (width, language) => {
      const { page, close } = await open(tour, 'owner', { language, theme: 'light', width })
      await page.goto('/admin/campaigns')
      const boxes = page.locator('tbody input[type=checkbox]')
      await boxes.nth(9).waitFor()
      const cut = await page
        .locator('table *')
        .evaluateAll((all) =>
          all.flatMap((one) => (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1 ? [one.textContent] : [])),
        )
      expect(cut).toEqual([])
      const tops = () => boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().top))
      const before = await tops()
      await boxes.first().click()
      await page.getByRole('toolbar').waitFor()
      expect(await tops()).toEqual(before)
      await close()
    },
  )

  // covers I18N-04
  it('recommends a desktop below 1024 px in a note that stays away once it is dismissed', async () => {
    const { page, complaints, close } = await open(tour, 'advertiser', { language: 'en', theme: 'light', width: 1024 })
    await page.goto('/campaigns')
    await page.getByRole('row', { name: /Luxor/ }).waitFor()
    const note = page.getByText(NARROW, { exact: true })
    expect(await note.isVisible()).toBe(false)
    for (const width of [1023, 400]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await note.isVisible(), `${width} px`).toBe(true)
    }
    expect(await page.getByRole('button', { name: 'Open the navigation' }).isVisible()).toBe(true)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await page.getByRole('row', { name: /Luxor/ }).waitFor()
    expect(await note.count()).toBe(0)
    expect(complaints()).toEqual([])
    await close()
  })

  it('moderates by keys: the next submission is shown from its heading on', async () => {
    const { page, close } = await open(tour, 'moderator', { language: 'ru', theme: 'light', width: 683 })
    await page.setViewportSize({ width: 683, height: HEIGHT })
    await page.goto('/moderation')
    await page.locator('button[aria-keyshortcuts=A]:enabled').waitFor()
    const first = await page.getByRole('heading', { level: 2 }).textContent()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await page.keyboard.press('j')
    await expect.poll(() => page.getByRole('heading', { level: 2 }).textContent()).not.toBe(first)
    const seen = () =>
      page.evaluate(() => {
        const heading = document.activeElement
        const { top, bottom } = heading?.getBoundingClientRect() ?? { top: -1, bottom: -1 }
        return { tag: heading?.tagName, inView: top >= 0 && bottom <= innerHeight }
      })
    await expect.poll(seen).toEqual({ tag: 'H2', inView: true })
    await close()
  })
})
