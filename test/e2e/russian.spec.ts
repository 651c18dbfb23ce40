import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORM_TABS } from '@/features/campaigns/form/form-tabs'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, pickCountry } from '../support/page.ts'
import { PASSWORD, png, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

/** Texts that are cut off without a way to read the rest, and whether the page scrolls sideways. */
const clipped = (page: Page) =>
  page.evaluate(() => {
    const cuts = (element: Element) => /hidden|clip/.test(getComputedStyle(element).overflowX)
    const found = [...document.querySelectorAll<HTMLElement>('body *')].filter(
      (element) =>
        // An element for readers alone is one pixel wide.
        element.clientWidth > 1 &&
        element.scrollWidth > element.clientWidth + 1 &&
        cuts(element) &&
        element.closest('[title]') === null &&
        element.textContent.trim() !== '',
    )
    const sideways = document.documentElement.scrollWidth > innerWidth ? [`${document.documentElement.scrollWidth} px wide`] : []
    return [...sideways, ...found.map(({ className, textContent }) => `${textContent.trim().slice(0, 80)} (${className})`)]
  })

describe('the application in Russian', () => {
  let product: TestProduct
  let browser: Browser
  const drafts: Record<'seen' | 'audio', string> = { seen: '', audio: '' }
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const ada = await product.as('ada@nile.example')
    const create = async (over: Record<string, unknown>) =>
      (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, over))).data.id
    drafts.seen = await create({ name: 'Осенняя распродажа с очень длинным названием, которое не помещается в строку' })
    drafts.audio = await create({ bidding_strategy: { type: 'other', goal: 'AUDIO_ADVERTISING' }, visuals: { banners: [] } })
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const signIn = async (email: string) => {
    const watched = await openPage(browser, product.base, { locale: 'ru-RU' })
    const { page } = watched
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/auth/login')
    await page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await page.reload()
    await page.getByLabel('Имя пользователя').fill(email)
    await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
    expect(await clipped(page)).toEqual([])
    await page.getByRole('button', { name: 'Войти', exact: true }).click()
    await page.waitForURL(({ pathname }) => !pathname.startsWith('/auth/'))
    return watched
  }

  it('an advertiser makes a campaign, publishes it, and finds it in the list', async () => {
    const { page, complaints } = await signIn('ada@nile.example')
    await page.getByRole('button', { name: 'Новая кампания', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Узнаваемость' }).click()
    await page.getByLabel('Название кампании').fill('Рассвет над Гизой')
    await pickCountry(page, 'Египет', 'Страна')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Выбрать страну' }).click()
    await page.getByLabel('Дневной бюджет').fill('40')
    await page.getByLabel('Адрес целевой страницы').fill('https://nile.example/giza')
    await page.getByRole('button', { name: 'Сохранить и далее' }).click()
    await page.waitForURL('**/campaign/edit/**')
    await page.getByRole('link', { name: 'Баннеры' }).click()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'giza.png', mimeType: 'image/png', buffer: await png(300, 250) })
    await page.getByRole('article').waitFor()
    await page.getByRole('button', { name: 'Опубликовать' }).click()
    const review = page.getByRole('dialog', { name: 'Проверить и опубликовать' })
    await review.getByText('Отправится на модерацию').waitFor()
    await review.getByRole('button', { name: 'Опубликовать' }).click()
    const row = page.getByRole('row', { name: /Рассвет над Гизой/ })
    await row.getByText('На модерации').waitFor()
    await row.getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Запустить' }).click()
    await page.getByText('Кампания на модерации. Её нельзя запустить или приостановить, пока её не одобрят.').waitFor()
    expect(complaints).toEqual([])
  })

  it.each([1024, 1280])('the decisions of a moderator stand in one line at %i px', async (width) => {
    const { page } = await signIn('moderator@dsp.example')
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/moderation')
    await page.getByRole('button', { name: 'Одобрить', exact: true }).waitFor()
    const names = ['Одобрить', 'Одобрить с…', 'Отклонить', 'Пропустить']
    const tops = names.map(async (name) => (await page.getByRole('button', { name, exact: true }).boundingBox())?.y)
    expect(new Set(await Promise.all(tops)).size).toBe(1)
  })

  it('nothing is cut off at 1280 px: lists, reports, moderation, and every section of the form', async () => {
    const { page, complaints } = await signIn('owner@dsp.example')
    const cut: Record<string, readonly string[]> = {}
    const sweep = async (address: string) => {
      await page.goto(address)
      await page.locator('h1').first().waitFor()
      await page.locator('[data-slot=progress-bar]').waitFor({ state: 'detached' })
      const found = await clipped(page)
      if (found.length > 0) cut[address] = found
    }
    for (const address of ['/campaigns', '/admin/campaigns', '/moderation', `/reports?campaignId=${drafts.seen}`])
      await sweep(address)
    for (const tab of FORM_TABS.filter((one) => one !== 'tracks')) await sweep(`/campaign/edit/${drafts.seen}?tab=${tab}`)
    await sweep(`/campaign/edit/${drafts.audio}?tab=tracks`)
    expect(cut).toEqual({})
    expect(complaints).toEqual([])
  })
})
