import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type City = { readonly id: string; readonly name: string }

describe('the targeting of several campaigns', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  const ids: string[] = []
  let cities: readonly City[] = []
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    cities = (await ada.call<readonly City[]>('GET', '/v1/geo/city?country=EG')).data
    const [first] = cities
    for (const [n, targeting] of [
      { automaticTargeting: false, city_ids: [first?.id], target_languages: ['english'] },
      { automaticTargeting: false, city_ids: [first?.id], connection_types: ['4g'] },
      { automaticTargeting: true },
    ].entries()) {
      const name = `Dhow ${n + 1}`
      const content = await publishable(product.base, ada, { name, country: 'EG', targeting })
      const made = await ada.call('POST', '/v1/campaign', content)
      expect(made.code).toBe(0)
      ids.push(made.data.id)
    }
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  type Stored = {
    readonly targeting: Readonly<Record<string, unknown>>
    readonly placement: { readonly device_type_key: number }
    readonly freq_and_scheduling_on: boolean
    readonly scheduling: Readonly<Record<string, readonly string[]>>
  }
  /** What the read model holds, which may be behind the browser's writes. */
  const stored = () => Promise.all(ids.map(async (id) => (await ada.call<Stored>('GET', `/v1/campaign/${id}`)).data))
  const citiesOf = async () => (await stored()).map(({ targeting }) => targeting['city_ids'])
  const devices = async () => (await stored()).map(({ placement }) => placement.device_type_key)
  const isFocused = (page: Page, label: string) =>
    page.getByLabel(label).evaluate((element) => element === document.activeElement)

  it('with the mouse: a city is added where it can be, with the reason elsewhere, and taken back by one Undo', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto('/campaigns?q=Dhow&sort=name&dir=asc')
    await page.getByRole('link', { name: 'Dhow 1' }).waitFor()
    const before = await stored()
    const [first, second] = cities
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 3 campaigns' })
    await dialog.getByText('Targeting', { exact: true }).click()
    await dialog.getByLabel('Search cities').fill(second?.name ?? '')
    await page
      .getByRole('option', { name: new RegExp(`^${second?.name}`) })
      .first()
      .click()
    await page.keyboard.press('Escape')
    await dialog.getByText('Its targeting is automatic, so lists have no effect.').waitFor()
    await dialog.getByText('2 of 3 will change').waitFor()
    await expect.poll(() => dialog.getByText(`${first?.name}, ${second?.name}`).count()).toBe(2)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Apply to 2' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(async () => (await citiesOf()).slice(0, 2))
      .toEqual([
        [first?.id, second?.id],
        [first?.id, second?.id],
      ])
    await page.getByText('2 campaigns changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page.getByText('2 campaigns changed back').waitFor()
    await expect
      .poll(async () => (await stored()).map(({ targeting }) => targeting))
      .toEqual(before.map(({ targeting }) => targeting))
    expect(complaints).toEqual([])
  })

  it('with the keyboard, in Russian in the dark: the device of two campaigns, taken back by Z', async () => {
    const { page, complaints, clicks } = await openPage(browser, product.base, { colorScheme: 'dark', locale: 'ru-RU' })
    await page.goto('/auth/login')
    await page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await page.reload()
    await page.getByLabel('Имя пользователя').fill('ada@nile.example')
    await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(({ pathname }) => !pathname.startsWith('/auth/'))
    await page.goto('/campaigns?q=Dhow&sort=name&dir=asc')
    const keys = page.keyboard
    await page.getByRole('link', { name: 'Dhow 1' }).focus()
    await keys.press('Space')
    await keys.press('ArrowDown')
    await keys.press('Space')
    await keys.press('Shift+E')
    const dialog = page.getByRole('dialog', { name: 'Изменить 2 кампании' })
    await dialog.waitFor()
    await dialog.getByRole('radio', { name: 'Бюджет' }).focus()
    for (let n = 0; n < 4; n++) await keys.press('ArrowRight')
    await expect.poll(() => isFocused(page, 'Таргетинг')).toBe(true)
    await keys.press('Tab')
    await expect.poll(() => isFocused(page, 'Города')).toBe(true)
    for (let n = 0; n < 4; n++) await keys.press('ArrowRight')
    await expect.poll(() => isFocused(page, 'Устройство')).toBe(true)
    await keys.press('Tab')
    await keys.press('ArrowLeft')
    await dialog.getByText('Изменятся 2 из 2').waitFor()
    expect(await violations(page)).toEqual([])
    await keys.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(devices).toEqual([4, 4, 1])
    await page.getByRole('button', { name: /^Отменить/ }).waitFor()
    await keys.press('z')
    await expect.poll(devices).toEqual([1, 1, 1])
    expect(clicks()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('with the mouse: working hours with one more hour of a Monday, taken back by one Undo', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto('/campaigns?q=Dhow&sort=name&dir=asc')
    await page.getByRole('link', { name: 'Dhow 1' }).waitFor()
    const hours = async () =>
      (await stored()).map(({ freq_and_scheduling_on: on, scheduling }) => [on, scheduling['1'], scheduling['0']])
    const before = await hours()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 3 campaigns' })
    await dialog.getByText('Targeting', { exact: true }).click()
    await dialog.getByText('Hours', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Business hours' }).click()
    await dialog.getByRole('gridcell', { name: 'Monday 18:00' }).click()
    await expect.poll(() => dialog.getByText('Mon 09:00–19:00; Tue–Fri 09:00–18:00').count()).toBe(3)
    await dialog.getByText('3 of 3 will change').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Apply to 3' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const monday = Array.from({ length: 10 }, (_, n) => String(n + 9).padStart(2, '0'))
    await expect.poll(hours).toEqual(Array.from({ length: 3 }, () => [true, monday, []]))
    await page.getByText('3 campaigns changed', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(hours).toEqual(before)
    expect(complaints).toEqual([])
  })
})
