import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('two people with the same campaign, in two browsers', () => {
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

  const save = (page: Page) => page.getByRole('button', { name: 'Save & Next' }).click()

  it('both edits end up stored, and of what both changed the one that was chosen', async () => {
    const ada = await product.as('ada@nile.example')
    const body = await publishable(product.base, ada, { name: 'Nile by night', budget: 20 })
    const { data } = await ada.call('POST', '/v1/campaign', body)
    const open = async (email: string) => {
      const watched = await openPage(browser, product.base)
      await signInAs(watched.page, email, PASSWORD)
      await watched.page.goto(`/campaign/edit/${data.id}?tab=basicInfo`)
      await watched.page.getByLabel('Campaign name').waitFor()
      return watched
    }
    const [first, second] = await Promise.all([open('ada@nile.example'), open('owner@dsp.example')])

    // Both begin with the same revision: the owner's save comes first, while Ada is still typing.
    await first.page.getByLabel('Campaign name').fill('Nile at dawn')
    await first.page.getByLabel('Daily budget').fill('35')
    await second.page.getByLabel('Daily budget').fill('50')
    await second.page.getByLabel('Landing page URL').fill('https://nile.example/dawn')
    await save(second.page)
    await second.page.getByText('Changes Saved Successfully').first().waitFor()

    // Ada is notified while she types, and goes on.
    const notice = first.page.getByRole('status').filter({ hasText: /saved this campaign/ })
    await notice.waitFor()
    expect(await violations(first.page)).toEqual([])
    expect(await notice.textContent()).toContain('The platform saved this campaign on')
    expect(await first.page.getByLabel('Daily budget').inputValue()).toBe('35')
    await save(first.page)
    const dialog = first.page.getByRole('dialog', { name: 'Changed by someone else' })
    const budget = dialog.getByRole('group', { name: 'Daily budget' })
    await budget.waitFor()
    expect(await dialog.getByText('1 field you both changed').count()).toBe(1)
    expect(await dialog.textContent()).toContain('Nile at dawn')
    expect(await dialog.textContent()).toContain('https://nile.example/dawn')
    expect(await violations(first.page)).toEqual([])
    await budget.getByRole('radio', { name: /Yours/ }).check()
    await dialog.getByRole('button', { name: 'Save merged' }).click()
    await first.page.getByText('Changes Saved Successfully').first().waitFor()

    const stored = await ada.call<{ name: string; budget: number; product_url: string; revision: number }>(
      'GET',
      `/v1/campaign/${data.id}`,
    )
    expect(stored.data).toMatchObject({ name: 'Nile at dawn', budget: 35, product_url: 'https://nile.example/dawn' })
    // And the one who saved first sees it without asking.
    await second.page.getByRole('link', { name: 'Campaign setup' }).click()
    await expect.poll(() => second.page.getByLabel('Campaign name').inputValue()).toBe('Nile at dawn')
    expect([...first.complaints, ...second.complaints]).toEqual([])
  })
})
