import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('delivery, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  it('an advertiser sees a campaign run out of money, reads why, and sees it go on by itself after a credit', async () => {
    const delivery = await deliveryIn(product)
    const owner = await product.as('owner@dsp.example')
    const funds = async () =>
      (await owner.call<{ readonly available: number }>('GET', `/v1/space/balance/${delivery.space}`)).data.available
    const credit = (amount: number, comment: string) =>
      owner.call('POST', `/v1/space/${delivery.space}/credit`, { amount, comment })
    const id = await delivery.running({ budget: 80, name: 'Money runs out' })
    await credit(60 - (await funds()), 'leave 60')
    await delivery.status(id, 44)
    await credit(30, 'leave 90')
    await delivery.status(id, 3)

    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    const row = page.getByTestId(/^campaign-row-/).filter({ hasText: 'Money runs out' })
    await row.filter({ hasText: 'Running' }).waitFor()
    // 30 of 90 are spent elsewhere: what is left no longer covers the budget.
    await credit(-30, 'spent elsewhere')
    await row.filter({ hasText: 'Paused due to account balance spent' }).waitFor()
    await row.filter({ hasText: 'The account balance does not cover the budget' }).waitFor()
    await credit(500, 'refill')
    await row.filter({ hasText: 'Running' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('an advertiser finds the totals of the reports page in its CSV file', async () => {
    const delivery = await deliveryIn(product)
    const id = await delivery.running({ budget: 90, name: 'Counted once' })
    const facts = { hour: hour(), campaign_id: id, country: 'NG', exchange: 'google' }
    await delivery.send(newId(), [{ ...facts, impressions: 12_345, clicks: 67, spent: 8.75 }])
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.getByRole('link', { name: 'Reports' }).click()
    const table = page.getByRole('table', { name: 'Figures by Country' })
    await table.getByRole('row', { name: /Nigeria/ }).waitFor()
    const total = await table.getByRole('row', { name: /^All/ }).textContent()
    expect(total).toContain('12,345')
    expect(total).toContain('$8.75')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const lines = (await readFile(await (await saved).path(), 'utf8')).split('\r\n')
    expect(lines[1]).toMatch(/^Nigeria,USD,12345,.*,8\.75$/)

    const cards = page.getByRole('list', { name: 'Totals' })
    await cards.getByRole('button', { name: /^Impressions 12,345/ }).waitFor()
    await page.getByRole('button', { name: 'Compare with previous period' }).click()
    await cards.getByRole('button', { name: /^Spend \$8\.75 Nothing in/ }).waitFor()
    await cards.getByRole('button', { name: /^Spend/ }).click()
    await page.keyboard.press('1')
    const chart = page.getByRole('slider', { name: 'Impressions, Spend by hour' })
    await chart.focus()
    const atPoint = (text: string) => page.locator(`[role=slider][aria-valuetext*="${text}"]`).waitFor()
    await atPoint(':00: Impressions 12,345, Impressions, previous period 0, Spend $8.75')
    await page.keyboard.press('Home')
    await atPoint(' 00:00: Impressions 0,')

    // The file has the columns of the screen.
    await page.getByRole('button', { name: 'Metrics' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'CVR' }).click()
    await page.keyboard.press('Escape')
    const heads = await table.getByRole('columnheader').allTextContents()
    const again = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const [head = ''] = (await readFile(await (await again).path(), 'utf8')).split('\r\n')
    expect(heads.slice(1)).not.toContain('CVR')
    expect(head.split(',').slice(2)).toEqual(heads.slice(1))

    // The table names campaigns, sorts and searches them.
    await page.getByLabel('Group by').selectOption('Campaign')
    const campaigns = page.getByRole('table', { name: 'Figures by Campaign' })
    await campaigns.getByRole('link', { name: 'Counted once' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('no such campaign')
    await page.getByText('No rows with this name').waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await campaigns.getByRole('button', { name: 'Clicks' }).click()
    await campaigns.locator('th[aria-sort=descending]').filter({ hasText: 'Clicks' }).waitFor()

    // Figures of an open page go on by themselves.
    await delivery.send(newId(), [{ ...facts, impressions: 655, clicks: 3, spent: 0.25 }])
    await cards.getByRole('button', { name: /^Impressions 13,000/ }).waitFor()
    expect(complaints).toEqual([])
  })

  it('an advertiser reads why a campaign stopped, raises its budget, and finds both in its history', async () => {
    const delivery = await deliveryIn(product)
    const id = await delivery.running({ budget: 20, name: 'Reaches its budget' })
    await delivery.send(newId(), [{ hour: hour(), campaign_id: id, impressions: 900, spent: 25 }])
    await delivery.status(id, 31)
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto(`${product.base}/reports?campaignId=${id}`)
    const panel = page.getByRole('region', { name: 'Delivery' })
    await panel.getByRole('heading', { name: 'Why is it not delivering?' }).waitFor()
    await panel.getByText("Today's budget is spent").waitFor()
    expect(await panel.getByRole('link', { name: 'Raise the budget' }).getAttribute('href')).toContain(`/campaign/edit/${id}`)
    await delivery.ada.call('PUT', '/v1/campaign', { id, budget: 60 })
    // The open page follows the campaign by itself.
    await panel.getByRole('heading', { name: 'This campaign delivers' }).waitFor()
    await panel.getByText('Today: 900 impressions for $20.00.').waitFor()
    await panel.getByRole('button', { name: 'Status history' }).click()
    const statuses = panel.getByRole('list', { name: 'Status history' }).getByRole('listitem')
    await statuses.nth(1).waitFor()
    const [newest, before] = await statuses.allTextContents()
    expect(newest).toContain("Ended: Today's budget is spent")
    expect(before).toContain('Running, daily budget reached')
    expect(complaints).toEqual([])
  })
})
