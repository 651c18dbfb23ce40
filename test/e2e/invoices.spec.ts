import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { openPage, pickCountry } from '../support/page.ts'
import { eventually, PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

const TODAY = new Date().toISOString().slice(0, 10)

describe('invoices, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    browser = await sharedBrowser()
    const delivery = await deliveryIn(product)
    const campaign = await delivery.running({ name: 'Summer by the Nile' })
    await delivery.send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 100, spent: 42.5 }])
    await eventually(
      () => product.database.pool.query('select from app.settlements where recorded'),
      ({ rows }) => rows.length > 0,
    )
  }, 120_000)
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  async function enter(page: Page, email: string, path: string): Promise<void> {
    await page.goto('/auth/login')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
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
    await dialog.getByLabel('To, included', { exact: true }).fill(TODAY)
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
    const { page, complaints, clicks } = await openPage(browser, product.base)
    await enter(page, 'accountant@dsp.example', '/admin/payments')
    await page.getByText('No invoices yet').waitFor()
    const before = clicks()
    const number = await createAndSend(page)
    expect(clicks() - before).toBeLessThanOrEqual(8)
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

  it('lets an owner name the seller and a tax, preview both, and find them on the next invoice', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await enter(page, 'owner@dsp.example', '/admin/customization')
    await page.getByLabel('Legal name').fill('Placard Medien GmbH')
    await page.getByLabel('City').fill('Berlin')
    await pickCountry(page, 'Germany')
    await page.getByLabel('Tax number').fill('DE123456789')
    await page.getByLabel('Email for invoices').fill('billing@placard.example')
    await page.getByLabel('IBAN or account number').fill('DE89370400440532013000')
    await page.getByLabel('Tax mode').selectOption('exclusive')
    await page.getByLabel('Tax rate, %').fill('19')
    await page.getByLabel('What to preview').selectOption('Mail with an invoice')
    await page
      .frameLocator('iframe')
      .getByRole('heading', { name: /^Invoice DSP-/ })
      .waitFor()
    await page.getByLabel('What to preview').selectOption('Invoice')
    await page.locator('iframe[title="Invoice"][src^="blob:"]').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved successfully!').waitFor()

    const delivery = await deliveryIn(product)
    const campaign = await delivery.running({ name: 'Autumn by the Nile' })
    await delivery.send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 5000, spent: 10 }])
    const accountant = await product.as('accountant@dsp.example')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const draft = { space_id: delivery.space, charge_from_date: tomorrow, charge_to_date: tomorrow, allow_empty: false }
    // Delivery of a day that is on an invoice already goes on the next one, once it is settled.
    const { data } = await eventually(
      () => accountant.call<{ id: string }>('POST', '/v1/invoice/create', draft),
      ({ code }) => code === 0,
    )
    await page.goto(`/admin/invoice/details/${data.id}`)
    await page.getByRole('button', { name: /Autumn by the Nile.*5,000.*\$2\.0000.*\$10\.00/ }).waitFor()
    const lines = page.getByRole('region', { name: 'Lines' })
    for (const text of ['VAT 19%', '$1.90', 'Total (USD)', '$11.90']) await lines.getByText(text, { exact: true }).waitFor()
    await page.getByText('Placard Medien GmbH').waitFor()
    await page.getByText('Not mailed yet').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('button', { name: 'UBL (XML)' }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Excel' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^DSP-\d{4}-\d{6}\.xlsx$/)
    await page.getByRole('button', { name: 'UBL (XML)' }).click()
    await page.getByText('Fill in first: country of the buyer, email of the buyer').waitFor()
    expect(complaints).toEqual([])
  })
})
