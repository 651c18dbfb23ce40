import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { PASSWORD, png, startTestProduct, type TestProduct } from '../support/product.ts'

/** Fault of the place of the focus: on nothing, off the screen, or under something else; empty for none. */
const lost = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return 'the focus is on nothing'
    // An element that is only there for readers, such as an input of files, is drawn by its surroundings.
    const own = focused.getBoundingClientRect()
    const drawn = own.width > 2 && own.height > 2 ? focused : (focused.closest('label') ?? focused.parentElement ?? focused)
    const { left, top, right, bottom } = drawn.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2]
    if (bottom <= 0 || top >= innerHeight) return `off the screen: ${focused.outerHTML.slice(0, 200)}`
    const there = document.elementFromPoint(x, y)
    return there !== null && (drawn.contains(there) || there.contains(drawn))
      ? ''
      : `under ${there?.outerHTML.slice(0, 120)}: ${focused.outerHTML.slice(0, 200)}`
  })

describe('an advertiser without a mouse', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  it('signs in, makes a campaign with a banner and publishes it; the focus is always somewhere, and to be seen', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    const keys = page.keyboard
    const settled = () => expect.poll(() => lost(page)).toBe('')
    /** By Tab alone, from wherever the focus is. */
    const tabTo = async (wanted: Locator) => {
      await wanted.waitFor({ state: 'attached' })
      for (let steps = 0; steps < 60; steps++) {
        if (await wanted.evaluate((element) => element === document.activeElement)) return
        await keys.press('Tab')
        await settled()
      }
      throw new Error(`Tab does not lead to ${String(wanted)}`)
    }
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const type = async (label: string, text: string) => {
      await tabTo(page.getByLabel(label, { exact: true }))
      await keys.press('Control+A')
      await keys.type(text)
    }

    await page.goto('/auth/login')
    await page.getByLabel('Username').waitFor()
    await type('Username', 'ada@nile.example')
    await type('Password', PASSWORD)
    await keys.press('Enter')
    await page.getByRole('row', { name: /Luxor/ }).waitFor()

    await tabTo(button('New campaign'))
    await keys.press('Enter')
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Awareness' }))
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'New campaign' }).waitFor()

    await type('Campaign name', 'Made without a mouse')
    await tabTo(page.getByLabel('Country'))
    await keys.type('Egypt')
    await page.getByRole('option', { name: 'Egypt' }).waitFor()
    await keys.press('Enter')
    await page.getByRole('alertdialog', { name: 'Set the country to Egypt?' }).waitFor()
    await tabTo(button('Set country'))
    await keys.press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
    await settled()
    await type('Daily budget', '40')
    await type('Landing page URL', 'https://nile.example/giza')
    await tabTo(button('Save & Next'))
    await keys.press('Enter')
    await page.getByText('Changes Saved Successfully').waitFor()
    await page.waitForURL('**/campaign/edit/**tab=targeting')
    await settled()

    await tabToSection(page, settled, 'Banner ads')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Banner ads' }).waitFor()
    await tabTo(page.getByLabel('Choose a file'))
    // Files are chosen in a window of the system: that it opens is the browser's business, that the keys reach its input is ours.
    await page
      .locator('input[type=file]:focus')
      .setInputFiles({ name: 'giza.png', mimeType: 'image/png', buffer: await png(300, 250) })
    await page.getByRole('region', { name: 'Uploaded banners' }).getByRole('article').waitFor()
    await settled()
    await tabTo(button('Publish'))
    await keys.press('Enter')
    // The review has the focus on its own button.
    await page.getByRole('dialog', { name: 'Review and publish' }).waitFor()
    await keys.press('Enter')
    await page.getByText('Campaign published successfully!').waitFor()
    await page
      .getByRole('row', { name: /Made without a mouse/ })
      .getByText('In Moderation')
      .waitFor()
    expect(complaints).toEqual([])
  })
})

/** Sections stand before the fields: the way to another one leads backwards. */
async function tabToSection(page: Page, settled: () => Promise<unknown>, name: string): Promise<void> {
  const wanted = page.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name })
  for (let steps = 0; steps < 60; steps++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Shift+Tab')
    await settled()
  }
  throw new Error(`Shift+Tab does not lead to ${name}`)
}
