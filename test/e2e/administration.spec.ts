import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { openPage, signInAs } from '../support/page.ts'
import { eventually, PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('the administration, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let delivery: Awaited<ReturnType<typeof deliveryIn>>
  let campaign = ''
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    browser = await sharedBrowser()
    delivery = await deliveryIn(product)
    campaign = await delivery.running({ name: 'Summer by the Nile' })
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const serving = async () => {
    const { data } = await delivery.bidder.call<{ campaigns: { id: string }[] }>('GET', '/v1/delivery/campaigns')
    return data.campaigns.some(({ id }) => id === campaign)
  }
  /** Moves the focus by Tab alone. */
  const tabTo = async (page: Page, name: string | RegExp, role: 'button' | 'link' | 'textbox' = 'button') => {
    const wanted = page.getByRole(role, { name }).first()
    await wanted.waitFor()
    for (let steps = 0; steps < 120; steps++) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not lead to ${String(name)}`)
  }

  // covers USR-21 USR-22 ROLE-05 ROLE-06
  it('lets an owner find an account with a typing error, switch, edit a campaign and go back, by keyboard', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    const keys = page.keyboard
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.getByRole('button', { name: /^Current account/ }).waitFor()
    await keys.press('/')
    const drawer = page.getByRole('dialog', { name: 'Search accounts and campaigns' })
    await drawer.getByRole('region', { name: 'Accounts' }).getByText('Nile Travel').waitFor()
    await keys.type('nile travle')
    await drawer.getByRole('tab', { name: 'Accounts (1)' }).waitFor()
    await keys.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Nile Travel')
    await keys.press('Enter')
    await page.getByText('You act in Nile Travel').waitFor()
    await page.waitForURL('**/campaigns*')
    await page.getByRole('link', { name: 'Summer by the Nile' }).waitFor()

    // A reload keeps the account.
    await page.reload()
    await page.getByText('You act in Nile Travel').waitFor()
    await page.getByRole('link', { name: 'Summer by the Nile' }).waitFor()

    await keys.press('/')
    await drawer.waitFor()
    await keys.type('sumer')
    await drawer.getByRole('heading', { name: 'Search results for sumer' }).waitFor()
    await drawer.getByRole('button', { name: /Summer by the Nile/ }).waitFor()
    await keys.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Summer by the Nile')
    await keys.press('Enter')
    await page.waitForURL(`**/campaign/edit/${campaign}?tab=basicInfo`)
    const budget = page.getByLabel('Daily budget', { exact: false }).first()
    await budget.waitFor()
    await budget.focus()
    await keys.press('Control+A')
    await keys.type('61')
    await tabTo(page, /^Save/)
    await keys.press('Enter')
    await expect
      .poll(async () => (await delivery.ada.call('GET', `/v1/campaign/${campaign}`)).data.budget, { timeout: 10_000 })
      .toBe(61)

    await page.keyboard.press('Escape')
    await tabTo(page, 'Back to my account')
    await keys.press('Enter')
    await expect.poll(() => page.getByText('You act in Nile Travel').count()).toBe(0)
    await page.waitForURL('**/campaigns*')
    expect(complaints).toEqual([])
  })

  it('lets an owner suspend and restore an account in Russian, by keyboard: its campaigns and its users follow', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    const ada = await openPage(browser, product.base)
    const keys = page.keyboard
    await signInAs(ada.page, 'ada@nile.example', PASSWORD)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.getByRole('button', { name: /^Search…/ }).waitFor()
    await keys.press('Control+K')
    await page.getByRole('option', { name: 'Language: Русский' }).waitFor()
    await keys.type('русский')
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Поиск…/ }).waitFor()
    await page.goto('/admin/accounts?q=nile')
    const link = page.getByRole('table', { name: 'Аккаунты' }).getByRole('link', { name: 'Nile Travel' })
    await link.focus()
    await keys.press('Enter')
    await page.waitForURL('**/admin/user/details/*')
    await tabTo(page, 'Приостановить')
    await keys.press('Enter')
    await page.getByRole('dialog').getByLabel('Причина').focus()
    await keys.type('Счета не оплачены')
    await tabTo(page, 'Приостановить аккаунт')
    await keys.press('Enter')
    await page.getByText(/Аккаунт приостановлен с .*Счета не оплачены/).waitFor()
    await eventually(serving, (serves) => !serves)
    // Ada is signed out at her next call, and cannot come back.
    await ada.page.goto('/reports')
    await ada.page.getByLabel('Password', { exact: true }).waitFor()

    await tabTo(page, 'Восстановить')
    await keys.press('Enter')
    await page.getByRole('dialog').getByLabel('Причина').focus()
    await keys.type('Оплачено')
    await tabTo(page, 'Восстановить аккаунт')
    await keys.press('Enter')
    await page.getByRole('button', { name: 'Приостановить' }).waitFor()
    await eventually(serving, (serves) => serves)
    const back = await openPage(browser, product.base)
    await signInAs(back.page, 'ada@nile.example', PASSWORD)
    await page.getByRole('tab', { name: 'История' }).click()
    await page.getByText('Причина: Оплачено').waitFor()
    expect(complaints).toEqual([])
  })
})
