import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { eventually, PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

const SUBMISSIONS = 10
type Queue = {
  readonly total_size: number
  readonly data: readonly { readonly campaign_id: string; readonly campaign_name: string }[]
}

const median = (counts: readonly number[]) => counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]

describe('moderating by keys alone', () => {
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

  const queue = async () => {
    const owner = await product.as('owner@dsp.example')
    return (await owner.call<Queue>('POST', '/v1/whitelabel/admin/moderation/queue', { page_size: 100 })).data
  }
  const statusOf = async (id: string) =>
    (await (await product.as('owner@dsp.example')).call('GET', `/v1/campaign/${id}`)).data.status_key

  it('takes one key for most of ten decisions, forgets what was taken back, and no key decides once they are off', async () => {
    const ada = await product.as('ada@nile.example')
    const before = (await queue()).total_size
    for (let made = 0; made < SUBMISSIONS; made++) {
      const { code } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
      expect(code).toBe(0)
    }
    const { data: waiting } = await eventually(queue, ({ total_size }) => total_size === before + SUBMISSIONS)
    expect(waiting.length).toBe(before + SUBMISSIONS)
    expect(before).toBeGreaterThan(0)

    const { page, complaints, clicks } = await openPage(browser, product.base)
    await signInAs(page, 'moderator@dsp.example', PASSWORD)
    const clicksToSignIn = clicks()
    await page.goto('/moderation')
    const shows = (place: number) =>
      page.getByRole('heading', { level: 2, name: waiting[place]?.campaign_name ?? '', exact: true }).waitFor()
    const decidable = () => page.locator('button[aria-keyshortcuts=A]:enabled').waitFor()
    let pressed = 0
    const press = async (...keys: readonly string[]) => {
      for (const key of keys) {
        await decidable()
        await page.keyboard.press(key)
        pressed++
      }
    }
    const presses: number[] = []
    /** The decision about the one at a place, after which the next one is there. */
    const decision = async (place: number, ...keys: readonly string[]) => {
      await shows(place)
      pressed = 0
      await press(...keys)
      await shows(place + 1)
      presses.push(pressed)
    }

    // Two rejections: with a ready reason, and with words. The focus is led, so nothing is pointed at.
    await decision(0, 'r', 'Space', 'Control+Enter')
    await shows(1)
    await press('r')
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('Tell the price in the ad.')
    await page.keyboard.press('Control+Enter')
    // The rest is approved, one of them after a second thought.
    await decision(2, 'a')
    await shows(3)
    await press('a')
    await shows(4)
    await press('z')
    await decision(3, 'a')
    for (let place = 4; place < SUBMISSIONS; place++) await decision(place, 'a')
    expect(median(presses)).toBeLessThanOrEqual(2)
    expect(clicks()).toBe(clicksToSignIn)

    // A decision that can still be taken back is sent when its time is over.
    const decided = waiting.slice(0, SUBMISSIONS).map(({ campaign_id }) => campaign_id)
    const left = await eventually(queue, ({ total_size }) => total_size === waiting.length - SUBMISSIONS)
    expect(complaints).toEqual([])
    const undecided = left.data.map(({ campaign_id }) => decided.indexOf(campaign_id)).filter((place) => place !== -1)
    expect({ undecided, refused: await page.getByText(/^Not approved/).allTextContents() }).toEqual({
      undecided: [],
      refused: [],
    })
    const statuses = await Promise.all(decided.map(statusOf))
    expect(statuses).not.toContain(1)
    expect(statuses.slice(2)).not.toContain(2)
    const owner = await product.as('owner@dsp.example')
    const words = async (place: number) =>
      (await owner.call<{ moderator_comment: string }>('GET', `/v1/campaign/${decided[place]}`)).data.moderator_comment
    expect(await words(0)).toBe('The ad makes a claim that is misleading or cannot be verified.')
    expect(await words(1)).toBe('Tell the price in the ad.')

    // Switched off in the help, they rest; the buttons are still there for Tab and Enter.
    await shows(SUBMISSIONS)
    await page.keyboard.press('?')
    const off = page.getByRole('switch', { name: 'Single-key shortcuts' })
    await off.waitFor()
    for (let tab = 0; tab < 10 && !(await off.evaluate((found) => found === document.activeElement)); tab++)
      await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await off.waitFor({ state: 'detached' })
    for (const key of ['a', 'r', 'j', 's', '?']) await page.keyboard.press(key)
    await page.waitForTimeout(300)
    await shows(SUBMISSIONS)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect((await queue()).total_size).toBe(waiting.length - SUBMISSIONS)
    expect(complaints).toEqual([])
  })
})
