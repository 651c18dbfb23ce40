import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

const TYPED = 'https://nile.example/typed'

describe('changes that are not saved', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const ada = await product.as('ada@nile.example')
    const body = await publishable(product.base, ada, { name: 'Half done' })
    await ada.call('POST', '/v1/campaign', body)
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  /** From the list, as somebody has filtered it, into the form, where an address is typed. */
  const change = async () => {
    const watched = await openPage(browser, product.base)
    const { page } = watched
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto('/campaigns?q=Half')
    await page.getByRole('link', { name: 'Half done' }).click()
    await page.getByLabel('Landing page URL').fill(TYPED)
    return { ...watched, url: page.url() }
  }
  const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
  const answer = async (page: Page, name: string) => {
    await question(page).getByRole('button', { name }).click()
    await question(page).waitFor({ state: 'hidden' })
  }
  const hasFocus = (page: Page, label: string) => page.getByLabel(label).evaluate((element) => element === document.activeElement)
  const menuEntry = (page: Page) =>
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Campaigns' })
  const back = (page: Page) => page.evaluate(() => history.back())

  // covers CAM-FORM-32
  it('changes that are not saved are asked about in a dialog 480 px wide', async () => {
    const { page } = await change()
    await menuEntry(page).click()
    await expect.poll(async () => (await question(page).boundingBox())?.width).toBe(480)
  })

  it('changes that are not saved survive Back for as long as one stays, with the focus where it was; then Back leads back', async () => {
    const { page, complaints, url } = await change()
    for (let time = 0; time < 2; time++) {
      await back(page)
      await answer(page, 'Stay')
      expect(page.url()).toBe(url)
      expect(await page.getByLabel('Landing page URL').inputValue()).toBe(TYPED)
      await expect.poll(() => hasFocus(page, 'Landing page URL')).toBe(true)
    }
    await back(page)
    await answer(page, 'Leave')
    await page.waitForURL('**/campaigns?q=Half')
    expect(complaints).toEqual([])
  })

  it('unsaved changes survive a link for as long as one stays, which gets the focus back; then the link leads on', async () => {
    const { page, complaints, url } = await change()
    await menuEntry(page).click()
    await answer(page, 'Stay')
    expect(page.url()).toBe(url)
    expect(await page.getByLabel('Landing page URL').inputValue()).toBe(TYPED)
    await expect.poll(() => menuEntry(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await menuEntry(page).click()
    await answer(page, 'Leave')
    await page.waitForURL('**/campaigns')
    expect(complaints).toEqual([])
  })

  it('changes that are not saved are given up by Cancel, which leads to the list as it was left', async () => {
    const { page, complaints } = await change()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await answer(page, 'Leave')
    await page.waitForURL('**/campaigns?q=Half')
    await page.getByRole('row', { name: /Half done/ }).click()
    expect(await page.getByLabel('Landing page URL').inputValue()).not.toBe(TYPED)
    expect(complaints).toEqual([])
  })

  it('changes that are not saved make the browser ask before a reload', async () => {
    const { page, complaints } = await change()
    const asked: string[] = []
    let stay = true
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void (stay ? dialog.dismiss() : dialog.accept())
    })
    await page.evaluate(() => setTimeout(() => location.reload()))
    await expect.poll(() => asked).toEqual(['beforeunload'])
    expect(await page.getByLabel('Landing page URL').inputValue()).toBe(TYPED)
    stay = false
    await page.reload()
    expect(asked).toEqual(['beforeunload', 'beforeunload'])
    await page.getByLabel('Landing page URL').waitFor()
    expect(await page.getByLabel('Landing page URL').inputValue()).toBe('https://nile.example/landing')
    expect(complaints).toEqual([])
  })

  it('changes that are not saved survive a closed window: they are offered, and saved from there', async () => {
    const { page, url } = await change()
    const context = page.context()
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('DSP_DRAFT')).length))
      .toBe(1)
    // Without `beforeunload`: as by a crash.
    await page.close()
    const next = await context.newPage()
    await next.goto(url)
    const offer = next.getByRole('region', { name: 'Continue where you left off?' })
    await offer.waitFor()
    expect(await next.getByLabel('Landing page URL').inputValue()).not.toBe(TYPED)
    expect(await violations(next)).toEqual([])
    await offer.getByRole('button', { name: 'Continue' }).click()
    expect(await next.getByLabel('Landing page URL').inputValue()).toBe(TYPED)
    await next.getByLabel('Landing page URL').press('Control+s')
    await next.getByText('Changes Saved Successfully').first().waitFor()
    await next.reload()
    await next.getByLabel('Landing page URL').waitFor()
    expect(await next.getByLabel('Landing page URL').inputValue()).toBe(TYPED)
    expect(await offer.count()).toBe(0)
  })

  it('changes that are not saved wait for the connection where one sees it, can be called off, and are saved once it is back', async () => {
    const { page } = await change()
    const field = page.getByLabel('Landing page URL')
    await field.fill('https://nile.example/offline')
    const waiting = page.getByText('No connection. Your changes are saved as soon as there is one.')
    await page.context().setOffline(true)
    await field.press('Control+s')
    await waiting.waitFor()
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await waiting.waitFor({ state: 'detached' })
    await field.press('Control+s')
    await waiting.waitFor()
    expect(await violations(page)).toEqual([])
    await page.context().setOffline(false)
    await page.getByText('Changes Saved Successfully').first().waitFor()
    await waiting.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
  })
})
