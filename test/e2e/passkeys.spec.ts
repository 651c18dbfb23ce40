import { Secret, TOTP } from 'otpauth'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

describe('passkeys, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  /** An address has no passkeys. */
  let base = ''
  beforeAll(async () => {
    product = await startTestProduct()
    base = product.base.replace('127.0.0.1', 'localhost')
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  /** A device with a lock that its user opens, as the browser of this page sees it. */
  async function withDevice(page: Page): Promise<CDPSession> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return session
  }
  async function addPasskey(page: Page, name: string): Promise<void> {
    await page.goto('/profile?tab=security')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The passkey was added.').waitFor()
  }
  async function leave(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL('**/auth/login*')
  }

  it('passkeys are added, sign in without a password, are renamed and removed', async () => {
    const { page, complaints } = await openPage(browser, base)
    await withDevice(page)
    await signInAs(page, 'clerk@nile.example', PASSWORD)
    await addPasskey(page, 'Laptop')
    const section = page.getByRole('region', { name: 'Passkeys' })
    await section.getByText('never used').waitFor()

    // The device refuses to make a second one.
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Again')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('This device has a passkey of yours already.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await leave(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(({ pathname }) => !pathname.startsWith('/auth/'))
    await page.goto('/profile?tab=security')
    await section.getByText('last used').waitFor()

    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Work laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Remove Work laptop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await section.getByText('No passkeys yet.').waitFor()

    await leave(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey was not accepted.').waitFor()
    expect(complaints).toEqual([])
  })

  it('passkeys answer the second step in place of a code', async () => {
    const { page, complaints } = await openPage(browser, base)
    await withDevice(page)
    await signInAs(page, 'bola@lagos.example', PASSWORD)
    await addPasskey(page, 'Phone')
    await page.getByRole('button', { name: 'Set up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Continue' }).press('Enter')
    await dialog.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor()
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(/\s/g, '')
    const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' })
    await dialog.getByLabel('Code', { exact: true }).fill(totp.generate({ timestamp: testClock.now() }))
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'I have kept them' }).click()

    await leave(page)
    await page.getByLabel('Username').fill('bola@lagos.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL('**/campaigns*')
    expect(complaints).toEqual([])
  })

  it('passkeys are loaded when they are used', async () => {
    const { page } = await openPage(browser, base)
    await withDevice(page)
    const scripts: string[] = []
    page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return
      const text = await response.text().catch(() => '')
      if (text.includes('ERROR_CEREMONY_ABORTED')) scripts.push(response.url())
    })
    await page.goto('/auth/login', { waitUntil: 'networkidle' })
    const button = page.getByRole('button', { name: 'Use a passkey' })
    await button.waitFor()
    expect(scripts).toEqual([])
    await button.click()
    // The device holds none.
    await page.getByText('No passkey was used.').waitFor()
    await expect.poll(() => scripts).toHaveLength(1)
  })

  it('passkeys are not offered at an address, which has none', async () => {
    const { page } = await openPage(browser, product.base)
    await page.goto('/auth/login')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
  })
})
