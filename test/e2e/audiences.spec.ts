import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

const FILE = [
  'name,mobile',
  ...Array.from({ length: 40 }, (_, n) => `Guest ${n},2010012345${String(n).padStart(2, '0')}`),
  'Twice,201001234500',
  'Plus,+201001234567',
  'Local,01001234567',
].join('\n')

describe('audiences in the browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    ;[product, browser] = await Promise.all([startTestProduct(), sharedBrowser()])
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const ada = async () => {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    return watched
  }
  const ready = (page: Page) => page.locator('[data-slot=status]', { hasText: 'Ready' }).first().waitFor()
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) })

  it('uploads a file with errors, uses it in a campaign, and cannot delete it then', async () => {
    const { page, complaints, clicks } = await ada()
    const before = clicks()
    await page.getByRole('link', { name: 'Audience', exact: true }).click()
    await page.getByRole('link', { name: 'New audience' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Hotel guests')
    await page
      .getByLabel('Choose a CSV file')
      .setInputFiles({ name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
    await page.getByText('Recognised: mobile. Check it before you upload.').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('Audience Uploaded Successfully!').waitFor()
    await ready(page)
    expect(clicks() - before).toBe(3)
    const versions = page.getByRole('table', { name: 'Versions of the audience' })
    expect(await versions.textContent()).toMatch(/43.*40.*1.*Phone number with \+ or 00.*Phone number without country code/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rejected rows of version 1' }).click()
    expect((await download).suggestedFilename()).toBe('rejected-rows-1.csv')

    await page.goto('/campaigns')
    await page.getByRole('link', { name: 'Oasis escape' }).first().click()
    await page
      .getByRole('link', { name: /Targeting/ })
      .or(page.getByRole('tab', { name: /Targeting/ }))
      .or(page.getByRole('button', { name: /^Targeting/ }))
      .first()
      .click()
    const manual = page.getByRole('radio', { name: /manual/i }).first()
    await manual.check({ force: true })
    const search = page.getByRole('combobox', { name: 'Search audiences by name' })
    await search.fill('hotel')
    await page.getByRole('option', { name: /Hotel guests/ }).waitFor()
    // The first option is chosen by the keyboard: the list may reach below the footer of the form.
    await search.press('Enter')
    await page.getByRole('button', { name: 'Remove Hotel guests' }).waitFor()
    await page.getByRole('button', { name: /^Save/ }).first().click()
    await page.getByText(/saved/i).first().waitFor()

    await page.goto('/audiences')
    await row(page, 'Hotel guests').getByText('1 campaign').waitFor()
    await page.getByRole('button', { name: 'Delete Hotel guests' }).click()
    const dialog = page.getByRole('dialog', { name: 'Audience is used by campaigns' })
    await dialog.getByRole('link', { name: 'Oasis escape' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    expect(complaints).toEqual([])
  })

  it('describes visitors by rules, and follows their number', async () => {
    const { page, complaints } = await ada()
    await page.goto('/audience/create')
    await page.getByText('Visitors by rule', { exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Searchers')
    await page.getByRole('button', { name: 'Add rule to group 1' }).click()
    await page.getByLabel('Filter').selectOption({ label: 'Events, 30 days' })
    await page.getByLabel('Operator').selectOption({ label: 'is more than' })
    await page.getByLabel('Value').fill('0')
    await page.getByRole('button', { name: 'Preview size' }).click()
    await page.getByText(/visitors? match|No visitors with an id/).waitFor()
    await page.getByRole('button', { name: 'Create audience' }).click()
    await page.getByRole('heading', { level: 1, name: 'Searchers' }).waitFor()
    await ready(page)
    await page.getByText('Events, 30 days is more than 0').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete audience' }).click()
    await page.getByText('Audience deleted').waitFor()
    await page.waitForURL('**/audiences')
    expect(await row(page, 'Searchers').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  // covers SHELL-01
  it('an advertiser opens campaigns, audiences, reports and payments', async () => {
    const { page } = await ada()
    for (const [link, heading] of [
      ['Campaigns', 'Campaigns'],
      ['Audience', 'Audiences'],
      ['Reports', 'Reports'],
      ['Billing', 'Billing'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: link }).click()
      await page.getByRole('heading', { level: 1, name: new RegExp(heading) }).waitFor()
    }
  })
})
