import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { launchBrowser, openPage, signInAs } from '../support/browser.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

describe('accessibility, a pairwise sample of screens, roles, themes and languages', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await product.stop()
  })

  it.each([
    ['ada@nile.example', 'light', 'en', '/campaigns', 'table'],
    ['ada@nile.example', 'dark', 'ru', '/campaign/create?tab=basicInfo&type=awareness', 'form'],
    ['ada@nile.example', 'dark', 'ru', '/campaign/create?tab=nativeAds&type=awareness', 'fieldset'],
    ['ada@nile.example', 'light', 'ru', '/campaign/create?tab=dynamicAds&type=awareness', 'fieldset'],
    ['ada@nile.example', 'dark', 'en', '/campaign/create?tab=videoAds&type=consideration', 'fieldset'],
    ['ada@nile.example', 'light', 'en', '/campaign/create?tab=bannerAds&type=conversion', 'fieldset'],
    ['ada@nile.example', 'dark', 'ru', '/campaign/create?tab=tracks&type=other', 'fieldset'],
    ['moderator@dsp.example', 'dark', 'en', '/moderation', 'main'],
    ['owner@dsp.example', 'light', 'ru', 'changeLog', 'table'],
    ['owner@dsp.example', 'dark', 'en', 'basicInfo', 'form'],
    ['auditor@dsp.example', 'light', 'ru', '/admin/campaigns', 'table'],
  ] as const)('%s, %s, %s: %s', async (email, colorScheme, language, path, shows) => {
    const { page, complaints } = await openPage(browser, product.base, { colorScheme })
    await signInAs(page, email, PASSWORD)
    let target: string = path
    if (!path.startsWith('/')) {
      const owner = await product.as(email)
      const list = await owner.call<{ data: { id: string; status_key: number }[] }>('POST', '/v1/campaign/admin/list', {
        status_filter: 'in_moderation',
      })
      target = `/campaign/edit/${list.data.data[0]?.id}?tab=${path}`
    }
    await page.evaluate((chosen) => localStorage.setItem('DSP_LANGUAGE', chosen), language)
    await page.goto(target)
    await page.locator(shows).first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    expect(complaints).toEqual([])
  })
})
