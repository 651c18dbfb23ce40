import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

describe('the campaign form, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name: 'Nile by day' }))).data.id
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const budgetStored = async () => (await ada.call<{ budget: number }>('GET', `/v1/campaign/${id}`)).data.budget
  async function open(person: string, tab: string) {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, person, PASSWORD)
    await watched.page.goto(`/campaign/edit/${id}?tab=${tab}`)
    await watched.page.getByRole('button', { name: 'Publish' }).waitFor()
    return watched
  }
  const focused = (page: Page, label: string) => page.getByLabel(label).evaluate((element) => element === document.activeElement)

  it('reads a multiplier that is typed over the selected one, and ignores letters without losing the selection', async () => {
    const { page, complaints } = await open('owner@dsp.example', 'advancedBidding')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const multiplier = page.getByLabel('Multiplier of Bidding 1')
    for (const [typed, meant] of [
      ['.5', '0.5'],
      ['x3', '3'],
      ['0,25', '0.25'],
      ['-2', '0'],
    ] as const) {
      await multiplier.selectText()
      await page.keyboard.type(typed)
      await page.keyboard.press('Tab')
      expect(await multiplier.inputValue(), typed).toBe(meant)
    }
    expect(complaints).toEqual([])
  })

  it('takes the first click after a rule value was corrected', async () => {
    const { page } = await open('owner@dsp.example', 'advancedBidding')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Add rule to group 1' }).click()
    await page.getByRole('combobox', { name: 'Filter' }).selectOption({ label: 'Device IP' })
    const value = page.getByRole('textbox', { name: 'Value' })
    await value.fill('abc')
    await page.keyboard.press('Tab')
    await page.getByText('An IP range is needed').waitFor()
    await value.fill('10.0.0.0/8')
    await page.getByRole('button', { name: 'Add rule to group 1' }).click()
    await page.getByText('An IP range is needed').waitFor({ state: 'hidden' })
    expect(await page.getByRole('group', { name: /^Rule \d of/ }).count()).toBe(2)
  })

  it('says at once that a save could not reach the server, and never makes it later once it was called off', async () => {
    const { page } = await open('ada@nile.example', 'basicInfo')
    const before = await budgetStored()
    await page.getByLabel('Daily budget').fill('77')
    // Loads in the background: the tabs, and the code that draws messages.
    await page.waitForFunction(() =>
      ['geography', 'toaster'].every((part) => performance.getEntriesByType('resource').some(({ name }) => name.includes(part))),
    )
    await page.waitForTimeout(500)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save & Next' }).click()
    await page.getByText('No connection. Your changes are saved as soon as there is one.').waitFor()
    // Another tab opens all the same.
    await page.getByRole('link', { name: /^Geography/ }).click()
    await page.getByRole('heading', { name: 'Geography' }).waitFor()
    await page.getByRole('link', { name: /^Campaign setup/ }).click()
    await page.getByRole('button', { name: 'Stop waiting' }).click()
    await page.getByRole('button', { name: 'Save & Next' }).waitFor()
    await page.context().setOffline(false)
    await page.waitForTimeout(1500)
    expect(await budgetStored()).toBe(before)
    expect(await page.getByLabel('Daily budget').inputValue()).toBe('77')
  })

  it('saves 1,500 as fifteen hundred, and the change log says that it came from the web', async () => {
    const { page, complaints } = await open('owner@dsp.example', 'basicInfo')
    await page.getByLabel('Daily budget').fill('1,500')
    await page.getByRole('button', { name: 'Save & Next' }).click()
    await page.getByText('Changes Saved Successfully').waitFor()
    expect(await budgetStored()).toBe(1500)
    await page.goto(`/campaign/edit/${id}?tab=changeLog`)
    const newest = page.locator('[data-testid^=log-row-]').first()
    await newest.waitFor()
    expect(await newest.innerText()).toContain('Web')
    expect(complaints).toEqual([])
  })

  it('brings a field that is wrong clear of the message about it', async () => {
    const { page } = await open('ada@nile.example', 'basicInfo')
    await page.getByLabel('Landing page URL').fill('nile')
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(() => focused(page, 'Landing page URL')).toBe(true)
    const field = await page.getByLabel('Landing page URL').boundingBox()
    const footer = await page.locator('[data-slot=form-footer]').boundingBox()
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan((footer?.y ?? 0) - 80)
  })

  it('returns to the page that was asked for after signing in', async () => {
    const { page } = await openPage(browser, product.base)
    await page.goto(`/campaign/edit/${id}?tab=targeting`)
    await page.getByLabel('Username').fill('ada@nile.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`**/campaign/edit/${id}?tab=targeting`)
    await page.getByRole('link', { name: /^Targeting/ }).waitFor()
  })
})
