import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, png, startTestProduct, type TestProduct } from '../support/product.ts'

describe("a user's settings, in a browser", () => {
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

  const codeAt = (secret: string, at = Date.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate({ timestamp: at })
  const typePassword = async (page: Page, email: string) => {
    await page.goto('/auth/login')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
  }

  it("a user's settings change the name and the picture, and switch the language of the application", async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'clerk@nile.example', PASSWORD)
    await page.goto('/profile')
    await page.getByLabel('First name').fill('Kamal')
    await page.getByLabel('Language').selectOption('2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Настройки' }).waitFor()
    await page.getByRole('button', { name: /Kamal Saleh/ }).waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await png(400, 300) })
    await page.getByRole('dialog', { name: 'Обрезать фотографию' }).waitFor()
    await page.getByRole('slider').press('ArrowRight')
    await page.getByRole('button', { name: 'Сохранить' }).last().click()
    await expect.poll(() => page.locator('img[src^="blob:"]').count()).toBe(2)
    expect(complaints).toEqual([])
  })

  it("a user's settings set up a second factor by keyboard, sign in with it, and end the other session", async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'bola@lagos.example', PASSWORD)
    await page.goto('/profile?tab=security')
    await page.getByRole('button', { name: 'Set up' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Continue' }).press('Enter')
    await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(/\s/g, '')
    // The code of the step before leaves the current one for the sign-in.
    await dialog.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now() - 30_000))
    await page.keyboard.press('Enter')
    const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect.poll(() => codes.count()).toBe(10)
    const recovery = (await codes.first().textContent()) ?? ''
    await dialog.getByRole('button', { name: 'I have kept them' }).press('Enter')
    await page.getByText('On. 10 recovery codes are left.').waitFor()

    const other = await openPage(browser, product.base)
    await typePassword(other.page, 'bola@lagos.example')
    await other.page.getByLabel('Code').fill('000000')
    await other.page.keyboard.press('Enter')
    await other.page.getByText('The code is not right.').waitFor()
    await other.page.getByLabel('Code').fill(codeAt(secret))
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL('**/campaigns*')

    await page.reload()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('1 session was signed out.').waitFor()
    await other.page.goto('/campaigns')
    await other.page.waitForURL('**/auth/login*')

    await typePassword(other.page, 'bola@lagos.example')
    await other.page.getByLabel('Code').fill(recovery)
    await other.page.keyboard.press('Enter')
    await other.page.waitForURL('**/campaigns*')
    expect(complaints).toEqual([])
    expect(other.complaints).toEqual([])
  })
})
