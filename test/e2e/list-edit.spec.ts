import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const MOST = 20

describe('editing campaigns in their list', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  const ids: string[] = []
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    for (let n = 1; n <= MOST; n++) {
      const name = `Felucca ${String(n).padStart(2, '0')}`
      const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name, budget: 20 }))
      ids.push(data.id)
    }
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  /** The budgets in the read model, which may be behind the browser's writes. */
  const budgets = () => Promise.all(ids.map(async (id) => (await ada.call('GET', `/v1/campaign/${id}`)).data.budget))
  const open = async () => {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    await watched.page.goto('/campaigns?q=Felucca&rows=25&sort=name&dir=asc')
    await watched.page.getByRole('link', { name: 'Felucca 01' }).waitFor()
    return watched
  }

  it('with the mouse: one budget in two clicks, in place; twenty in five; and each with one Undo', async () => {
    const { page, complaints, clicks } = await open()
    const row = page.getByRole('row', { name: /Felucca 03/ })
    const before = clicks()
    await row.getByText('$20.00 a day').click()
    await page.getByLabel('Daily budget').fill('35')
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('$35.00 a day').waitFor()
    expect(clicks() - before).toBe(2)
    expect(new URL(page.url()).pathname).toBe('/campaigns')
    await expect.poll(async () => (await budgets())[2]).toBe(35)
    await page.getByRole('button', { name: /^Undo/ }).click()
    await row.getByText('$20.00 a day').waitFor()

    const start = clicks()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: `Edit ${MOST} campaigns` })
    await dialog.getByText('Increase by').click()
    await dialog.getByLabel('Percent').fill('10')
    await expect.poll(() => dialog.getByText('$22.00').count()).toBe(MOST)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: `Apply to ${MOST}` }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(clicks() - start).toBeLessThanOrEqual(5)
    await expect.poll(async () => new Set(await budgets())).toEqual(new Set([22]))
    await page.getByText(`${MOST} campaigns changed`, { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText(`${MOST} campaigns changed back`).waitFor()
    await expect.poll(async () => new Set(await budgets())).toEqual(new Set([20]))
    expect(complaints).toEqual([])
  })

  it('with the keyboard: F2 renames, and an edit of several is undone by Z', async () => {
    const { page, complaints, clicks } = await open()
    const keys = page.keyboard
    await page.getByRole('link', { name: 'Felucca 01' }).focus()
    await keys.press('F2')
    await page.getByLabel('Campaign name').waitFor()
    await keys.type('Felucca 01 at dusk')
    await keys.press('Enter')
    const renamed = page.getByRole('link', { name: 'Felucca 01 at dusk' })
    await renamed.waitFor()
    await expect.poll(() => renamed.evaluate((element) => element === document.activeElement)).toBe(true)

    // Space selects from the link of a row, and the arrow moves to the next.
    await keys.press('Space')
    await keys.press('ArrowDown')
    await keys.press('Space')
    await keys.press('Shift+E')
    const dialog = page.getByRole('dialog', { name: 'Edit 2 campaigns' })
    await dialog.waitFor()
    await expect.poll(() => dialog.getByLabel('Amount').evaluate((element) => element === document.activeElement)).toBe(true)
    await keys.type('31')
    await dialog.getByText('2 of 2 will change').waitFor()
    await keys.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(async () => (await budgets()).slice(0, 3)).toEqual([31, 31, 20])
    await page.getByText('2 campaigns changed', { exact: true }).waitFor()
    await keys.press('z')
    await page.getByText('2 campaigns changed back').waitFor()
    await expect.poll(async () => (await budgets()).slice(0, 3)).toEqual([20, 20, 20])
    // Signing in is by the mouse.
    expect(clicks()).toBeLessThanOrEqual(1)
    expect(complaints).toEqual([])
  })
})
