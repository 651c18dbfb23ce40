import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'
import { serveTxt } from '../support/txt-server.ts'

describe('single sign-on, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  let dns: Awaited<ReturnType<typeof serveTxt>>
  const records: Record<string, string> = {}
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_SIGN_ON_PRIVATE: 'true' })
    dns = await serveTxt(records)
    const directory = { grace: { email: 'grace@acme.example', email_verified: true, given_name: 'Grace', family_name: 'Hopper' } }
    provider = await startIdentityProvider(product.base, directory, { pages: true })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    dns.stop()
    await leaveBrowser(browser)
    await product.stop()
    await provider.stop()
  })

  it('single sign-on is set up by the owner, lets a person of the provider in and out, and replaces the passwords of their domain', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Acme')
    await dialog.getByLabel('Issuer').fill(provider.issuer)
    await dialog.getByLabel('Client ID').fill(provider.clientId)
    await dialog.getByLabel('Client secret').fill(provider.clientSecret)
    await dialog.getByLabel('People without a record').selectOption({ label: 'Add to the staff' })
    await dialog.getByLabel('Their role').selectOption({ label: 'Moderator' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Check Acme' }).click()
    await page.getByText('The provider answers.').waitFor()

    await page.getByRole('button', { name: 'Add domain' }).click()
    await dialog.getByLabel('Mail domain').fill('acme.example')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    records['acme.example'] = (await page.locator('code', { hasText: 'placard-verification=' }).textContent()) ?? ''
    await page.getByRole('button', { name: 'Verify acme.example' }).click()
    await page.getByRole('button', { name: 'Switch passwords off' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch passwords off' }).click()
    await page.getByText('Passwords off').waitFor()
    expect(complaints).toEqual([])

    const other = await openPage(browser, product.base)
    await other.page.goto('/moderation')
    // The address alone leads to the provider.
    await other.page.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
    await other.page.getByLabel('Username').fill('grace@acme.example')
    await other.page.getByLabel('Password', { exact: true }).focus()
    await other.page.waitForURL(`${provider.issuer}/**`)
    await other.page.locator('input[name=login]').fill('grace')
    await other.page.locator('input[name=password]').fill('any')
    await other.page.locator('button[type=submit]').click()
    await other.page.waitForURL(`${product.base}/moderation**`)
    await other.page.getByRole('button', { name: /^User menu.*Grace/ }).waitFor()
    expect(other.complaints.filter((text) => !text.includes(provider.issuer))).toEqual([])

    await other.page.goto('/profile-whitelabel')
    await other.page.getByRole('main').getByRole('button', { name: 'Log out' }).click()
    await other.page.waitForURL(`${provider.issuer}/session/end**`)
    await other.page.locator('button[name=logout]').click()
    await other.page.waitForURL(`${product.base}/auth/login**`)
    await other.page.getByRole('button', { name: 'Sign in with Acme' }).waitFor()
  })
})
