import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Listed = { readonly labels: readonly { readonly name: string }[] }

describe('labels of campaigns', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    for (const name of ['Felucca one', 'Felucca two'])
      await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name }))
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  const labelsOf = async (name: string) => {
    const body = { name, page: 0, pageSize: 5 }
    const { data } = await ada.call<{ readonly data: readonly Listed[] }>('POST', '/v1/campaign/list/v2', body)
    return data.data[0]?.labels.map((label) => label.name)
  }
  const open = async (language = 'en', colorScheme: 'light' | 'dark' = 'light') => {
    const watched = await openPage(browser, product.base, { colorScheme })
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    await watched.page.evaluate((code) => localStorage.setItem('DSP_LANGUAGE', code), language)
    await watched.page.goto('/campaigns?q=Felucca&sort=name&dir=asc')
    return watched
  }

  it('with the mouse: created while choosing, given to both, filtered by, and taken back', async () => {
    const { page, complaints } = await open()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Labels' }).click()
    const dialog = page.getByRole('dialog', { name: 'Labels of 2 campaigns' })
    for (const name of ['Ramadan', 'Agency']) {
      await dialog.getByPlaceholder('Find or create a label').fill(name)
      await dialog.getByText(`Create label “${name}”`).click()
      await dialog.getByText(`+${name}`).first().waitFor()
    }
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Apply labels' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const row = page.getByRole('row', { name: /Felucca one/ })
    await row.getByText('Ramadan').waitFor()
    expect(await labelsOf('Felucca one')).toEqual(['Agency', 'Ramadan'])
    await page.keyboard.press('z')
    await row.getByText('Ramadan').waitFor({ state: 'detached' })
    expect(await labelsOf('Felucca two')).toEqual([])
    expect(complaints).toEqual([])
  })

  it('with the keyboard, in Russian and in the dark: L opens them, and the address keeps the filter', async () => {
    const { page, complaints, clicks } = await open('ru', 'dark')
    const keys = page.keyboard
    await page.getByRole('link', { name: 'Felucca two' }).focus()
    await keys.press('l')
    const dialog = page.getByRole('dialog', { name: 'Метки: Felucca two' })
    await dialog.getByRole('option', { name: /Ramadan/ }).waitFor()
    expect(await violations(page)).toEqual([])
    await keys.type('Ramadan')
    await keys.press('Enter')
    await dialog
      .getByTestId(/^labels-of-/)
      .getByText('+Ramadan')
      .waitFor()
    await dialog.locator('button').last().focus()
    await keys.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page
      .getByRole('row', { name: /Felucca two/ })
      .getByText('Ramadan')
      .waitFor()

    await page.locator('search button:has(.lucide-tags)').focus()
    await keys.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Ramadan' }).focus()
    await keys.press('Space')
    await page.waitForURL(/labels=/)
    expect(await violations(page)).toEqual([])
    await keys.press('Escape')
    await page.getByRole('link', { name: 'Felucca one' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Felucca two' }).waitFor()
    // Signing in is by the mouse.
    expect(clicks()).toBeLessThanOrEqual(1)
    expect(complaints).toEqual([])
  })
})
