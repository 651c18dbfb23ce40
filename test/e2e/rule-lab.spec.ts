import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

const os = (value: string) => ({ condition: 'and', rules: [{ field: 'os', operator: 'is', value }] })
const ENTRIES = [
  { id: 1, name: 'Android', multiplier: 1.2, rules: os('Android') },
  { id: 2, name: 'iPhones', multiplier: 1, rules: os('iOS') },
]

describe('an owner tries bidding rules before saving them', () => {
  let product: TestProduct
  let browser: Browser
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const ada = await product.as('ada@nile.example')
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
    const owner = await product.as('owner@dsp.example')
    expect((await owner.call('PUT', '/v1/campaign', { id, traffic_targeting: ENTRIES })).code).toBe(0)
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  async function open(options: Parameters<typeof openPage>[2] = {}) {
    const { page, complaints } = await openPage(browser, product.base, options)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    if (options.locale === 'ru-RU') await page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await page.goto(`/campaign/edit/${id}?tab=advancedBidding`)
    return { page, complaints }
  }
  const names = (page: Page) => page.getByRole('list', { name: 'Bidding entries' }).getByRole('heading').allTextContents()
  const summary = (page: Page) => page.getByText(/^Matches [\d.]+% of impressions.*\.$/)
  const stored = () => product.database.pool.query('select count(*) as events from es.events')

  it('by mouse: measures a change, follows a sentence to its rule, explains it, and stores nothing', async () => {
    const { page, complaints } = await open()
    await summary(page).waitFor()
    expect(await summary(page).textContent()).toMatch(/average bid unchanged\.$/)
    await page.getByText(/^Measured on the last 1,000 impressions that bidders sampled/).waitFor()
    const before = (await stored()).rows

    await page.getByLabel('Multiplier of Android').fill('2')
    await page.getByText(/average bid \+[\d.]+%\.$/).waitFor()
    await page.getByRole('button', { name: 'Go to Android: Bid 100% more when OS is Android.' }).click()
    const rule = page.getByRole('group', { name: 'Rule 1 of 1 in group 1', exact: true })
    expect(await rule.getByLabel('Filter').evaluate((element) => element === document.activeElement)).toBe(true)
    await rule.getByLabel('Value').selectOption({ label: 'Windows' })
    await page.getByText('Bid 100% more when OS is Windows.').waitFor()
    await page.getByText(/^Matches [\d.]+% of impressions \(saved rules: [\d.]+%\), average bid [+−][\d.]+%\.$/).waitFor()
    expect(await violations(page)).toEqual([])

    // The sample request is from an Android phone, which the saved rules would match.
    await page.getByText('The answer is about the entries as they stand here, unsaved.').waitFor()
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    await page.getByText('No entry matches: the bid stays as it is (× 1)').waitFor()
    expect((await stored()).rows).toEqual(before)
    expect(complaints).toEqual([])
  })

  it('by keys: finds the shortcuts, adds, duplicates, moves, removes and takes back, and changes a value', async () => {
    const { page, complaints } = await open()
    await summary(page).waitFor()
    const press = (...keys: readonly string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')

    // From the sentence of the first entry to its rule.
    await page.getByRole('button', { name: /^Go to Android/ }).focus()
    await press('Enter')
    await expect.poll(focused).toBe('Filter')
    await press('Tab', 'Tab')
    await page.keyboard.type('mac')
    await page.getByText('Bid 20% more when OS is macOS.').waitFor()
    await press('Shift+Alt+ArrowDown')
    await page.getByText('Bid 20% more when OS is macOS and OS is macOS.').waitFor()
    await expect.poll(focused).toBe('Filter')

    await page.getByRole('button', { name: 'Collapse Android' }).focus()
    await press('?')
    await page.getByRole('list', { name: 'Keyboard shortcuts' }).getByText('Move the rule or entry down').waitFor()
    await press('Escape')
    await expect.poll(focused).toBe('Collapse Android')
    await press('Alt+ArrowDown')
    await expect.poll(() => names(page)).toEqual(['iPhones', 'Android'])
    await expect.poll(focused).toBe('Collapse Android')
    await press('Shift+Alt+ArrowDown')
    await expect.poll(() => names(page)).toEqual(['iPhones', 'Android', 'Android (2)'])
    await expect.poll(focused).toBe('Expand Android (2)')
    await press('Alt+Delete')
    await expect.poll(() => names(page)).toEqual(['iPhones', 'Android'])
    await expect.poll(focused).toBe('Collapse Android')
    await press('z')
    await expect.poll(() => names(page)).toEqual(['iPhones', 'Android', 'Android (2)'])
    await expect.poll(focused).toBe('Expand Android (2)')
    await press('Alt+Enter')
    await expect.poll(() => names(page)).toEqual(['iPhones', 'Android', 'Android (2)', 'Bidding 4'])
    await expect.poll(focused).toBe('Add rule to group 1')
    await page.getByText('Bid as usual on every impression.').waitFor()
    await page.getByText(/^Matches 100% of impressions \(saved rules/).waitFor()
    expect(complaints).toEqual([])
  })

  it.each([
    {
      name: 'dark',
      options: { colorScheme: 'dark' },
      matches: /^Matches /,
      field: 'Multiplier of Android',
      noBid: /^No bid on /,
    },
    {
      name: 'Russian',
      options: { locale: 'ru-RU' },
      matches: /^Подходит к /,
      field: 'Множитель записи Android',
      noBid: /^Без ставки/,
    },
  ] as const)('is accessible in $name, also at 200 % zoom', async ({ options, matches, field, noBid }) => {
    const { page, complaints } = await open(options)
    await page.getByText(matches).waitFor()
    await page.getByLabel(field).fill('0')
    await page.getByText(noBid).waitFor()
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 683, height: 384 })
    expect(await violations(page)).toEqual([])
    expect(complaints).toEqual([])
  })
})
