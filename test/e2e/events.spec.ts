import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { DELIVERED, deliveryIn } from '../support/delivery.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('events, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let shop: Server
  /** What every page of the shop has in its head. */
  let head = ''
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    browser = await sharedBrowser()
    shop = createServer((request, response) => {
      const thanks = request.url?.startsWith('/thanks') === true
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<title>Shop</title>${head}${thanks ? `<script>placard('purchase', { value: 49.9, id: 'order-7', plan: 'gold' })</script>` : '<a href="/thanks">Buy</a>'}`,
      )
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => shop.once('listening', resolve))
  })
  afterAll(async () => {
    shop.close()
    await leaveBrowser(browser)
    await product.stop()
  })

  // covers ROUTE-07
  it('shows a conversion that the copied pixel reports from a page of the advertiser, and the campaign that brought it', async () => {
    const delivery = await deliveryIn(product)
    await delivery.running({
      name: 'Summer by the Nile',
      bidding_strategy: {
        type: 'conversion',
        goal: 'WEB_STANDARD_CONVERSION',
        website_promotion: { conversion_url: 'https://nile.example/thanks' },
      },
    })
    const { page, complaints } = await openPage(browser, product.base)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('heading', { name: 'No events yet' }).waitFor()
    await page.getByRole('button', { name: 'Copy: Pixel' }).click()
    head = await page.evaluate(() => navigator.clipboard.readText())
    expect(head).toContain(`${product.base}/v1/pixel.gif`)

    const { port } = shop.address() as AddressInfo
    const visit = await (await browser.newContext()).newPage()
    const tags = new URLSearchParams({ utm_campaign: 'Summer by the Nile', anonymous_id: 'visitor-1' })
    await visit.goto(`http://127.0.0.1:${port}/?${String(tags)}`)
    const sent = visit.waitForResponse((response) => response.url().includes('name=purchase'))
    await visit.getByRole('link', { name: 'Buy' }).click()
    expect((await sent).headers()).toMatchObject({ 'content-type': 'image/gif', 'x-placard-event': 'stored' })
    expect(await visit.context().cookies()).toEqual([])

    // The open screen shows new events by itself.
    const row = page.getByRole('row', { name: /purchase/ })
    await row
      .filter({ hasText: 'Conversion' })
      .filter({ hasText: 'Summer by the Nile' })
      .filter({ hasText: 'plan: gold' })
      .waitFor()
    await page.getByLabel('Filter by name').selectOption('page_view')
    await expect.poll(() => page.getByTestId(/^event-row-/).count()).toBe(2)
    await page.getByLabel('Filter by name').selectOption('purchase')
    await row.getByRole('button', { name: 'purchase' }).press('Enter')
    const dialog = page.getByRole('dialog')
    expect(await dialog.textContent()).toContain('order-7')
    await dialog.getByRole('link', { name: 'Summer by the Nile' }).click()
    await expect.poll(() => page.title()).toContain('Summer by the Nile')
    const report = page.getByRole('table').filter({ hasText: 'Conversions' })
    const heads = await report.getByRole('columnheader').allTextContents()
    const totals = report.getByRole('row', { name: /^All days/ })
    await totals.waitFor()
    expect((await totals.locator('th, td').allTextContents())[heads.indexOf('Conversions')]).toBe('1')
    expect(complaints).toEqual([])
  })
})
