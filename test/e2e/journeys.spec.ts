import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScheduledChangeOut } from '#contract/schedules'
import { BANNER_SIZES } from '#domain/campaign/content/options'
import type { Language } from '#domain/kit/languages'
import { open, signedInOnce, type Tour } from '../screens/visit.ts'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { countClicks } from '../support/page.ts'
import { png, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { textsIn } from '../support/texts.ts'

/** Widths of windows; the last is a laptop of 1366 x 768 pixels at 200 % zoom. */
const WIDTHS = [1366, 1920, 683] as const
type Appearance = readonly [Language, 'light' | 'dark', (typeof WIDTHS)[number], 'mouse' | 'keyboard']

const EVERY: readonly Appearance[] = (['en', 'ru'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    WIDTHS.flatMap((width) => (['mouse', 'keyboard'] as const).map((by): Appearance => [language, theme, width, by])),
  ),
)
/** Every language, theme, width and device meets the others in part. `npm run nightly` takes every combination. */
const SOME: readonly Appearance[] = [
  ['en', 'light', 1366, 'mouse'],
  ['ru', 'dark', 1920, 'keyboard'],
  ['en', 'dark', 683, 'keyboard'],
  ['ru', 'light', 683, 'mouse'],
]
const COUNTRY = { en: 'Egypt', ru: 'Египет' }
const MANY = 20

/** How a user acts: by the mouse, or with the keyboard alone. */
type Hands = { readonly press: (control: Locator) => Promise<void> }
const HANDS: Readonly<Record<Appearance[3], (page: Page) => Hands>> = {
  mouse: () => ({ press: (control) => control.click() }),
  keyboard: (page) => ({
    press: async (control) => {
      await control.focus()
      await page.keyboard.press((await control.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter')
    },
  }),
}

describe.each(process.env['JOURNEYS'] === 'all' ? EVERY : SOME)(
  'the journeys of a day, %s, %s, %i px, by %s',
  (...appearance) => {
    const [language, theme, width, by] = appearance
    let product: TestProduct
    let browser: Browser
    let tour: Omit<Tour, 'places'>
    let ada: Session
    let text: Awaited<ReturnType<typeof textsIn>>
    const ids: string[] = []
    beforeAll(async () => {
      product = await startTestProduct()
      browser = await sharedBrowser()
      text = await textsIn(language)
      ada = await product.as('ada@nile.example')
      tour = { browser, base: product.base, as: signedInOnce(product.as) }
      for (let n = 1; n <= MANY; n++) {
        const body = await publishable(product.base, ada, { name: `Felucca ${String(n).padStart(2, '0')}`, budget: 20 })
        ids.push((await ada.call('POST', '/v1/campaign', body)).data.id)
      }
    })
    afterAll(async () => {
      await leaveBrowser(browser)
      await product.stop()
    })
    /** The budgets in the read model, which may be behind the browser's writes. */
    const budgets = () => Promise.all(ids.map(async (id) => (await ada.call('GET', `/v1/campaign/${id}`)).data.budget))

    /** A page of Ada in this appearance, and the clicks on it. */
    async function arrive(path: string) {
      const { page, complaints, close } = await open(tour, 'advertiser', { language, theme, width })
      if (width === 683) await page.setViewportSize({ width, height: 384 })
      page.setDefaultTimeout(30_000)
      const clicks = await countClicks(page)
      await page.goto(path)
      const hands = HANDS[by](page)
      return {
        page,
        ...hands,
        /** The number of clicks was right, and the browser had nothing to complain about. */
        end: async (most: number) => {
          expect(clicks()).toBeLessThanOrEqual(by === 'mouse' ? most : 0)
          if (by === 'mouse') expect(clicks()).toBeGreaterThan(0)
          expect(complaints()).toEqual([])
          await close()
        },
      }
    }
    const LIST = '/campaigns?q=Felucca&rows=25&sort=name&dir=asc'
    const undo = async (page: Page, press: Hands['press']) => {
      if (by === 'keyboard') await page.keyboard.press('z')
      else await press(page.getByRole('button', { name: new RegExp(`^${text('campaigns:edit.undo')}`) }))
    }

    it('changes one budget, and one stays in place: at most 3 clicks', async () => {
      const { page, press, end } = await arrive(LIST)
      await press(page.getByRole('row', { name: /Felucca 03/ }).locator('[data-edit=budget]'))
      const field = page.getByRole('dialog').getByRole('textbox')
      await field.fill('35')
      if (by === 'keyboard') await page.keyboard.press('Enter')
      else await press(page.getByRole('dialog').getByRole('button', { name: text('campaigns:edit.save'), exact: true }))
      await expect.poll(async () => (await budgets())[2]).toBe(35)
      await field.waitFor({ state: 'hidden' })
      expect(new URL(page.url()).pathname).toBe('/campaigns')
      await undo(page, press)
      await expect.poll(async () => (await budgets())[2]).toBe(20)
      await end(3)
    })

    it('changes twenty budgets: at most 8 clicks', async () => {
      const { page, press, end } = await arrive(LIST)
      await page.getByRole('row', { name: /Felucca 20/ }).waitFor()
      await press(page.getByRole('checkbox', { name: text('campaigns:bulk.chooseAll') }))
      if (by === 'keyboard') await page.keyboard.press('Shift+E')
      else await press(page.getByRole('toolbar').getByRole('button', { name: text('campaigns:bulk.edit'), exact: true }))
      const dialog = page.getByRole('dialog', { name: text('quickEdit:title', { count: MANY }) })
      await dialog.getByLabel(text('quickEdit:amount')).fill('22')
      await dialog.getByText(text('quickEdit:willChange', { count: MANY, all: MANY })).waitFor()
      expect(await violations(page)).toEqual([])
      await press(dialog.getByRole('button', { name: text('quickEdit:apply', { count: MANY }) }))
      await dialog.waitFor({ state: 'hidden' })
      await expect.poll(async () => new Set(await budgets())).toEqual(new Set([22]))
      await undo(page, press)
      await page.getByText(text('campaigns:edit.undone', { count: MANY })).waitFor()
      await expect.poll(async () => new Set(await budgets())).toEqual(new Set([20]))
      await end(8)
    })

    it('takes the list through a spreadsheet twice, which changes nothing', async () => {
      const revisions = () => Promise.all(ids.map(async (id) => (await ada.call('GET', `/v1/campaign/${id}`)).data.revision))
      const before = await revisions()
      const { page, press, end } = await arrive(LIST)
      await page.getByRole('row', { name: /Felucca 20/ }).waitFor()
      for (let times = 0; times < 2; times++) {
        const file = page.waitForEvent('download')
        await press(page.getByRole('button', { name: text('common:csv.label') }))
        const content = await readFile(await (await file).path())
        await press(page.getByRole('button', { name: text('campaigns:import'), exact: true }))
        const dialog = page.getByRole('dialog', { name: text('quickEdit:import.title') })
        await dialog
          .getByLabel(text('quickEdit:import.choose'))
          .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: content })
        await dialog.getByText(text('quickEdit:import.found', { count: 0 })).waitFor()
        expect(await violations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'hidden' })
      }
      expect(await revisions()).toEqual(before)
      await end(4)
    })

    it('schedules a budget for Friday and its way back, of which one happens once and the other is cancelled', async () => {
      const [id = ''] = ids
      const waiting = async () =>
        (
          await ada.call<{ readonly data: readonly ScheduledChangeOut[] }>('GET', `/v1/schedule?campaign_id=${id}`)
        ).data.data.filter(({ state }) => state === 'waiting')
      const { page, press, end } = await arrive(LIST)
      const row = page.getByRole('row', { name: /Felucca 01/ })
      await press(row.getByRole('button', { name: text('campaigns:menu', { name: 'Felucca 01' }) }))
      await press(page.getByRole('menuitem', { name: text('campaigns:actions.schedule') }))
      const dialog = page.getByRole('dialog', { name: text('schedule:title', { count: 1 }) })
      const box = (key: string) => dialog.getByRole('textbox', { name: text(key) })
      await box('quickEdit:amount').fill('120')
      await box('schedule:day').fill(friday(language))
      await box('schedule:time').fill('18:00')
      const back = dialog.getByLabel(text('schedule:back'))
      if (by === 'keyboard') {
        await back.focus()
        await page.keyboard.press('Space')
      } else await dialog.getByText(text('schedule:back'), { exact: true }).click()
      await box('schedule:backDay').fill(friday(language))
      await box('schedule:backTime').fill('23:30')
      expect(await violations(page)).toEqual([])
      await press(dialog.getByRole('button', { name: text('schedule:apply', { count: 1 }), exact: true }))
      await dialog.waitFor({ state: 'hidden' })
      expect((await waiting()).map(({ fields }) => fields?.budget)).toEqual([120, 20])

      await press(page.getByRole('link', { name: 'Felucca 01' }))
      const lines = page.getByTestId('scheduled-change')
      await expect.poll(() => lines.count()).toBe(2)
      await press(lines.nth(1).getByRole('button', { name: text('schedule:cancelButton') }))
      await expect.poll(() => lines.count()).toBe(1)
      const [change] = await waiting()
      const before = (await ada.call('GET', `/v1/campaign/${id}`)).data.revision
      await product.database.pool.query(`update app.scheduled_changes set due_at = now() where id = $1`, [change?.id])
      await expect
        .poll(async () => (await ada.call('GET', `/v1/campaign/${id}`)).data)
        .toMatchObject({
          budget: 120,
          revision: before + 1,
        })
      await expect.poll(() => lines.count()).toBe(0)
      expect((await ada.call('GET', `/v1/campaign/${id}`)).data.revision).toBe(before + 1)
      // The label of the switch counts twice: once for itself, once for what it switches.
      await end(8)
    })

    it('publishes a campaign with ten dropped creatives: at most 25 clicks', async () => {
      const { page, press, end } = await arrive('/campaigns')
      await press(page.getByRole('button', { name: text('campaigns:add') }))
      await press(page.getByRole('button', { name: new RegExp(`^${text('campaigns:goalPicker.awareness')}`) }))
      await page.getByLabel(text('form:name')).fill(`Ten at once, ${appearance.join(' ')}`)
      await page.getByLabel(text('form:country')).fill(COUNTRY[language])
      const egypt = page.getByRole('option', { name: COUNTRY[language], exact: true })
      await egypt.waitFor()
      if (by === 'keyboard') await page.keyboard.press('Enter')
      else await press(egypt)
      await press(page.getByRole('button', { name: text('form:countryConfirm.confirm') }))
      await page.getByLabel(text('form:dailyBudget')).fill('25')
      await page.getByLabel(text('form:landingPage')).fill('https://nile.example/ten')
      await press(page.getByRole('link', { name: text('form:tabs.bannerAds') }))
      const files = await Promise.all(
        BANNER_SIZES.map(async ({ width, height }) => ({
          name: `ten ${width}x${height}.png`,
          mimeType: 'image/png',
          buffer: await png(width, height),
        })),
      )
      expect(files).toHaveLength(10)
      // From the folder of the desktop onto the field, or from the chooser that Enter opens: both set its files.
      await page.getByLabel(text('form:banners.choose')).setInputFiles(files)
      const uploaded = page.getByRole('region', { name: text('form:banners.list') }).getByRole('article')
      await expect.poll(() => uploaded.count()).toBe(10)
      await press(page.getByRole('button', { name: text('form:footer.publish'), exact: true }))
      const sheet = page.getByRole('dialog', { name: text('review:title') })
      const confirm = sheet.getByRole('button', { name: text('form:footer.publish'), exact: true })
      await confirm.waitFor()
      expect(await violations(page)).toEqual([])
      await press(confirm)
      await page.getByText(text('form:published')).waitFor()
      await end(25)
    })
  },
)

/** The Friday after next, as it is typed. */
function friday(language: Language): string {
  const day = new Date(Date.now() + 7 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((5 - day.getUTCDay() + 7) % 7))
  const [year, month, date] = day.toISOString().slice(0, 10).split('-')
  return language === 'en' ? `${month}/${date}/${year}` : `${date}.${month}.${year}`
}
