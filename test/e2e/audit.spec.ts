import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

type Listed = { readonly data: readonly { readonly id: string; readonly name: string; readonly budget: number }[] }

/** Questions to an auditor: who changed it, how was it before, and can you prove that. */
describe('an auditor, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let id = ''
  let before = 0
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const ada = await product.as('ada@nile.example')
    const { data: listed } = await ada.call<Listed>('POST', '/v1/campaign/list/v2', {})
    const campaign = listed.data.find(({ name }) => name === 'Nile dinner cruise')
    if (campaign === undefined) throw new Error('the demo lacks a campaign')
    id = campaign.id
    before = campaign.budget
    const owner = await product.as('owner@dsp.example')
    const { data } = await owner.call('PUT', '/v1/campaign', { id, budget: before + 22 })
    // The data of the screens is then there.
    await owner.call('GET', `/v1/campaign/revision/count/${id}`, undefined, { 'x-position': data.position })
    await owner.call('GET', '/v1/audit/feed?limit=1', undefined, { 'x-position': data.position })
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  const dollars = (amount: number) => `$${amount.toFixed(2)}`
  const saved = async (page: Page, press: () => Promise<void>) => {
    const download = page.waitForEvent('download')
    await press()
    const file = await download
    return { name: file.suggestedFilename(), path: await file.path() }
  }

  it('finds who changed a budget, shows the campaign as it was the day before, proves it, exports it, and verifies the file offline: 9', async () => {
    const { page, complaints, clicks } = await openPage(browser, product.base)
    await signInAs(page, 'auditor@dsp.example', PASSWORD)
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/audit')
    const began = clicks()

    // The author of a budget change.
    await page.getByRole('button', { name: 'Budget changes' }).click()
    await page.waitForURL('**/audit?field=budget')
    const row = page
      .getByTestId(/^audit-row-/)
      .filter({ hasText: 'Nile dinner cruise' })
      .first()
    await row.getByText(`${before.toFixed(2)} → ${(before + 22).toFixed(2)}`).waitFor()
    expect(await row.textContent()).toContain('Olivia Mbeki')
    expect(await violations(page)).toEqual([])

    // How was the campaign the day before?
    await row.getByRole('link', { name: /^Timeline of Nile dinner cruise/ }).click()
    await page
      .getByTestId('changed-budget')
      .getByText(dollars(before + 22))
      .waitFor()
    await page
      .getByTestId('state-budget')
      .getByText(dollars(before + 22))
      .waitFor()
    await page
      .getByTestId('state-budget')
      .getByRole('button', { name: /^Olivia Mbeki · \d+\W+Set by/ })
      .waitFor()
    await page.getByRole('button', { name: 'One day earlier' }).click()
    await page.getByTestId('state-budget').getByText(dollars(before), { exact: true }).waitFor()
    await page
      .getByTestId('state-budget')
      .getByRole('button', { name: /^Ada Hassan · \d+\W+Set by/ })
      .waitFor()
    await page.waitForURL('**/campaign/timeline/**at=**')
    expect(await violations(page)).toEqual([])

    // Can it be proven?
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText(/events are intact/).waitFor()
    const proof = await saved(page, () => page.getByRole('button', { name: /^Download proof of revision/ }).click())
    expect(proof.name).toMatch(/^Nile-dinner-cruise-revision-\d+\.tlog-proof$/)
    expect(await readFile(proof.path, 'utf8')).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex \d+\n/)

    // A file for those who have no access.
    await page.getByRole('link', { name: 'Audit', exact: true }).click()
    await page.getByRole('tab', { name: 'Proof' }).click()
    await page.getByTestId('head-size').waitFor()
    await page.getByRole('button', { name: 'Export events…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Export' })
    const file = await saved(page, () => dialog.getByRole('button', { name: 'Export' }).click())
    await dialog.waitFor({ state: 'hidden' })
    expect(file.name).toBe('audit-all.ndjson')

    // Verified without a connection.
    await page.context().setOffline(true)
    await page.getByLabel('Drop an export here, or choose a file').setInputFiles({
      name: file.name,
      mimeType: 'application/x-ndjson',
      buffer: await readFile(file.path),
    })
    await page.getByText('audit-all.ndjson is genuine.').waitFor()
    await page.getByText(/events, proven in a head of/).waitFor()
    expect(clicks() - began).toBe(9)

    // One character of one event is another.
    const text = await readFile(file.path, 'utf8')
    const forged = text.replace('Nile dinner cruise', 'Nile dinner crvise')
    expect(forged).not.toBe(text)
    await page.getByLabel('Drop an export here, or choose a file').setInputFiles({
      name: 'forged.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(forged),
    })
    await page.getByText(/forged\.ndjson is not genuine/).waitFor()
    await page.context().setOffline(false)
    expect(complaints).toEqual([])
  })

  it('goes through a timeline by keys alone, and a link shows the same moment', async () => {
    const { page, complaints, clicks } = await openPage(browser, product.base)
    await signInAs(page, 'auditor@dsp.example', PASSWORD)
    const began = clicks()
    await page.goto(`/campaign/timeline/${id}`)
    const slider = page.getByRole('slider', { name: 'Moment of the timeline' })
    await slider.focus()
    await page.keyboard.press('Home')
    await page.waitForURL('**revision=1')
    await page.getByText('The campaign was created with what is shown as its state.').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL('**revision=2')
    await page.keyboard.press('End')
    await page.waitForURL((url) => url.search === '')
    await page.keyboard.press('PageDown')
    await page.waitForURL('**at=**')
    const moment = await slider.getAttribute('aria-valuetext')
    await page.reload()
    await slider.waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toBe(moment)
    expect(clicks() - began).toBe(0)
    expect(complaints).toEqual([])
  })
})
