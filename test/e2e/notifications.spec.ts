import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { newId } from '#platform/ids'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('notifications', () => {
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

  it('lead an advertiser from the bell, which counts them live, to the rejected campaign', async () => {
    const ada = await product.as('ada@nile.example')
    const moderator = await product.as('moderator@dsp.example')
    await ada.call('POST', '/v1/notifications/read', { all: true })
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.getByRole('button', { name: /^Notifications/ }).waitFor()
    const name = `Rejected ${newId()}`
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada, { name }))
    const { moderation_start_at } = (await ada.call('GET', `/v1/campaign/${data.id}`)).data
    const { code } = await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', {
      campaign_id: data.id,
      moderation_start_at,
      comment: 'Tell the price in the ad.',
    })
    expect(code).toBe(0)
    // Without a reload.
    await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
    const link = page.getByRole('link', { name: new RegExp(`“${name}” was rejected`) })
    await link.waitFor()
    expect(await link.textContent()).toContain('Tell the price in the ad.')
    await link.click()
    await page.waitForURL(`**/campaign/edit/${data.id}**`)
    await page.goto('/notifications?kind=campaign-rejected')
    await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor()
    await page.getByRole('link', { name: new RegExp(`^“${name}” was rejected`) }).waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('unread')
    await page.getByText(name).waitFor({ state: 'detached' })
    await page.goto('/profile?tab=notifications')
    await page.getByLabel('Mail about: Campaign rejected').selectOption('daily')
    await page.getByText('Changes saved successfully!').waitFor()
    await page.reload()
    const choice = page.getByLabel('Mail about: Campaign rejected')
    await choice.waitFor()
    expect(await choice.inputValue()).toBe('daily')
    expect(complaints).toEqual([])
  }, 60_000)
})
