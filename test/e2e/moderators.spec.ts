import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { eventually, PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

/** Fine print 101. */
describe('two moderators', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  it('share a queue by keys: hold, take over, reject with a canned reason, undo, reject, statistics', async () => {
    const [ada, owner] = await Promise.all([product.as('ada@nile.example'), product.as('owner@dsp.example')])
    const { data: campaign } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    const whitelabel_settings = {
      reject_reasons: [
        {
          topic: 'Drugs',
          active: true,
          title: { en: 'Alcohol', ru: 'Алкоголь' },
          text: { en: 'Alcohol is not advertised here.', ru: 'Алкоголь здесь не рекламируют.' },
        },
      ],
      review_checklist: [{ en: 'The price is shown', ru: 'Цена указана' }],
    }
    expect((await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings })).code).toBe(0)
    await eventually(
      () => owner.call<{ reasons: unknown[] }>('GET', `/v1/whitelabel/admin/moderation/guidelines/${campaign.id}`),
      ({ data }) => data.reasons.length === 1,
    )

    const address = `/moderation?id=${campaign.id}`
    const [first, second] = [await openPage(browser, product.base), await openPage(browser, product.base)]
    await signInAs(first.page, 'moderator@dsp.example', PASSWORD)
    await signInAs(second.page, 'owner@dsp.example', PASSWORD)
    const approve = (of: typeof first, state: 'enabled' | 'disabled') =>
      of.page.locator(`button[aria-keyshortcuts=A]:${state}`).waitFor()

    // The first one holds it, the second one takes it over, and the first one sees that at once.
    await first.page.goto(address)
    await approve(first, 'enabled')
    await first.page.locator('article').getByText('You review it').waitFor()
    await second.page.goto(address)
    await second.page.getByText(/ reviews this campaign$/).waitFor()
    await approve(second, 'disabled')
    await second.page.keyboard.press('t')
    await approve(second, 'enabled')
    await first.page.getByText(/ took this campaign over$/).waitFor()
    await approve(first, 'disabled')

    // A canned reason by keys alone. Undo brings it back with what was typed.
    const reject = async () => {
      await second.page.getByRole('dialog', { name: 'Reject campaign' }).waitFor()
      await second.page.keyboard.press('Control+Enter')
      await second.page.getByRole('dialog', { name: 'Reject campaign' }).waitFor({ state: 'detached' })
    }
    await second.page.getByRole('checkbox', { name: 'The price is shown' }).waitFor()
    await second.page.keyboard.press('r')
    await second.page.getByRole('combobox', { name: 'Find a reason' }).waitFor()
    await second.page.keyboard.type('alco')
    await second.page.keyboard.press('Enter')
    const words = second.page.getByLabel('In your words')
    expect(await words.inputValue()).toBe('Alcohol is not advertised here.')
    // No message covers the buttons of the panel.
    await reject()
    await second.page.keyboard.press('z')
    await words.waitFor()
    expect(await words.inputValue()).toBe('Alcohol is not advertised here.')
    const send = second.page.getByRole('dialog', { name: 'Reject campaign' }).getByRole('button', { name: /^Reject/ })
    expect(
      await send.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect()
        return button.contains(document.elementFromPoint(x + width / 2, y + height / 2))
      }),
    ).toBe(true)
    await reject()

    const status = async () =>
      (await owner.call<{ status_key: number; moderator_comment: string }>('GET', `/v1/campaign/${campaign.id}`)).data
    const decided = await eventually(status, ({ status_key }) => status_key === 2)
    expect(decided.moderator_comment).toBe('Alcohol is not advertised here.')
    await first.page.getByText('No longer waiting').or(first.page.getByText('Updated while in moderation')).first().waitFor()

    // The statistics count the decision.
    const today = new Date().toISOString().slice(0, 10)
    const rejected = async () =>
      (
        await owner.call<{ total: { rejected: number } }>(
          'GET',
          `/v1/whitelabel/admin/moderation/statistics?from=${today}&to=${today}`,
        )
      ).data.total.rejected
    expect(await eventually(rejected, (count) => count > 0)).toBeGreaterThan(0)
    await second.page.goto(`/moderation/statistics?start=${today}&end=${today}`)
    await second.page.getByRole('table', { name: 'By moderator' }).getByRole('row').nth(1).waitFor()
    await second.page.getByRole('slider', { name: 'Decisions by day' }).waitFor()
    expect([first.complaints, second.complaints]).toEqual([[], []])
  })
})
