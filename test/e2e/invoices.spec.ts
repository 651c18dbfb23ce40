import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { launchBrowser } from '../support/browser.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { openPage } from '../support/page.ts'
import { eventually, PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

const TODAY = new Date().toISOString().slice(0, 10)

describe('invoices, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    browser = await launchBrowser()
    const delivery = await deliveryIn(product)
    const campaign = await delivery.running({ name: 'Summer by the Nile' })
    await delivery.send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 100, spent: 42.5 }])
    await eventually(
      () => product.database.pool.query('select from app.settlements where recorded'),
      ({ rows }) => rows.length > 0,
      20_000,
    )
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await product.stop()
  })

  async function enter(page: Page, email: string, path: string): Promise<void> {
    await page.goto('/auth/login')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/auth/'))
    await page.goto(path)
  }
  const status = (page: Page, name: string) =>
    page.getByRole('banner').or(page.locator('main')).getByText(name, { exact: true }).first()

  /** Drafts an invoice of today from the page of an account, and sends it. Returns its number. */
  async function createAndSend(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Create invoice' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an invoice' })
    await dialog.getByLabel('From', { exact: true }).fill(TODAY)
    await dialog.getByLabel('To, included').fill(TODAY)
    const finder = dialog.getByRole('combobox', { name: 'Account' })
    if ((await finder.count()) > 0) {
      await finder.click()
      await page.getByRole('option', { name: /Nile Travel/ }).click()
    }
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.waitForURL('**/admin/invoice/details/*')
    await page.getByRole('button', { name: /Summer by the Nile/ }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    const heading = page.getByRole('heading', { name: /^DSP-\d{4}-\d{6}$/ })
    await heading.waitFor()
    return (await heading.textContent()) ?? ''
  }

  // covers ADM-14 ADM-15
  it('lets an accountant create and send one, log a part payment, see what is behind a line, and read the PDF', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await enter(page, 'accountant@dsp.example', '/admin/payments')
    await page.getByText('No invoices yet').waitFor()
    const number = await createAndSend(page)
    expect(number).toMatch(/000001$/)
    await status(page, 'Sent').waitFor()

    await page.getByRole('button', { name: /Summer by the Nile/ }).click()
    await page.getByText(/^Settlement \d+: \$42.50$/).waitFor()

    await page.getByRole('button', { name: 'Log payment' }).click()
    const dialog = page.getByRole('dialog', { name: `Log a payment for ${number}` })
    await dialog.getByLabel('Amount').fill('12.50')
    await dialog.getByLabel('Reference').fill('W-1')
    await dialog.getByRole('button', { name: 'Log payment' }).click()
    await status(page, 'Part paid').waitFor()
    await page.getByRole('tab', { name: 'Payments' }).click()
    await page.getByRole('row', { name: /Bank transfer.*W-1.*\$12.50/ }).waitFor()

    await page.getByRole('tab', { name: 'PDF' }).click()
    await page.getByTitle('Invoice as PDF').waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save PDF' }).click()])
    expect(download.suggestedFilename()).toBe(`${number}.pdf`)
    const bytes = await readFile(await download.path())
    const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true })
    expect(text).toContain(number)
    expect(text).toContain('Summer by the Nile')
    expect(text).toContain('$30.00')

    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    await page.getByRole('row', { name: new RegExp(`${number}.*Nile Travel.*Part paid.*\\$42.50.*\\$30.00`) }).waitFor()
    expect(complaints).toEqual([])
  }, 90_000)

  // covers ROUTE-23
  it('lets an owner void it and issue it again under a new number', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await enter(page, 'owner@dsp.example', '/admin/payments')
    await page.getByRole('link', { name: /000001$/ }).click()
    await page.waitForURL('**/admin/invoice/details/*')
    await page.getByRole('button', { name: 'Void' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Void invoice' }).click()
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Comment').fill('Wrong terms')
    await dialog.getByRole('button', { name: 'Void invoice' }).click()
    await status(page, 'Void').waitFor()
    await page.getByRole('button', { name: 'Log payment' }).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    expect(await createAndSend(page)).toMatch(/000002$/)
    await page.getByRole('button', { name: 'Pay from balance' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
    await status(page, 'Paid').waitFor()
    expect(complaints).toEqual([])
  }, 90_000)

  it('shows an advertiser the own invoices, in Russian too, without steps of staff', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await enter(page, 'ada@nile.example', '/payments/history?tab=invoices')
    await page.getByRole('link', { name: /000002$/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /Русский/ }).click()
    await page.getByRole('row', { name: /000002.*Оплачен/ }).waitFor()
    await page.getByRole('link', { name: /000002$/ }).click()
    await page.waitForURL('**/payments/invoice/*')
    await page.getByText('Покупатель').waitFor()
    await page.getByRole('tab', { name: 'Платежи' }).click()
    await page.getByRole('row', { name: /С баланса/ }).waitFor()
    expect(await page.getByRole('button', { name: /Аннулировать|Отправить/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  }, 90_000)
})
