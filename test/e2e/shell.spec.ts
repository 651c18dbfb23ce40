import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contrast, tokenColor } from '@/test/tokens-fixture'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('the application around the screens, in a browser', () => {
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

  it('fits the form to sign in on a phone, in both languages', async () => {
    for (const language of ['en', 'ru']) {
      const { page } = await openPage(browser, product.base)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto('/auth/login')
      await page.evaluate((chosen) => localStorage.setItem('DSP_LANGUAGE', chosen), language)
      await page.reload()
      await page.locator('form').waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      expect(await violations(page)).toEqual([])
    }
  })

  it('keeps what was typed into a new campaign over a reload, and finds everything by the palette', async () => {
    const { page, complaints } = await openPage(browser, product.base, { colorScheme: 'dark' })
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.getByRole('button', { name: 'Search…' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('new aware')
    await page.keyboard.press('Enter')
    await page.getByLabel('Campaign name').fill('Left behind')
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('DSP_DRAFT')))).toBe(true)
    // The browser asks whether to leave what is not saved.
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    const offer = page.getByRole('region', { name: 'Continue where you left off?' })
    await offer.getByText('Left behind').waitFor()
    expect(await violations(page)).toEqual([])
    await offer.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Left behind')
    expect(complaints).toEqual([])
  })

  it('a tab keeps what is typed when another tab signs in as someone else, saves nothing, and asks before it reloads', async () => {
    const { page } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.getByRole('row', { name: /Luxor/ }).getByRole('link').click()
    await page.getByLabel('Campaign name').fill('Typed by Ada')
    const other = await page.context().newPage()
    await other.goto('/campaigns')
    await other.getByRole('button', { name: /^User menu/ }).click()
    await other.getByRole('menuitem', { name: 'Log out' }).click()
    await other.waitForURL('**/auth/login*')
    await page.getByText('You signed out in another tab').waitFor()
    expect(await violations(page)).toEqual([])
    await signInAs(other, 'bola@lagos.example', PASSWORD)
    await page.getByText('The session was changed in another tab').waitFor()

    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url())
    })
    await page.getByRole('button', { name: 'Save & Next' }).click()
    await page.getByText(/^Nothing was sent/).waitFor()
    expect(sent).toEqual([])
    expect(await page.getByLabel('Campaign name').inputValue()).toBe('Typed by Ada')

    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'User menu: Bola Adeyemi' }).waitFor()
    expect(asked).toEqual(['beforeunload'])
  })

  it('shows brand colours as the guard of their contrast computes them', async () => {
    const { page } = await openPage(browser, product.base)
    await page.goto('/auth/login')
    await page.locator('form').waitFor()
    for (const brand of ['#00ffa5', '#ff00ff', '#ffff00', '#000000', '#1f7a4d'])
      for (const theme of ['light', 'dark'] as const)
        for (const token of ['primary', 'primary-ink', 'primary-tint', 'primary-strong']) {
          const shown = await page.evaluate<number[]>(`(() => {
            document.documentElement.classList.toggle('dark', ${theme === 'dark'})
            document.documentElement.style.setProperty('--brand', '${brand}')
            const probe = document.body.appendChild(document.createElement('i'))
            probe.style.color = 'var(--${token})'
            const canvas = document.createElement('canvas').getContext('2d')
            canvas.fillStyle = getComputedStyle(probe).color
            canvas.fillRect(0, 0, 1, 1)
            probe.remove()
            return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
          })()`)
          const [red = 0, green = 0, blue = 0] = shown.map((channel) => channel / 255)
          const computed = tokenColor(token, theme, brand)
          const difference = contrast({ ...computed, rgb: [red, green, blue] }, computed)
          expect(difference, `${token} of ${brand} in ${theme}`).toBeLessThan(1.03)
        }
  })
})
