import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

/** Everything that a script of the page can read of its storage. */
const readable = (page: Page) =>
  page.evaluate(() => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]))
const end = (page: Page) => page.evaluate(() => localStorage.setItem('DSP_AUTH_TOKEN_EXPIRES_AT', '0'))
/** The cookie with the refresh token; undefined without one. */
const cookieOf = async (page: Page) => (await page.context().cookies()).find(({ name }) => name.includes('placard-refresh'))

describe('the refresh token of a page', () => {
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

  // covers AUTH-20 AUTH-27
  it('the refresh token of a page is in a cookie that no script reads, keeps the user signed in, and is removed by signing out', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    const first = await cookieOf(page)
    expect(first).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    const token = first?.value ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await readable(page)).toContain('DSP_AUTH_TOKEN')
    expect(await readable(page)).not.toMatch(/refresh/i)
    expect(await readable(page)).not.toContain(token)

    await end(page)
    await page.reload()
    await page.getByRole('row', { name: /Luxor/ }).waitFor()
    const second = (await cookieOf(page))?.value ?? ''
    expect(second).toMatch(/^[\w-]{43}$/)
    expect(second).not.toBe(token)
    expect(await readable(page)).not.toContain(second)

    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/auth/login*')
    await expect.poll(() => cookieOf(page)).toBeUndefined()
    await page.goBack()
    await page.waitForURL('**/auth/login*')
    await page.goto('/campaigns')
    await page.waitForURL('**/auth/login*')
    expect(complaints).toEqual([])
  })

  it('the refresh token of a page is shared by tabs, which refresh at once and stay signed in', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    const tabs = [page, await page.context().newPage(), await page.context().newPage()]
    await end(page)
    await Promise.all(tabs.map((tab) => tab.goto('/campaigns')))
    for (const tab of tabs) await tab.getByRole('row', { name: /Luxor/ }).waitFor()
    await end(page)
    // Without locks, as over plain http on another host: each tab sends the cookie that it has.
    const refreshed = await page.evaluate(async () => {
      const headers = { 'X-Placard-Session': 'cookie', 'Content-Type': 'application/x-www-form-urlencoded' }
      const ask = () => fetch('/v1/oauth/refresh', { method: 'POST', headers, body: '' })
      return Promise.all(Array.from({ length: 10 }, async () => (await ask()).status))
    })
    expect(new Set(refreshed)).toEqual(new Set([200]))
    for (const tab of tabs) {
      await tab.reload()
      await tab.getByRole('row', { name: /Luxor/ }).waitFor()
    }
    expect(complaints).toEqual([])
  })

  it('moves from the storage of a session of before into the cookie, and the user stays signed in', async () => {
    const { page } = await openPage(browser, product.base)
    const body = new URLSearchParams({ grant_type: 'password', username: 'ada@nile.example', password: PASSWORD })
    const answer = await fetch(`${product.base}/v1/oauth/token`, { method: 'POST', body })
    const { data }: { data: Record<string, string> } = await answer.json()
    // No page of the application: it would refresh what is stored as soon as it starts, and the next page would send the same token.
    await page.goto('/robots.txt')
    await page.evaluate(({ access_token = '', refresh_token = '', space_id = '' }) => {
      localStorage.setItem('DSP_AUTH_TOKEN', access_token)
      localStorage.setItem('DSP_REFRESH_TOKEN', refresh_token)
      localStorage.setItem('DSP_AUTH_TOKEN_EXPIRES_AT', '0')
      localStorage.setItem('DSP_SPACE_ID', space_id)
    }, data)
    await page.goto('/campaigns')
    await page.getByRole('row', { name: /Luxor/ }).waitFor()
    expect(await readable(page)).not.toMatch(/refresh/i)
    expect((await cookieOf(page))?.httpOnly).toBe(true)
    await end(page)
    await page.reload()
    await page.getByRole('row', { name: /Luxor/ }).waitFor()
  })
})
