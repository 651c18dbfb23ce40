import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { Language } from '#domain/kit/languages'
import { leaveBrowser, sharedBrowser } from '#test/support/browser'
import { openPage } from '#test/support/page'
import { PASSWORD, startTestProduct, type Settings, type TestProduct } from '#test/support/product'

type Manner = { readonly language?: Language; readonly colorScheme?: 'light' | 'dark'; readonly byKeys?: boolean }

/** The second time at the key places: with the keyboard alone, in Russian, in the dark. */
export const BY_KEYS_IN_RUSSIAN: Manner = { language: 'ru', colorScheme: 'dark', byKeys: true }

/** The product and the browser of a file, from before its first test until after its last one. */
export function walkIn(settings: Settings = {}) {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct(settings)
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  return {
    get product() {
      return product
    },
    get browser() {
      return browser
    },
    /**
     * A page at a path of the application, on which a user is signed in; null for a visitor. The test fails when the console complained,
     * or when there was a click where there should be none.
     */
    arrive: async (email: string | null, path: string, manner: Manner = {}) => {
      const { language = 'en', colorScheme = 'light', byKeys = false } = manner
      const { page, complaints, clicks } = await openPage(browser, product.base, { colorScheme })
      onTestFinished(() => expect({ complaints, clicks: byKeys ? clicks() : 0 }).toEqual({ complaints: [], clicks: 0 }))
      if (email !== null) {
        await page.goto('/auth/login')
        await page.evaluate((code) => localStorage.setItem('DSP_LANGUAGE', code), language)
        await page.reload()
        await page.getByRole('textbox').first().fill(email)
        await page.locator('input[type=password]').fill(PASSWORD)
        await page.keyboard.press('Enter')
        await page.waitForURL(({ pathname }) => !pathname.startsWith('/auth/') && pathname !== '/')
      }
      await page.goto(path)
      return page
    },
  }
}
