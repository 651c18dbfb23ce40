import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('a proof of the last five minutes, in a browser', () => {
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

  /** As if the user had signed in six minutes ago, in every session. */
  async function makeOld(email: string): Promise<void> {
    const { rowCount } = await product.database.pool.query(
      `update identity.session_families set proved_at = now() - interval '6 minutes'
       where person_id = (select id from identity.people where email = $1)`,
      [email],
    )
    expect(rowCount).toBeGreaterThan(0)
  }
  async function eventsOf(type: string): Promise<number> {
    const { rows } = await product.database.pool.query<{ n: number }>(
      'select count(*)::int as n from es.events where type = $1',
      [type],
    )
    return rows[0]?.n ?? -1
  }
  const question = (page: Page, name = 'Confirm that it is you') => page.getByRole('dialog', { name })

  it('a proof is asked over a dialog, loses nothing typed when the owner gives up, and lets the act happen once', async () => {
    const { page, complaints } = await openPage(browser, product.base, { colorScheme: 'dark' })
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.getByRole('button', { name: /^Current account/ }).waitFor()
    await page.keyboard.press('/')
    await page.getByRole('dialog', { name: 'Search accounts and campaigns' }).waitFor()
    await page.keyboard.type('lag')
    await page.getByRole('link', { name: 'Details of Lagos Foods' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lagos Foods' }).waitFor()
    await page.getByRole('button', { name: 'Credit funds' }).click()
    const credit = page.getByRole('dialog', { name: 'Credit Lagos Foods' })
    const amount = credit.getByLabel('Amount')
    await amount.fill('275')
    const comment = credit.getByLabel('Comment')
    await comment.fill('Bank transfer')
    await makeOld('owner@dsp.example')
    const before = await eventsOf('FundsCredited')

    await amount.press('Enter')
    await question(page).waitFor()
    await expect
      .poll(() =>
        question(page)
          .getByLabel('Current password')
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.press('Escape')
    await page.getByText('Nothing was changed: you did not confirm that it is you.').first().waitFor()
    await question(page).waitFor({ state: 'detached' })
    expect([await amount.inputValue(), await comment.inputValue()]).toEqual(['275', 'Bank transfer'])
    expect(await eventsOf('FundsCredited')).toBe(before)

    await amount.press('Enter')
    await question(page).waitFor()
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await question(page).getByText('The password is not right').waitFor()
    await question(page).getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Changes saved successfully!').waitFor()
    await question(page).waitFor({ state: 'detached' })
    expect(await eventsOf('FundsCredited')).toBe(before + 1)

    // The proof holds for the next act.
    await page.getByRole('button', { name: 'Credit funds' }).click()
    await amount.fill('5')
    await comment.fill('Rest')
    await amount.press('Enter')
    await expect.poll(() => eventsOf('FundsCredited')).toBe(before + 2)
    expect(complaints).toEqual([])
  })

  it('a proof of the last five minutes is asked in Russian, before a role is changed by keyboard', async () => {
    const { page, complaints } = await openPage(browser, product.base, { locale: 'ru-RU' })
    await page.goto('/auth/login')
    await page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await page.reload()
    await page.getByLabel('Имя пользователя').fill('ada@nile.example')
    await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/campaigns*')
    await page.goto('/team')
    await page.getByRole('button', { name: 'Действия: Karim Saleh' }).press('Enter')
    await makeOld('ada@nile.example')
    await page.getByRole('menuitem', { name: 'Изменить роль' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Изменить роль: Karim Saleh' })
    await dialog.getByRole('radio').nth(1).check()
    const before = await eventsOf('PersonRolesChanged')
    await dialog.getByRole('button', { name: 'Изменить роль' }).press('Enter')
    await question(page, 'Подтвердите, что это вы').getByText('Всё, что вы ввели, осталось на месте.').waitFor()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Роль изменена: Karim Saleh').waitFor()
    expect(await eventsOf('PersonRolesChanged')).toBe(before + 1)
    expect(complaints).toEqual([])
  })

  it('a proof of the last five minutes is given by a passkey', async () => {
    // An address has no passkeys.
    const { page, complaints } = await openPage(browser, product.base.replace('127.0.0.1', 'localhost'))
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await signInAs(page, 'bola@lagos.example', PASSWORD)
    await page.goto('/profile?tab=security')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The passkey was added.').waitFor()
    await makeOld('bola@lagos.example')

    await page.getByRole('button', { name: 'Remove Laptop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await question(page).getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('No passkeys yet.').waitFor()
    await question(page).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})
