import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, png, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** Paths of the calls that change something, in order. */
function watchWrites(page: Page): readonly string[] {
  const writes: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isRead =
      request.method() === 'GET' ||
      /\/(list|queue|log|search|notifications|oauth|estimate|audience-size|overview)\b/.test(pathname)
    if (!isRead && /^\/v1\/(whitelabel\/admin\/)?campaign/.test(pathname)) writes.push(`${request.method()} ${pathname}`)
  })
  return writes
}

describe('dialogs of the campaign form, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  const stored = async (id: string) => (await ada.call('GET', `/v1/campaign/${id}`)).data

  /** A submission, opened by the owner, who then types another budget. */
  async function withAnUnsavedBudget() {
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.goto(`/campaign/edit/${data.id}?tab=basicInfo`)
    const panel = page.getByRole('region', { name: 'Waiting for your decision' })
    await panel.waitFor()
    await page.getByLabel('Daily budget').first().fill('913')
    return { page, complaints, panel, id: data.id, before: (await stored(data.id)).budget, writes: watchWrites(page) }
  }

  it('Reject sends the rejection and nothing else', async () => {
    const { page, panel, id, before, writes, complaints } = await withAnUnsavedBudget()
    await panel.getByRole('button', { name: 'Reject' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reject campaign' })
    await dialog.getByRole('checkbox').first().check()
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Campaign rejected successfully!').waitFor()
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor()
    // It is sent when it can no longer be taken back.
    await expect.poll(() => writes).toEqual(['POST /v1/whitelabel/admin/campaign/reject'])
    await expect.poll(() => stored(id)).toMatchObject({ budget: before, status_key: 2 })
    expect(complaints).toEqual([])
  })

  it('Approve sends the approval and nothing else', async () => {
    const { page, panel, id, before, writes, complaints } = await withAnUnsavedBudget()
    await panel.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog', { name: 'Approve campaign' }).getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByText('Campaign Approved Successfully').waitFor()
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor()
    await expect.poll(() => writes).toEqual(['POST /v1/whitelabel/admin/campaign/approve'])
    expect((await stored(id)).budget).toBe(before)
    expect(complaints).toEqual([])
  })

  it('a picture of another size is cut to the banner that was chosen, and one of another banner finds its own size', async () => {
    const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto(`/campaign/edit/${data.id}?tab=bannerAds`)
    const input = page.getByLabel('Choose a file')
    await input.setInputFiles([
      { name: 'wide.png', mimeType: 'image/png', buffer: await png(728, 90) },
      { name: 'photo.png', mimeType: 'image/png', buffer: await png(1000, 700) },
    ])
    const question = page.getByRole('dialog', { name: 'Cut to 300 × 250' })
    await question.getByRole('slider').press('ArrowRight')
    await question.getByRole('button', { name: 'Use this part' }).click()
    const cut = page.getByRole('article', { name: 'photo' })
    await cut.getByText('300x250').waitFor()
    await page.getByRole('article', { name: 'wide' }).getByText('728x90').waitFor()
    expect(complaints).toEqual([])
  })
})
