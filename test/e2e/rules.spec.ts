import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('an owner builds a rule of three levels', () => {
  let product: TestProduct
  let browser: Browser
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const ada = await product.as('ada@nile.example')
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  /** Says what a rule asks; what it is compared with is chosen or typed. */
  const fill = async (page: Page, name: string, filter: string, operator: string, value: string) => {
    const rule = page.getByRole('group', { name, exact: true })
    await rule.getByLabel('Filter').selectOption({ label: filter })
    await rule.getByLabel('Operator').selectOption({ label: operator })
    const control = rule.getByLabel('Value')
    if ((await control.evaluate(({ tagName }) => tagName)) === 'SELECT') await control.selectOption({ label: value })
    else await control.fill(value)
  }

  it('saves it, reads it again as it was built, and has it explained', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.goto(`/campaign/edit/${id}?tab=advancedBidding`)
    await press(page, 'Add')
    await press(page, 'Add rule to group 1')
    await fill(page, 'Rule 1 of 1 in group 1', 'OS', 'is', 'Android')
    // A group comes with a rule to fill in, and with OR within AND, AND within OR.
    await press(page, 'Add group within group 1')
    await fill(page, 'Rule 1 of 1 in group 1.1', 'Bid floor', 'is more than', '5')
    await press(page, 'Add group within group 1.1')
    await fill(page, 'Rule 1 of 1 in group 1.1.1', 'Creative size', 'is', '300x250')
    await press(page, 'Add rule to group 1.1.1')
    await fill(page, 'Rule 2 of 2 in group 1.1.1', 'Device IP', 'is in the range', '10.0.0.0/8')
    await page.getByLabel(/^Multiplier of/).fill('1.5')

    const summary = page
      .getByRole('listitem', { name: /^Entry 1/ })
      .locator('p')
      .first()
    const said = await summary.textContent()
    await press(page, 'Save & Next')
    await page.getByText('Changes Saved Successfully').waitFor()

    // A fresh page shows what is stored.
    await page.goto(`/campaign/edit/${id}?tab=advancedBidding`)
    await summary.waitFor()
    expect(await summary.textContent()).toBe(said)
    expect(said).toContain('Device IP is in the range 10.0.0.0/8')
    const owner = await product.as('owner@dsp.example')
    const stored = await owner.call<{ traffic_targeting: string }>('GET', `/v1/campaign/${id}`)
    expect(JSON.parse(stored.data.traffic_targeting)).toMatchObject([
      {
        multiplier: 1.5,
        rules: {
          condition: 'and',
          rules: [
            { field: 'os', operator: 'is', value: 'Android' },
            {
              condition: 'or',
              rules: [
                { field: 'bid_floor', operator: 'is_more_than', value: 5 },
                {
                  condition: 'and',
                  rules: [
                    { field: 'creative_size', operator: 'is', value: '300x250' },
                    { field: 'device_ip', operator: 'in_ip_range', value: '10.0.0.0/8' },
                  ],
                },
              ],
            },
          ],
        },
      },
    ])

    // The sample asks for an Android phone at 10.0.0.7 with a floor of 0.60: the innermost group decides.
    await press(page, 'Explain')
    await page.getByText('decides: bid × 1.5').waitFor()
    const verdict = async (rule: string) => page.getByRole('listitem').filter({ hasText: rule }).last().textContent()
    expect(await verdict('Bid floor is more than 5')).toContain('does not hold, the request says 0.6')
    expect(await verdict('Device IP is in the range 10.0.0.0/8')).toContain('holds, the request says 10.0.0.7')

    // From elsewhere on the network it no longer matches.
    const request = page.getByLabel('Bid request (JSON)')
    await request.fill((await request.inputValue()).replace('10.0.0.7', '192.0.2.1'))
    await press(page, 'Explain')
    await page.getByText('No entry matches: the bid stays as it is (× 1)').waitFor()
    expect(complaints).toEqual([])
  })
})
