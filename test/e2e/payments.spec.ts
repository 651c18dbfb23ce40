import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { outboxOf } from '../support/mails.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const SHOTS = process.env['PAYMENTS_SHOTS']

describe('payments by card, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let bola: Session
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    bola = await product.as('bola@lagos.example')
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const shot = async (page: Page, name: string) => {
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` })
  }
  type Listed = { readonly data: readonly { readonly name: string; readonly status_key: number }[] }
  const statuses = async () => {
    const { data } = await bola.call<Listed>('POST', '/v1/campaign/list/v2', {})
    return new Map(data.data.map(({ name, status_key }) => [name, status_key]))
  }
  const card = (page: Page, text: string): Locator => page.getByTestId('card').filter({ hasText: text })
  async function addCard(outcome: string, within: Locator) {
    await within.getByText('Test mode: no real money moves.').waitFor()
    await within.getByText(outcome).click()
    await within.getByRole('button', { name: 'Add a card' }).click()
    await within.waitFor({ state: 'hidden' })
  }
  const refills = (page: Page, table = 'Refills') => page.getByRole('table', { name: table }).getByTestId(/^refill-/)
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

  it('lets an advertiser refill with a test card, and a campaign that waits for funds starts by itself', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    const before = await statuses()
    const waiting = [...before].filter(([, status]) => status === 44).map(([name]) => name)
    expect(waiting.length).toBeGreaterThan(0)
    await signInAs(page, 'bola@lagos.example', PASSWORD)
    await page.getByRole('link', { name: 'Billing' }).click()
    await page.getByRole('button', { name: 'Refill' }).click()
    const refill = dialog(page, 'Refill the balance')
    await refill.getByText('Add a card first').waitFor()
    await refill.getByRole('button', { name: 'Add a card' }).click()
    const add = dialog(page, 'Add a card')
    await add.getByText('Every payment succeeds').first().waitFor()
    await shot(page, 'add-card')
    await addCard('Visa •••• 4242', add)
    await refill.getByLabel('Amount').fill('1')
    await refill.getByRole('button', { name: /^Pay/ }).click()
    await refill.getByText('From ₦1,000.00 to ₦999,999.00').waitFor()
    await refill.getByRole('button', { name: '₦100,000.00' }).click()
    await shot(page, 'refill')
    await refill.getByRole('button', { name: 'Pay ₦100,000.00' }).click()
    await refill.getByText('₦100,000.00 added to the balance').waitFor()
    await shot(page, 'refilled')
    await refill.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Funds').getByText('₦100,000.00').first().waitFor()
    await expect.poll(async () => (await statuses()).get(waiting[0] ?? ''), { timeout: 20_000 }).toBe(3)
    const receipts = async () =>
      (await outboxOf(product.dataDir)).filter(({ subject }) => subject?.startsWith('Receipt') === true)
    await expect
      .poll(async () => (await receipts()).map(({ text }) => text), { timeout: 10_000 })
      .toEqual([expect.stringContaining('Visa •••• 4242')])

    await page.getByRole('tab', { name: 'Cards and refills' }).click()
    await card(page, 'Visa •••• 4242').getByText('Default').waitFor()
    const row = refills(page).first()
    await row.getByText('Paid').waitFor()
    expect(await row.textContent()).toContain('₦100,000.00')
    await shot(page, 'cards')
    expect(complaints).toEqual([])
  })

  it('explains a declined card, and keeps what was typed', async () => {
    const { page, complaints } = await openPage(browser, product.base, { colorScheme: 'dark' })
    await signInAs(page, 'bola@lagos.example', PASSWORD)
    await page.goto('/payments/history?tab=cards')
    await page.getByRole('button', { name: 'Add a card' }).click()
    await addCard('Declined: insufficient funds', dialog(page, 'Add a card'))
    await card(page, '9995').waitFor()
    await page.getByRole('button', { name: 'Refill' }).click()
    const refill = dialog(page, 'Refill the balance')
    await refill.getByLabel('Amount').fill('5000')
    await refill.getByLabel('Card').selectOption({ label: 'Visa •••• 9995' })
    await refill.getByRole('button', { name: /^Pay/ }).click()
    await refill
      .getByRole('alert')
      .getByText('The card does not have enough funds. Use another card or a smaller amount.')
      .waitFor()
    await shot(page, 'declined')
    expect(await refill.getByLabel('Amount').inputValue()).toBe('5000')
    await refill.getByLabel('Card').selectOption({ label: 'Visa •••• 4242' })
    await refill.getByRole('button', { name: /^Pay/ }).click()
    await refill.getByText('₦5,000.00 added to the balance').waitFor()
    await refill.getByRole('button', { name: 'Done' }).click()
    await refills(page).filter({ hasText: 'Failed' }).getByText('The card does not have enough funds').waitFor()
    expect(complaints).toEqual([])
  })

  it('completes a confirmation by the bank, in Russian', async () => {
    const { page, complaints } = await openPage(browser, product.base, { locale: 'ru-RU' })
    await page.goto('/auth/login')
    await page.evaluate(() => localStorage.setItem('language', 'ru'))
    const { id } = (await bola.call<{ id: string }>('GET', '/v1/user/me')).data
    expect((await bola.call('PUT', `/v1/user/${id}`, { language_key: 2 })).code).toBe(0)
    await page.reload()
    await page.locator('input').first().fill('bola@lagos.example')
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.locator('button[type=submit]').click()
    await page.waitForURL('**/campaigns*')
    await page.goto('/payments/history?tab=cards')
    await page.getByRole('button', { name: 'Добавить карту' }).click()
    const add = dialog(page, 'Добавить карту')
    await add.getByText('Банк просит подтверждение (3-D Secure)').click()
    await add.getByText('Тестовый режим').waitFor()
    await add.getByRole('button', { name: 'Добавить карту' }).click()
    await card(page, '3155').waitFor()
    await shot(page, 'cards-ru')
    await page.getByRole('button', { name: 'Пополнить' }).click()
    const refill = dialog(page, 'Пополнение баланса')
    await refill.getByLabel('Сумма').fill('2500,50')
    await refill.getByLabel('Карта').selectOption({ label: 'Visa •••• 3155' })
    await refill.getByRole('button', { name: /^Оплатить/ }).click()
    await refill.getByText('Банк просит подтвердить платёж').waitFor()
    await shot(page, 'confirm-ru')
    await refill.getByRole('button', { name: 'Подтвердить' }).click()
    await refill.getByText(/Баланс пополнен на/).waitFor()
    await refill.getByRole('button', { name: 'Готово' }).click()
    await refills(page, 'Пополнения').first().getByText('Оплачено').waitFor()
    expect(complaints).toEqual([])
  })
})
