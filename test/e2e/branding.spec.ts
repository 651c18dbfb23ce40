import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shownColor } from '#domain/white-label/palette'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { mailTo } from '../support/mails.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, png, startTestProduct, type TestProduct } from '../support/product.ts'

const GREEN = '#1f7a4d'
/** As browsers compute it. */
const rgb = (hex: string): string => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`

describe('the brand of a white-label, in a browser', () => {
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

  /** The product on the host of a white-label: browsers resolve every name under localhost to this machine. */
  const on = (whitelabel: string) => `http://${whitelabel}.localhost:${new URL(product.base).port}`

  /** A token as the page computes it, #rrggbb. */
  const shown = (page: Page, token: string) =>
    page.evaluate<string>(`(() => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.color = 'var(--${token})'
      const canvas = document.createElement('canvas').getContext('2d')
      canvas.fillStyle = getComputedStyle(probe).color
      canvas.fillRect(0, 0, 1, 1)
      probe.remove()
      return '#' + [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((one) => one.toString(16).padStart(2, '0')).join('')
    })()`)

  /** Colour, title and icon before the application has run: its scripts are not loaded. */
  async function firstPaint(base: string, colorScheme: 'light' | 'dark' = 'light') {
    const { page } = await openPage(browser, base, { colorScheme })
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/auth/login')
    return { primary: await shown(page, 'primary'), title: await page.title() }
  }

  // covers WL-01 WL-02 ROUTE-21
  it('the brand is changed by the owner with a preview, and the application and the sign-in page follow at the first paint', async () => {
    const before = await firstPaint(on('dsp'))
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'Customization (opens in a new tab)' }).click()
    const desk = await opened
    await desk.getByLabel('Name', { exact: true }).fill('Nile Ads')
    await desk.getByLabel('Primary colour', { exact: true }).fill('#ffee00')
    await desk.getByText(/Light: #[0-9a-f]{6}, moved so that it can be read/).waitFor()
    await desk.getByLabel('Primary colour', { exact: true }).fill(GREEN)
    const preview = desk.getByRole('region', { name: 'Preview' })
    await preview.getByText('Nile Ads').first().waitFor()
    const previewed = preview.locator('[data-theme=light] button').first()
    const colorOf = () => previewed.evaluate((button) => getComputedStyle(button).backgroundColor)
    // Buttons fade to a new colour.
    await desk.waitForTimeout(500)
    const there = await colorOf()
    // The page around keeps its colour until the brand is saved.
    expect(await shown(desk, 'primary')).toBe(before.primary)
    await desk.getByLabel('Upload a logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await png(320, 80) })
    await desk.getByRole('button', { name: 'Remove logo' }).waitFor()
    expect(await violations(desk)).toEqual([])
    await desk.getByRole('button', { name: 'Save' }).click()
    await desk.getByText('Changes saved successfully!').waitFor()
    await expect.poll(() => shown(desk, 'primary')).toBe(shownColor('primary', 'light', GREEN))
    await expect.poll(colorOf).toBe(there)
    await desk.locator('header img[alt="Nile Ads"]').waitFor()
    expect(complaints).toEqual([])

    expect(await firstPaint(product.base)).toEqual({ primary: shownColor('primary', 'light', GREEN), title: 'Nile Ads' })
    expect((await firstPaint(product.base, 'dark')).primary).toBe(shownColor('primary', 'dark', GREEN))
    // Another white-label is as it was.
    expect(await firstPaint(on('am'))).toEqual(before)

    const visitor = await openPage(browser, product.base)
    await visitor.page.goto('/auth/login')
    await visitor.page.locator('img[alt="Nile Ads"]').waitFor()
    await visitor.page.getByRole('heading', { name: /Nile Ads/ }).waitFor()
    expect(await visitor.page.title()).toContain('Nile Ads')
    expect(visitor.complaints).toEqual([])

    // Mails follow too, as a mail program shows them.
    await visitor.page.goto('/auth/forgot-password')
    await visitor.page.getByLabel('Email').fill('ada@nile.example')
    await visitor.page.getByRole('button', { name: 'Reset password' }).click()
    const mail = await mailTo(product.dataDir, 'ada@nile.example', 1, 'Reset your')
    expect(mail.from?.text).toContain('Nile Ads')
    await visitor.page.setContent(mail.html || '')
    await visitor.page.getByText('Nile Ads').first().waitFor()
    const button = visitor.page.locator('a[href*="/auth/reset-password/"]').first()
    const background = await button.evaluate((link) => getComputedStyle(link.closest('td') ?? link).backgroundColor)
    const own = await button.evaluate((link) => getComputedStyle(link).backgroundColor)
    expect([background, own]).toContain(rgb(shownColor('primary', 'light', GREEN)))
  })

  it('greets visitors in the default language of the white-label, which they can change', async () => {
    const admin = await product.as('admin@dsp.example')
    await admin.call('PUT', '/v1/whitelabel/am', { name: 'Ararat', whitelabel_settings: { default_locale: 'ru_RU' } })
    const { page, complaints } = await openPage(browser, on('am'))
    await page.goto('/auth/login')
    await page.getByRole('button', { name: 'Войти', exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ru')
    await page.getByLabel('Язык').selectOption('en')
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  it('asks before unsaved changes of the branding are lost: Stay keeps them, Leave drops them', async () => {
    const { page } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.goto('/admin/customization')
    await page.getByLabel('Help', { exact: true }).fill('https://help.nile.example')
    const leave = () => page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Reports' }).click()
    await leave()
    await page.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByLabel('Help', { exact: true }).inputValue()).toBe('https://help.nile.example')
    await leave()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/reports*')
  })
})

describe('the chat, in a browser', () => {
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

  it('the chat is asked by an advertiser and answered by a moderator in Russian, each seeing the other without a reload', async () => {
    const ada = await openPage(browser, product.base, { colorScheme: 'dark' })
    await signInAs(ada.page, 'ada@nile.example', PASSWORD)
    await ada.page.getByRole('button', { name: 'Chat with us' }).click()
    const panel = ada.page.getByRole('region', { name: /^Chat with/ })
    await panel.getByLabel('Message', { exact: true }).fill('How do I add funds? <b>Thanks</b>')
    await ada.page.keyboard.press('Enter')
    await panel.getByText('How do I add funds? <b>Thanks</b>').waitFor()
    expect(await violations(ada.page)).toEqual([])

    const marek = await openPage(browser, product.base)
    await signInAs(marek.page, 'moderator@dsp.example', PASSWORD)
    await marek.page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await marek.page.goto('/inbox')
    await marek.page.getByRole('link', { name: /Ada Hassan/ }).click()
    await marek.page.getByText('How do I add funds? <b>Thanks</b>').last().waitFor()
    expect(await violations(marek.page)).toEqual([])
    await marek.page.getByLabel('Сообщение', { exact: true }).fill('Банковским переводом.')
    await marek.page.getByRole('button', { name: 'Отправить' }).click()

    await panel.getByText('Банковским переводом.').waitFor()
    await panel.getByText(/^Support/).waitFor()
    await ada.page.keyboard.press('Escape')
    expect(
      await ada.page.getByRole('button', { name: 'Chat with us' }).evaluate((button) => button === document.activeElement),
    ).toBe(true)
    expect([...ada.complaints, ...marek.complaints]).toEqual([])
  })

  it('keeps the navigation of an owner within a phone, behind a button that returns the focus', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    const button = page.getByRole('button', { name: 'Open the navigation' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Reports' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true)
    await button.click()
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Reports' }).click()
    await page.waitForURL('**/reports*')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })
})
