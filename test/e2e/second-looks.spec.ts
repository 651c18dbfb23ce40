import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { eventually, PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const ADMIN = '/v1/whitelabel/admin'

/** Fine print 104. */
describe('a second moderator', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  let owner: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    browser = await sharedBrowser()
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
    const whitelabel_settings = {
      second_look_share: 100,
      banned_words: ['vodka'],
      reject_reasons: [
        {
          topic: 'Banned words',
          active: true,
          title: { en: 'Alcohol', ru: 'Алкоголь' },
          text: { en: 'Alcohol is not advertised here.', ru: 'Алкоголь здесь не рекламируют.' },
        },
      ],
    }
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings })).code).toBe(0)
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const submitted = async (over: Record<string, unknown> = {}) =>
    (await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada, over))).data
  const read = async (id: string) =>
    (await owner.call<{ status_key: number; moderator_comment: string }>('GET', `/v1/campaign/${id}`)).data
  const send = async (page: Page, dialog: string) => {
    await page.keyboard.press('Control+Enter')
    await page.getByRole('dialog', { name: dialog }).waitFor({ state: 'detached' })
  }

  it('gets a sampled approval by keys and disagrees: the campaign is rejected, and the statistics say so', async () => {
    const { id, name, moderation_start_at } = await submitted()
    expect((await moderator.call('POST', `${ADMIN}/campaign/approve`, { campaign_id: id, moderation_start_at })).code).toBe(0)
    await eventually(
      () => owner.call<{ data: readonly { campaign_id: string }[] }>('POST', `${ADMIN}/moderation/second-looks`, {}),
      ({ data }) => data.data.some(({ campaign_id }) => campaign_id === id),
    )
    const watched = await openPage(browser, product.base)
    const { page } = watched
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.goto('/moderation')
    await page.getByRole('link', { name: 'Second look' }).click()
    await page.goto(`/moderation?tab=second&id=${id}`)
    await page.getByRole('heading', { name }).waitFor()
    await page.getByRole('region', { name: 'Where clicks lead' }).getByText('https://nile.example/landing').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: 'Reject campaign' }).waitFor()
    await page.getByLabel('In your words').fill('The price is missing')
    await send(page, 'Reject campaign')
    await page.getByText('You disagreed with the approval').waitFor()
    const rejected = await eventually(
      () => read(id),
      ({ status_key }) => status_key === 2,
    )
    expect(rejected.moderator_comment).toBe('The price is missing')
    const today = new Date().toISOString().slice(0, 10)
    await page.goto(`/moderation/statistics?start=${today}&end=${today}`)
    const table = page.getByRole('table', { name: 'By moderator' })
    await table.getByRole('columnheader', { name: 'Second looks' }).waitFor()
    const { name: approver } = (await moderator.call<{ name: string }>('GET', '/v1/user/me')).data
    const cells = table.getByRole('row').filter({ hasText: approver }).getByRole('cell')
    expect((await cells.allTextContents()).slice(-2)).toEqual(['1', '0'])
    expect(watched.complaints).toEqual([])
  })

  it.each([
    ['en', 'Simple checks', 'Banned word', 'Address without https', 'Reject campaign', 'In your words'],
    ['ru', 'Простые проверки', 'Запрещённое слово', 'Адрес без https', 'Отклонить кампанию', 'Своими словами'],
  ])(
    'sees findings in %s, and R begins with the canned reason that fits',
    async (language, title, word, address, dialog, words) => {
      const { id } = await submitted({
        product_url: 'http://nile.example',
        native_ad: { headline: 'Vodka for all', body: 'Fresh', advertiser: 'Nile', images: [] },
      })
      const watched = await openPage(browser, product.base)
      const { page } = watched
      await signInAs(page, 'moderator@dsp.example', PASSWORD)
      await page.evaluate((chosen) => localStorage.setItem('DSP_LANGUAGE', chosen), language)
      await page.goto(`/moderation?id=${id}`)
      const panel = page.getByRole('region', { name: title })
      await panel.getByText(word, { exact: true }).first().waitFor()
      await panel.getByText(address, { exact: true }).first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.locator('button[aria-keyshortcuts=R]:enabled').waitFor()
      await page.keyboard.press('r')
      await page.getByRole('dialog', { name: dialog }).waitFor()
      expect(await page.getByLabel(words).inputValue()).toBe('Alcohol is not advertised here.')
      await send(page, dialog)
      const rejected = await eventually(
        () => read(id),
        ({ status_key }) => status_key === 2,
      )
      expect(rejected.moderator_comment).toBe('Alcohol is not advertised here.')
      expect(watched.complaints).toEqual([])
    },
  )
})
