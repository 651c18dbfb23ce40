import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const MANY = 27

describe('the campaigns of every page', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  const ids: string[] = []
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    const content = await publishable(product.base, ada, { budget: 20 })
    for (let n = 1; n <= MANY; n++) {
      const made = await ada.call('POST', '/v1/campaign', { ...content, name: `Dahabiya ${n}` })
      expect(made.code).toBe(0)
      ids.push(made.data.id)
    }
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  /** What the read model holds, which may be behind the browser's writes. */
  const stored = () =>
    Promise.all(ids.map(async (id) => (await ada.call<{ budget: number; status_key: number }>('GET', `/v1/campaign/${id}`)).data))
  const budgets = async () => [...new Set((await stored()).map(({ budget }) => budget))]
  const statuses = async () => [...new Set((await stored()).map(({ status_key }) => status_key))]
  const open = async () => {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    await watched.page.goto('/campaigns?q=Dahabiya')
    await watched.page.getByText('1–10 of 27').waitFor()
    return watched
  }

  it('are edited together with the mouse, and changed back by one Undo', async () => {
    const { page, complaints } = await open()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    const bar = page.getByRole('toolbar')
    await bar.getByRole('button', { name: 'Select all 27' }).click()
    await bar.getByText('27 selected').waitFor()
    expect(await violations(page)).toEqual([])
    await bar.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 27 campaigns' })
    await dialog.getByLabel('Amount').fill('45')
    await dialog.getByText('27 of 27 will change').waitFor()
    await dialog.getByRole('button', { name: 'Apply to 27' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(budgets, { timeout: 20_000 }).toEqual([45])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('27 campaigns changed back').waitFor()
    await expect.poll(budgets, { timeout: 20_000 }).toEqual([20])
    expect(complaints).toEqual([])
  })

  it('are archived with the keyboard, and brought back by Z', async () => {
    const { page, complaints, clicks } = await open()
    const before = await statuses()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('toolbar').getByRole('button', { name: 'Select all 27' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('27 selected').waitFor()
    await expect
      .poll(() =>
        page.getByRole('button', { name: 'Edit', exact: true }).evaluate((element) => element === document.activeElement),
      )
      .toBe(true)
    const signedIn = clicks()
    await page.keyboard.press('Shift+A')
    await page.getByText('27 campaigns archived').waitFor()
    await expect.poll(statuses, { timeout: 20_000 }).toEqual([5])
    await page.keyboard.press('z')
    await page.getByText('27 campaigns changed back').waitFor()
    await expect.poll(statuses, { timeout: 20_000 }).toEqual(before)
    expect(clicks()).toBe(signedIn)
    expect(complaints).toEqual([])
  })
})
