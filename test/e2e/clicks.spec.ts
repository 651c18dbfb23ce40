import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { deliveryIn, hour, SERVICE } from '../support/delivery.ts'
import { openPage, pickCountry, publishForm, signInAs } from '../support/page.ts'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import { PASSWORD, png, startTestProduct, type TestProduct } from '../support/product.ts'

/** Everyday tasks, with the clicks that they take from the page on which the user starts. */
describe('a few clicks', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_SERVICE_TOKEN: SERVICE })
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  /** A signed-in user on the start page of the role, and the clicks since then. */
  async function start(email: string) {
    const { page, complaints, clicks } = await openPage(browser, product.base)
    await signInAs(page, email, PASSWORD)
    const before = clicks()
    return { page, complaints, clicks: () => clicks() - before }
  }

  /** The same in the first section of a campaign. */
  async function editing(email: string) {
    const { page, complaints, clicks } = await start(email)
    await page.getByRole('link', { name: 'Luxor by river' }).click()
    await page.getByLabel('Daily budget').waitFor()
    const before = clicks()
    return { page, complaints, clicks: () => clicks() - before }
  }

  it('a few clicks change a budget, and one stays where one is: 2', async () => {
    const { page, complaints, clicks } = await start('ada@nile.example')
    await page.getByRole('link', { name: 'Luxor by river' }).click()
    await page.getByLabel('Daily budget').fill('81')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changes Saved Successfully').waitFor()
    expect(page.url()).toContain('tab=basicInfo')
    expect(await page.getByLabel('Daily budget').inputValue()).toBe('81')
    expect(clicks()).toBe(2)

    // The same by keys.
    await page.getByLabel('Daily budget').fill('80')
    await page.keyboard.press('Control+S')
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(clicks()).toBe(2)
    expect(complaints).toEqual([])
  })

  it('a few clicks publish a campaign with ten dropped banners, named and sized by their files: 12', async () => {
    const { page, complaints, clicks } = await start('ada@nile.example')
    await page.getByRole('button', { name: 'New campaign' }).click()
    await page.getByRole('button', { name: /^Awareness/ }).click()
    await page.getByLabel('Campaign name').fill('Ten at once')
    await pickCountry(page, 'Egypt')
    await page.getByRole('button', { name: 'Set country' }).click()
    await page.getByLabel('Daily budget').fill('25')
    await page.getByLabel('Landing page URL').fill('https://nile.example/ten')
    await page.getByRole('link', { name: 'Banner ads' }).click()
    await page.getByText('Your sizes fit 0% of the banner places.').waitFor()
    const pictures = await Promise.all(
      BANNER_SIZES.map(async ({ width, height }) => ({
        name: `ten ${width}x${height}.png`,
        content: (await png(width, height)).toString('base64'),
      })),
    )
    // A drop, as the desktop makes it: one of the files twice.
    const dropped = await page.evaluateHandle((files) => {
      const transfer = new DataTransfer()
      for (const { name, content } of [...files, { ...files[0]!, name: 'again.png' }])
        transfer.items.add(
          new File([Uint8Array.from(atob(content), (byte) => byte.codePointAt(0) ?? 0)], name, { type: 'image/png' }),
        )
      return transfer
    }, pictures)
    const area = page.getByLabel('Choose a file')
    await area.evaluate((input: HTMLInputElement, transfer) => {
      input.files = transfer.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }, dropped)
    await page.getByText('The campaign has this file already.').first().waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Uploaded banners' }).getByRole('article').count()).toBe(10)
    await page.getByText('Your sizes fit 100% of the banner places.').waitFor()
    expect(await page.getByRole('article', { name: 'ten_728x90' }).count()).toBe(1)
    await publishForm(page)
    await page.getByText('Campaign published successfully!').waitFor()
    expect(clicks()).toBeLessThanOrEqual(12)
    expect(complaints).toEqual([])
  })

  it('a few clicks lead from the reason why a campaign does not run to the section that mends it: 1', async () => {
    const { page, complaints, clicks } = await start('ada@nile.example')
    const attention = page.getByRole('region', { name: 'Needs your attention' })
    await attention.getByRole('link', { name: 'Replace the creative' }).click()
    await page.waitForURL('**/campaign/edit/**tab=bannerAds**')
    await page
      .getByText(/^Disapproved: /)
      .first()
      .waitFor()
    expect(clicks()).toBe(1)
    expect(complaints).toEqual([])
  })

  it('a few clicks find an account by three letters, and raise its credit limit without switching into it: 3', async () => {
    const { page, complaints, clicks } = await start('owner@dsp.example')
    await page.getByRole('button', { name: /^Current account/ }).waitFor()
    await page.keyboard.press('/')
    const drawer = page.getByRole('dialog', { name: 'Search accounts and campaigns' })
    await drawer.waitFor()
    await page.keyboard.type('lag')
    await drawer.getByRole('link', { name: 'Details of Lagos Foods' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lagos Foods' }).waitFor()
    await page.getByRole('button', { name: 'Credit limit' }).click()
    await page.getByRole('dialog').getByLabel('Credit limit').fill('250')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved successfully!').waitFor()
    expect(clicks()).toBe(3)
    expect(await page.getByText('You act in').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('a few clicks save the table of the reports as it is shown: 2', async () => {
    const { ada, send } = await deliveryIn(product)
    type Listed = { readonly data: readonly { readonly id: string; readonly name: string }[] }
    const { data: listed } = await ada.call<Listed>('POST', '/v1/campaign/list/v2', {})
    const id = listed.data.find(({ name }) => name === 'Luxor by river')?.id
    const facts = { hour: hour(), campaign_id: id, impressions: 100, spent: 1 }
    await send(newId(), [
      { ...facts, country: 'EG' },
      { ...facts, country: 'NG' },
    ])
    const { page, complaints, clicks } = await start('ada@nile.example')
    await page.getByRole('link', { name: 'Reports' }).click()
    const table = page.getByRole('table', { name: 'Figures by Country' })
    await table.getByRole('row', { name: /Egypt/ }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const file = await readFile(await (await saved).path(), 'utf8')
    expect(clicks()).toBe(2)
    expect(file.startsWith('\uFEFF')).toBe(true)
    const shown = await table.getByRole('rowheader').allTextContents()
    const lines = file.slice(1).trimEnd().split('\r\n').slice(1)
    expect(shown.filter((name) => lines.some((line) => line.startsWith(name) || line.startsWith(`"${name}`))).length).toBe(
      lines.length,
    )
    expect(lines.length).toBe(2)
    expect(complaints).toEqual([])
  })

  it('a few clicks keep what is typed without a connection, and save it once it is back: none more', async () => {
    const { page, complaints, clicks } = await editing('ada@nile.example')
    await page.getByLabel('Daily budget').fill('83')
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    await page.getByText('No connection. Your changes are saved').waitFor()
    expect(await page.getByLabel('Daily budget').inputValue()).toBe('83')
    await page.context().setOffline(false)
    await page.getByText('Changes Saved Successfully').waitFor()
    expect(await page.getByLabel('Daily budget').inputValue()).toBe('83')
    expect(clicks()).toBe(1)
    expect(complaints).toEqual([])
  })

  it('a few clicks go on in the form after the session has ended: 2, the failed save and the next', async () => {
    const { page, complaints, clicks } = await editing('ada@nile.example')
    await page.getByLabel('Daily budget').fill('84')
    const cookies = await page.context().cookies()
    const body = new URLSearchParams({ refresh_token: cookies.find(({ httpOnly }) => httpOnly)?.value ?? '' })
    expect((await fetch(`${product.base}/v1/oauth/logout`, { method: 'POST', body })).status).toBe(200)
    await page.evaluate(() => localStorage.setItem('DSP_AUTH_TOKEN_EXPIRES_AT', '0'))
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await save.click()
    const again = page.getByRole('dialog', { name: 'Your session has ended' })
    await again.waitFor()
    // The focus is in the field already.
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'hidden' })
    expect(page.url()).toContain('tab=basicInfo')
    expect(await page.getByLabel('Daily budget').inputValue()).toBe('84')
    await save.click()
    await page.getByText('Changes Saved Successfully').waitFor()
    expect(clicks()).toBe(2)
    expect(complaints).toEqual([])
  })

  it('a few clicks settle what two tabs changed, field by field: 3', async () => {
    const { page, complaints, clicks } = await editing('ada@nile.example')
    const address = page.url()
    const other = await page.context().newPage()
    await other.goto(address)
    await other.getByLabel('Daily budget').fill('85')
    await page.getByLabel('Daily budget').fill('86')
    await other.keyboard.press('Control+S')
    await other.getByText('Changes Saved Successfully').waitFor()
    await other.close()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Changed/ })
    await dialog.getByRole('group', { name: 'Daily budget' }).getByRole('radio', { name: /Yours/ }).click()
    await dialog.getByRole('button', { name: 'Save merged' }).click()
    await page.getByText('Changes Saved Successfully').waitFor()
    expect(await page.getByLabel('Daily budget').inputValue()).toBe('86')
    expect(clicks()).toBe(3)
    expect(complaints).toEqual([])
  })
})
