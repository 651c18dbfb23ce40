import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import writeExcel from 'write-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Stored = {
  readonly name: string
  readonly budget: number
  readonly revision: number
  readonly campaign_end_at: string | null
}

const NAMES = ['=Dahab "dunes"', '-Aswan; late', 'Фелюка, утро', 'Plain sailing']

describe('a list that goes through a spreadsheet', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  const ids: string[] = []
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    for (const name of NAMES) {
      const dates = name === 'Plain sailing' ? { campaign_start_at: '2099-03-01', campaign_end_at: '2099-03-31' } : {}
      const body = { ...(await publishable(product.base, ada, { name, budget: 20.5 })), ...dates }
      ids.push((await ada.call('POST', '/v1/campaign', body)).data.id)
    }
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  const stored = () => Promise.all(ids.map(async (id) => (await ada.call<Stored>('GET', `/v1/campaign/${id}`)).data))
  const revisions = async () => (await stored()).map(({ revision }) => revision)

  async function open() {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    await watched.page.goto('/campaigns')
    await watched.page.getByRole('link', { name: 'Plain sailing' }).waitFor()
    return watched
  }
  async function exported(page: Page): Promise<string> {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
    return readFile(await file.path(), 'utf8')
  }
  async function bring(page: Page, name: string, content: string | Buffer) {
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import changes from a spreadsheet' })
    await dialog.getByLabel('Choose a file').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })
    return dialog
  }

  it('twice as it was exported changes nothing, in CSV and in Excel', async () => {
    const { page, complaints } = await open()
    const before = await revisions()
    for (let times = 0; times < 2; times++) {
      const csv = await exported(page)
      const dialog = await bring(page, 'campaigns.csv', csv)
      await dialog.getByText('it changes nothing.').waitFor()
      expect(await dialog.getByRole('button', { name: /^Apply/ }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
    // What a spreadsheet saves: numbers as numbers, and days as days.
    const { parse } = (await import('papaparse')).default
    const [header = [], ...rows] = parse<string[]>(await exported(page), { skipEmptyLines: 'greedy' }).data
    const cell = (text: string, column: number) => {
      if (header[column] === 'Budget' && text !== '') return { value: Number(text), type: Number }
      if (header[column]?.endsWith(' date') === true && text !== '')
        return { value: new Date(text), type: Date, format: 'yyyy-mm-dd' }
      return { value: text, type: String }
    }
    const sheet = [header.map((value) => ({ value, type: String })), ...rows.map((row) => row.map(cell))]
    const dialog = await bring(page, 'campaigns.xlsx', await writeExcel(sheet).toBuffer())
    await dialog.getByText('it changes nothing.').waitFor()
    expect(await revisions()).toEqual(before)
    expect(complaints).toEqual([])
  })

  it('with changes shows each before it is saved, tells what cannot be, and is taken back by one Undo', async () => {
    const { page, complaints } = await open()
    const before = await revisions()
    const [dunes = '', aswan = '', , plain = ''] = ids
    const edited = (await exported(page))
      .split('\r\n')
      .map((line) =>
        line.startsWith(dunes)
          ? line.replace(',20.5,', ',31.25,').replace(`"'=Dahab ""dunes"""`, 'Dahab dunes')
          : line.startsWith(plain)
            ? line.replace('2099-03-31', '2099-04-15')
            : line.startsWith(aswan)
              ? line.replace(',20.5,', ',plenty,')
              : line,
      )
      .join('\r\n')
    const dialog = await bring(page, 'edited.csv', edited)
    await dialog.getByText('it changes 2 campaigns.').waitFor()
    await expect.poll(() => dialog.getByTestId(`sheet-row-${dunes}`).textContent()).toMatch(/Dahab dunes.*\$20\.50 → \$31\.25/)
    expect(await dialog.getByTestId(`sheet-row-${plain}`).textContent()).toContain('End dateMar 31, 2099 → Apr 15, 2099'.slice(8))
    expect(await dialog.getByTestId(`sheet-row-${aswan}`).textContent()).toContain('The budget cannot be read.')
    expect(await violations(page)).toEqual([])
    expect(await revisions()).toEqual(before)

    // By keyboard from here: Enter applies, and Z takes it back.
    await dialog.getByRole('button', { name: 'Apply to 2' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 campaigns changed', { exact: true }).waitFor()
    const shown = async () => (await stored()).map(({ name, budget }) => [name, budget])
    // The read model may be a moment behind what another client wrote.
    await expect.poll(shown).toEqual([
      ['Dahab dunes', 31.25],
      ['-Aswan; late', 20.5],
      ['Фелюка, утро', 20.5],
      ['Plain sailing', 20.5],
    ])
    await expect.poll(async () => (await stored())[3]?.campaign_end_at).toMatch(/^2099-04-15/)
    const after = await stored()
    // One revision for both fields of a row, and none for the row that could not be read.
    expect(after.map(({ revision }, place) => revision - (before[place] ?? 0))).toEqual([1, 0, 0, 1])
    await page.keyboard.press('z')
    await page.getByText('2 campaigns changed back').waitFor()
    await expect.poll(shown).toEqual(NAMES.map((name) => [name, 20.5]))
    expect(complaints).toEqual([])
  })
})
