import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AREAS } from '#api/areas/index'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'
import { root } from '../support/product-process.ts'

describe('the viewer of the API, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    // With a public address, the policy allows scripts by their path.
    product = await startTestProduct({ PLACARD_PUBLIC_URL: 'https://ads.example' })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  it('shows every call under its tag, with a silent console, and loads nothing from elsewhere', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    const failed: string[] = []
    page.on('response', (response) => void (response.status() >= 400 && failed.push(response.url())))
    page.on('request', (request) => void (/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url()) || failed.push(request.url())))
    await page.goto('/docs')
    expect(await page.title()).toBe('Placard API')
    // An area without calls has no tag.
    for (const { name, endpoints } of AREAS.filter((area) => area.endpoints.length > 0)) {
      const section = page.locator('.opblock-tag-section', { has: page.locator(`#operations-tag-${name}`) })
      await section.locator('.opblock-tag button').click()
      await section.locator('.opblock').first().waitFor()
      expect([name, await section.locator('.opblock').count()]).toEqual([name, endpoints.length])
      // A long page is drawn only where it is seen.
      await section.locator('.opblock-tag button').click()
    }
    expect([...complaints, ...failed]).toEqual([])
  })

  it('makes calls as the user who signed in there', async () => {
    const { page, complaints } = await openPage(browser, product.base, { colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/docs#/sessions/session.signIn')
    const open = page.locator('.opblock.is-open')
    await open.locator('textarea').fill(JSON.stringify({ username: 'ada@nile.example', password: PASSWORD }))
    await open.getByRole('button', { name: 'Execute' }).click()
    await open.locator('.live-responses-table').getByText('access_token').waitFor()
    await open.locator('.opblock-summary-control').click()
    const call = page.locator('.opblock-summary', { has: page.locator('[data-path="/v1/user/{id}"]') })
    await call.locator('.opblock-summary-control').click()
    await open.getByPlaceholder('id').fill('me')
    await open.getByRole('button', { name: 'Execute' }).click()
    await open.locator('.live-responses-table').getByText('"ada@nile.example"').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('the viewer of the API has the icon of the application', async () => {
    const icon = await (await fetch(`${product.base}/docs/static/theme/icon.svg`)).text()
    expect(icon).toBe(readFileSync(join(root, 'web/public/favicon.svg'), 'utf8').trim())
  })
})
