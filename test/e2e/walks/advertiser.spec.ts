import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import writeExcel from 'write-excel-file/node'
import { createTableReader } from '#commands/formats/table/reader'
import { newId } from '#platform/ids'
import { DELIVERED, deliveryIn, hour } from '#test/support/delivery'
import { publishable, type Session } from '#test/support/product'
import { BY_KEYS_IN_RUSSIAN, walkIn } from './walk.ts'

type Stored = {
  readonly name: string
  readonly budget: number
  readonly status_key: number
  readonly targeting: { readonly city_ids?: readonly string[] }
  readonly scheduling: Readonly<Record<string, readonly string[]>>
}

/** More than a page of the list. */
const MANY = 12
const ADA = 'ada@nile.example'
const LIST = '/campaigns?q=Felucca&sort=name&dir=asc'

/** Single edits, scheduled changes and publishing are those of `journeys.spec.ts`. */
describe('an advertiser', () => {
  const walk = walkIn(DELIVERED)
  let ada: Session
  let cities: readonly { readonly id: string; readonly name: string }[] = []
  const ids: string[] = []
  beforeAll(async () => {
    const { base } = walk.product
    ada = await walk.product.as(ADA)
    cities = (await ada.call<typeof cities>('GET', '/v1/geo/city?country=EG')).data
    const targeting = { automaticTargeting: false, city_ids: [cities[0]?.id] }
    const dates = { campaign_start_at: '2099-03-01', campaign_end_at: '2099-03-31' }
    const over = { country: 'EG', budget: 20, targeting, freq_and_scheduling_on: true, ...dates }
    const content = await publishable(base, ada, over)
    for (let n = 1; n <= MANY; n++)
      ids.push((await ada.call('POST', '/v1/campaign', { ...content, name: `Felucca ${String(n).padStart(2, '0')}` })).data.id)
  })

  /** First campaigns as the server stores them, which may be a moment behind the browser. */
  const stored = <T>(read: (campaign: Stored) => T, count = 2) =>
    Promise.all(ids.slice(0, count).map(async (id) => read((await ada.call<Stored>('GET', `/v1/campaign/${id}`)).data)))
  const selectTwo = async (page: Page) => {
    for (const name of ['Felucca 01', 'Felucca 02']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  }
  const undo = (page: Page) => page.getByRole('button', { name: /^Undo/ })

  it('labels two campaigns, targets a city, and changes the budgets of every page, each with one Undo', async () => {
    const page = await walk.arrive(ADA, LIST)
    const bar = page.getByRole('toolbar')
    await selectTwo(page)
    await bar.getByRole('button', { name: 'Labels' }).click()
    const labels = page.getByRole('dialog', { name: 'Labels of 2 campaigns' })
    await labels.getByPlaceholder('Find or create a label').fill('Ramadan')
    await labels.getByText('Create label “Ramadan”').click()
    await labels.getByText('+Ramadan').first().waitFor()
    await labels.getByRole('button', { name: 'Apply labels' }).click()
    const label = page.getByRole('row', { name: /Felucca 01/ }).getByText('Ramadan')
    await label.waitFor()
    await undo(page).click()
    await label.waitFor({ state: 'detached' })

    await page.goto(LIST)
    await selectTwo(page)
    await bar.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit 2 campaigns' })
    const [first, second] = cities
    await edit.getByText('Targeting', { exact: true }).click()
    await edit.getByLabel('Search cities').fill(second?.name ?? '')
    const city = page.getByRole('option', { name: new RegExp(`^${second?.name}`) })
    await city.first().click()
    await page.keyboard.press('Escape')
    await edit.getByRole('button', { name: 'Apply to 2' }).click()
    const targeted = () => stored(({ targeting }) => targeting.city_ids, 1)
    await expect.poll(targeted).toEqual([[first?.id, second?.id]])
    await undo(page).click()
    await expect.poll(targeted).toEqual([[first?.id]])

    await page.goto(LIST)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await bar.getByRole('button', { name: `Select all ${MANY}` }).click()
    await bar.getByRole('button', { name: 'Edit' }).click()
    const all = page.getByRole('dialog', { name: `Edit ${MANY} campaigns` })
    await all.getByLabel('Amount').fill('45')
    await all.getByRole('button', { name: `Apply to ${MANY}` }).click()
    const budgets = async () => [...new Set(await stored(({ budget }) => budget, MANY))]
    await expect.poll(budgets).toEqual([45])
    await undo(page).click()
    await expect.poll(budgets).toEqual([20])
  })

  it('an advertiser by keyboard, in Russian in the dark: labels a campaign, archives every page, and Z takes it back', async () => {
    const page = await walk.arrive(ADA, LIST, BY_KEYS_IN_RUSSIAN)
    const keys = page.keyboard
    await page.getByRole('link', { name: 'Felucca 02' }).focus()
    await keys.press('l')
    const labels = page.getByRole('dialog', { name: 'Метки: Felucca 02' })
    await labels.getByRole('option', { name: /Ramadan/ }).waitFor()
    await keys.type('Ramadan')
    await keys.press('Enter')
    await labels.getByText('+Ramadan').first().waitFor()
    await labels.locator('button').last().press('Enter')
    await labels.waitFor({ state: 'hidden' })
    const row = page.getByRole('row', { name: /Felucca 02/ })
    await row.getByText('Ramadan').waitFor()

    await page.locator('thead input[type=checkbox]').press('Space')
    const bar = page.getByRole('toolbar')
    await bar.getByRole('button', { name: new RegExp(`${MANY}$`) }).press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toContain('Изменить')
    const statuses = async () => [...new Set(await stored(({ status_key }) => status_key, MANY))]
    await keys.press('Shift+A')
    await expect.poll(statuses).toEqual([5])
    await page.getByRole('button', { name: /^Отменить/ }).waitFor()
    await keys.press('z')
    await expect.poll(statuses).toEqual([0])
  })

  it('edits the list in Excel: sees each change first, Enter saves it, and Z takes it back', async () => {
    const page = await walk.arrive(ADA, LIST)
    await page.getByRole('link', { name: 'Felucca 01' }).waitFor()
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
    const lines: (readonly string[])[] = []
    const table = createTableReader((line) => void lines.push(line))
    table.write(await readFile(await file.path()))
    table.end()
    const [header = [], ...rows] = lines
    const [first = '', second = ''] = ids
    // A spreadsheet saves numbers as numbers, and days as days.
    const sheet = rows.map((row) =>
      row.map((value, column) => {
        const edited = header[column] === 'Budget' && row[0] === first ? '31.25' : value.replace('Felucca 01', '=Felucca; утро')
        if (header[column] === 'Budget' && row[0] !== second) return { value: Number(edited), type: Number }
        if (header[column] === 'Budget') return { value: 'plenty', type: String }
        const isDay = header[column]?.endsWith(' date') === true && value !== ''
        return isDay ? { value: new Date(value), type: Date, format: 'yyyy-mm-dd' } : { value: edited, type: String }
      }),
    )
    const excel = await writeExcel([header.map((value) => ({ value, type: String })), ...sheet]).toBuffer()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import changes from a spreadsheet' })
    await dialog.getByLabel('Choose a file').setInputFiles({ name: 'edited.xlsx', mimeType: '', buffer: excel })
    await dialog.getByTestId(`sheet-row-${first}`).getByText('$31.25').waitFor()
    await dialog.getByTestId(`sheet-row-${second}`).getByText('The budget cannot be read.').waitFor()
    const shown = () => stored(({ name, budget }) => `${name}: ${budget}`)
    expect(await shown()).toEqual(['Felucca 01: 20', 'Felucca 02: 20'])
    await dialog.getByRole('button', { name: 'Apply to 1' }).press('Enter')
    await expect.poll(shown).toEqual(['=Felucca; утро: 31.25', 'Felucca 02: 20'])
    await undo(page).waitFor()
    await page.keyboard.press('z')
    await expect.poll(shown).toEqual(['Felucca 01: 20', 'Felucca 02: 20'])
  })

  it('paints the hours of a week by dragging and by keys, and finds them again', async () => {
    const page = await walk.arrive(ADA, `/campaign/edit/${ids[0]}?tab=frequency`)
    const cell = (name: string) => page.getByRole('gridcell', { name, exact: true })
    await cell('Monday 09:00').hover()
    await page.mouse.down()
    await cell('Tuesday 10:00').hover()
    await cell('Wednesday 12:00').hover()
    await page.mouse.up()
    // Let go, nothing more is painted.
    await cell('Friday 20:00').hover()
    await page.getByText('12 of 168 hours').waitFor()
    await cell('Monday 09:00').press('ArrowLeft')
    await page.keyboard.press('Space')
    await page.getByText('13 of 168 hours').waitFor()
    await page.keyboard.press('Control+S')
    const hours = ['09', '10', '11', '12']
    await expect.poll(() => stored(({ scheduling }) => scheduling, 1)).toMatchObject([{ '1': ['08', ...hours], '3': hours }])
    await page.goto(`/campaign/edit/${ids[0]}?tab=frequency`)
    await page.getByText('13 of 168 hours').waitFor()
  })

  it('uploads an audience, which becomes ready without a reload, and targets it', async () => {
    const page = await walk.arrive(ADA, '/audience/create')
    const file = ['mobile', '201001234500', '201001234501', '01001234567'].join('\n')
    await page.getByLabel('Name', { exact: true }).fill('Hotel guests')
    const guests = { name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(file) }
    await page.getByLabel('Choose a CSV file').setInputFiles(guests)
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.locator('[data-slot=status]', { hasText: 'Ready' }).first().waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rejected rows of version 1' }).click()
    expect((await saved).suggestedFilename()).toBe('rejected-rows-1.csv')

    await page.goto(`/campaign/edit/${ids[1]}?tab=targeting`)
    const search = page.getByRole('combobox', { name: 'Search audiences by name' })
    await search.fill('hotel')
    await page.getByRole('option', { name: /Hotel guests/ }).waitFor()
    await search.press('Enter')
    await page.getByRole('button', { name: 'Remove Hotel guests' }).waitFor()
    await page.keyboard.press('Control+S')
    await page.getByText('Changes Saved Successfully').waitFor()
    await page.goto('/audiences')
    const row = page.getByRole('row', { name: /Hotel guests/ })
    await row.getByText('1 campaign', { exact: true }).waitFor()
  })

  // covers ROUTE-07
  it('copies the pixel into a shop, and sees its conversion without a reload', async () => {
    const promoted = { conversion_url: 'https://nile.example/thanks' }
    const bidding_strategy = { type: 'conversion', goal: 'WEB_STANDARD_CONVERSION', website_promotion: promoted }
    const delivery = await deliveryIn(walk.product)
    const campaign_id = await delivery.running({ name: 'Summer by the Nile', bidding_strategy })
    // A click that was delivered, and a shop that the owner names, confirm the conversion.
    await delivery.send(newId(), [{ hour: hour(), campaign_id, impressions: 1, clicks: 1, spent: 0 }])
    const page = await walk.arrive(ADA, '/events')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy: Pixel' }).click()
    const pixel = await page.evaluate(() => navigator.clipboard.readText())

    const bought = `<script>placard('purchase', { value: 49.9, id: 'order-7', plan: 'gold' })</script>`
    const shop = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(pixel + (request.url?.startsWith('/thanks') === true ? bought : '<a href="/thanks">Buy</a>'))
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void shop.close())
    await new Promise((resolve) => shop.once('listening', resolve))
    const address = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
    expect((await ada.call('PUT', '/v1/events/pixel-key', { origins: [address] })).code).toBe(0)
    const visit = await (await walk.browser.newContext()).newPage()
    const tags = new URLSearchParams({ utm_campaign: 'Summer by the Nile', anonymous_id: 'visitor-1' })
    await visit.goto(`${address}/?${String(tags)}`)
    const sent = visit.waitForResponse((response) => response.url().includes('name=purchase'))
    await visit.getByRole('link', { name: 'Buy' }).click()
    expect((await sent).headers()).toMatchObject({ 'content-type': 'image/gif', 'x-placard-event': 'stored' })
    expect(await visit.context().cookies()).toEqual([])
    const row = page.getByRole('row', { name: /purchase.*plan: gold/ })
    await row.getByText('Conversion', { exact: true }).waitFor()
    await row.getByText('Summer by the Nile').waitFor()
  })

  it('an advertiser is led by the bell, which counts without a reload, to a rejected campaign', async () => {
    await ada.call('POST', '/v1/notifications/read', { all: true })
    const page = await walk.arrive(ADA, '/campaigns')
    await page.getByRole('button', { name: /^Notifications/ }).waitFor()
    const vague = await publishable(walk.product.base, ada, { name: 'Vague' })
    const { id, moderation_start_at } = (await ada.call('POST', '/v1/campaign/saveAndPublish', vague)).data
    const moderator = await walk.product.as('moderator@dsp.example')
    const rejection = { campaign_id: id, moderation_start_at, comment: 'Tell the price in the ad.' }
    expect((await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', rejection)).code).toBe(0)
    await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
    await page.getByRole('link', { name: /“Vague” was rejected/ }).click()
    await page.waitForURL(`**/campaign/edit/${id}**`)
  })

  // covers SHELL-01
  it('opens campaigns, audiences, reports and payments', async () => {
    const page = await walk.arrive(ADA, '/campaigns')
    const links = page.getByRole('navigation', { name: 'Main navigation' })
    for (const name of ['Campaigns', 'Audience', 'Reports', 'Billing']) {
      await links.getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
  })
})
