import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('an advertiser sets the hours of a week', () => {
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

  const cell = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true })

  async function open(name: string) {
    const ada = await product.as('ada@nile.example')
    const body = await publishable(product.base, ada)
    const { id } = (await ada.call('POST', '/v1/campaign', { ...body, name, freq_and_scheduling_on: true })).data
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto(`/campaign/edit/${id}?tab=frequency`)
    await page.getByRole('grid', { name: 'Schedule' }).waitFor()
    const stored = async () =>
      (await ada.call<{ scheduling: Record<string, string[]> }>('GET', `/v1/campaign/${id}`)).data.scheduling
    return { page, complaints, stored }
  }
  async function save(page: Page) {
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Save', exact: true }).focus()
    await page.keyboard.press('Enter')
    expect((await saved).status()).toBe(200)
  }

  it('by dragging over them, and finds them again', async () => {
    const { page, complaints, stored } = await open('Hours by hand')
    await cell(page, 'Monday 09:00').hover()
    await page.mouse.down()
    await cell(page, 'Tuesday 10:00').hover()
    await cell(page, 'Wednesday 12:00').hover()
    await page.mouse.up()
    // Let go, nothing more is painted.
    await cell(page, 'Friday 20:00').hover()
    expect(await page.getByRole('gridcell', { selected: true }).count()).toBe(12)
    // The first hour of a stroke decides: this one takes away.
    await cell(page, 'Tuesday 10:00').hover()
    await page.mouse.down()
    await cell(page, 'Tuesday 11:00').hover()
    await page.mouse.up()
    expect(await page.getByText('10 of 168 hours').isVisible()).toBe(true)
    await save(page)
    const hours = ['09', '10', '11', '12']
    // Another session reads it: once the read models are there.
    await expect.poll(stored).toMatchObject({ '1': hours, '2': ['09', '12'], '3': hours })
    await page.goto(page.url().replace(/tab=\w+/, 'tab=frequency'))
    await page.getByRole('grid', { name: 'Schedule' }).waitFor()
    expect(await page.getByRole('gridcell', { selected: true }).count()).toBe(10)
    expect(complaints).toEqual([])
  })

  it('by keys alone', async () => {
    const { page, complaints, stored } = await open('Hours by keys')
    // One stop of Tab: from there by arrows.
    await page.getByRole('button', { name: 'Clear' }).focus()
    await page.keyboard.press('Tab')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    expect(await focused()).toBe('Monday 00:00')
    for (let step = 0; step < 8; step++) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    expect(await focused()).toBe('Tuesday 09:00')
    expect(await page.getByRole('gridcell', { selected: true }).count()).toBe(3)
    // The header of an hour takes it on every day.
    await page.keyboard.press('Control+Home')
    for (let step = 0; step < 21; step++) await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('All days 20:00')
    await page.keyboard.press('Enter')
    expect(await page.getByText('10 of 168 hours').isVisible()).toBe(true)
    await save(page)
    await expect.poll(stored).toMatchObject({ '1': ['08', '09', '20'], '2': ['09', '20'], '0': ['20'] })
    expect(complaints).toEqual([])
  })
})
