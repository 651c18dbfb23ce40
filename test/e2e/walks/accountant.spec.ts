import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '#test/support/delivery'
import { eventually } from '#test/support/product'
import { BY_KEYS_IN_RUSSIAN, walkIn } from './walk.ts'

/** Work of an accountant, an owner and the advertiser on the same invoices, one after the other. */
describe('an accountant', () => {
  const walk = walkIn(DELIVERED)
  let day = ''
  beforeAll(async () => {
    const delivery = await deliveryIn(walk.product)
    const campaign = await delivery.running({ name: 'Summer by the Nile' })
    const delivered = hour()
    day = delivered.slice(0, 10)
    await delivery.send(newId(), [{ hour: delivered, campaign_id: campaign, impressions: 100, spent: 42.5 }])
    await eventually(
      () => walk.product.database.pool.query('select from app.settlements where recorded'),
      ({ rows }) => rows.length > 0,
    )
  })

  const status = (page: Page, name: string) => page.locator('main').getByText(name, { exact: true }).first().waitFor()

  /** Drafts an invoice of the day of delivery, and sends it. Returns its number. */
  async function createAndSend(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Create invoice' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create an invoice' })
    await dialog.getByLabel('From', { exact: true }).fill(day)
    await dialog.getByLabel('To, included', { exact: true }).fill(day)
    await dialog.getByRole('combobox', { name: 'Account' }).click()
    await page.getByRole('option', { name: /Nile Travel/ }).click()
    await dialog.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('button', { name: /Summer by the Nile/ }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
    const heading = page.getByRole('heading', { name: /^DSP-\d{4}-\d{6}$/ })
    await heading.waitFor()
    return (await heading.textContent()) ?? ''
  }

  // covers ADM-14 ADM-15
  it('creates and sends an invoice, sees what is behind a line, logs a part payment, and saves the PDF', async () => {
    const page = await walk.arrive('accountant@dsp.example', '/admin/payments')
    await page.getByText('No invoices yet').waitFor()
    const number = await createAndSend(page)
    await status(page, 'Sent')
    await page.getByRole('button', { name: /Summer by the Nile/ }).click()
    await page.getByText(/^Settlement \d+: \$42.50$/).waitFor()
    await page.getByRole('button', { name: 'Log payment' }).click()
    const dialog = page.getByRole('dialog', { name: `Log a payment for ${number}` })
    await dialog.getByLabel('Amount').fill('12.50')
    await dialog.getByLabel('Reference').fill('W-1')
    await dialog.getByRole('button', { name: 'Log payment' }).click()
    await status(page, 'Part paid')

    await page.getByRole('tab', { name: 'PDF' }).click()
    await page.getByTitle('Invoice as PDF').waitFor()
    // A browser without a viewer of PDFs downloads the preview too, by its own name.
    const saved = page.waitForEvent('download', (file) => file.suggestedFilename() === `${number}.pdf`)
    await page.getByRole('button', { name: 'Save PDF' }).click()
    const download = await saved
    const bytes = await readFile(await download.path())
    const { text } = await extractText(await getDocumentProxy(Uint8Array.from(bytes)), { mergePages: true })
    for (const printed of [number, 'Summer by the Nile', '$30.00']) expect(text).toContain(printed)
    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    await page.getByRole('row', { name: new RegExp(`${number}.*Nile Travel.*Part paid.*\\$42.50.*\\$30.00`) }).waitFor()
  })

  // covers ROUTE-23
  it('an accountant has an owner void an invoice, issue it again and pay it from the balance', async () => {
    const page = await walk.arrive('owner@dsp.example', '/admin/payments')
    await page.getByRole('link', { name: /000001$/ }).click()
    await page.waitForURL('**/admin/invoice/details/*')
    await page.getByRole('button', { name: 'Void' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Comment').fill('Wrong terms')
    await dialog.getByRole('button', { name: 'Void invoice' }).click()
    await status(page, 'Void')
    await page.getByRole('link', { name: 'Invoices', exact: true }).click()
    expect(await createAndSend(page)).toMatch(/000002$/)
    await page.getByRole('button', { name: 'Pay from balance' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay', exact: true }).click()
    await status(page, 'Paid')
  })

  it('shows it to the advertiser, by keyboard in Russian in the dark, without the steps of staff', async () => {
    const page = await walk.arrive('ada@nile.example', '/payments/history?tab=invoices', BY_KEYS_IN_RUSSIAN)
    await page.getByRole('row', { name: /000002.*Оплачен/ }).waitFor()
    await page.getByRole('link', { name: /000002$/ }).press('Enter')
    await page.waitForURL('**/payments/invoice/*')
    await page.getByRole('tab', { name: 'Платежи' }).press('Enter')
    await page.getByRole('row', { name: /С баланса/ }).waitFor()
    expect(await page.getByRole('button', { name: /Аннулировать|Отправить/ }).count()).toBe(0)
  })
})
