import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScheduledChangeOut } from '#contract/schedules'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

describe('scheduling changes of campaigns', () => {
  let product: TestProduct
  let browser: Browser
  let ada: Session
  const ids: string[] = []
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    ada = await product.as('ada@nile.example')
    for (const name of ['Dhow one', 'Dhow two']) {
      const { data } = await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name, budget: 80 }))
      ids.push(data.id)
    }
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  const waiting = async () =>
    (await ada.call<{ readonly data: readonly ScheduledChangeOut[] }>('GET', '/v1/schedule?page_size=50')).data.data
  /** Tomorrow as it is typed, in Cairo. */
  const tomorrow = () => {
    const [year, month, day] = new Date(Date.now() + 30 * 3_600_000).toISOString().slice(0, 10).split('-')
    return `${month}/${day}/${year}`
  }
  const open = async (path: string) => {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    await watched.page.goto(path)
    return watched
  }

  it('with the mouse: a budget and its way back, which the page shows and the time carries out', async () => {
    const { page, complaints } = await open('/campaigns?q=Dhow')
    await page.getByRole('button', { name: 'Actions for Dhow one' }).click()
    await page.getByRole('menuitem', { name: 'Schedule a change' }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule a change' })
    await dialog.getByLabel('Amount').fill('120')
    await dialog.getByRole('textbox', { name: 'Day' }).fill(tomorrow())
    await dialog.getByRole('textbox', { name: 'Time' }).fill('18:00')
    await dialog.getByText('Put it back later').click()
    await dialog.getByRole('textbox', { name: 'Back on' }).fill(tomorrow())
    await dialog.getByRole('textbox', { name: 'Back at' }).fill('23:30')
    await dialog.getByText(/18:00 \(UTC\+0[23]:00\): the budget becomes \$120\.00 a day/).waitFor()
    await dialog.getByText(/23:30 \(UTC\+0[23]:00\): the budget becomes \$80\.00 a day/).waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await waiting()).toHaveLength(2)

    await page.getByRole('link', { name: 'Dhow one' }).click()
    const lines = page.getByTestId('scheduled-change')
    await expect.poll(() => lines.count()).toBe(2)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel the change: the budget becomes $80.00 a day' }).click()
    await expect.poll(() => lines.count()).toBe(1)
    const [change] = await waiting()
    await product.database.pool.query(`update app.scheduled_changes set due_at = now() where id = $1`, [change?.id])
    // Without a reload.
    await expect.poll(() => lines.count(), { timeout: 45_000 }).toBe(0)
    await expect.poll(async () => (await ada.call('GET', `/v1/campaign/${ids[0]}`)).data.budget).toBe(120)
    await page.goto('/campaigns?q=Dhow')
    await page
      .getByRole('row', { name: /Dhow one/ })
      .getByText('$120.00 a day')
      .waitFor()
    await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).click()
    await page.getByText('A scheduled change of “Dhow one” was carried out').waitFor()
    expect(complaints).toEqual([])
  })

  it('with the keyboard: several campaigns at once, and a cancellation that Z takes back', async () => {
    const { page, complaints, clicks } = await open('/campaigns?q=Dhow&sort=name&dir=asc')
    const keys = page.keyboard
    await page.getByRole('link', { name: 'Dhow one' }).focus()
    await keys.press('Space')
    await keys.press('ArrowDown')
    await keys.press('Space')
    await keys.press('Shift+S')
    const dialog = page.getByRole('dialog', { name: 'Schedule a change of 2 campaigns' })
    await dialog.waitFor()
    await dialog.getByRole('radio', { name: 'Archive' }).focus()
    await keys.press('Space')
    await dialog.getByRole('textbox', { name: 'Day' }).focus()
    await keys.type(tomorrow())
    await dialog.getByRole('button', { name: 'Schedule for 2' }).waitFor()
    await keys.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    const scheduled = await waiting()
    expect(scheduled.map(({ act, campaign_id: id }) => [act, id])).toEqual(
      expect.arrayContaining(ids.map((id) => ['archive', id])),
    )
    expect(new Set(scheduled.map(({ group }) => group)).size).toBe(1)

    await page.getByRole('link', { name: 'Dhow two' }).focus()
    await keys.press('Enter')
    await page.getByRole('button', { name: /^Cancel the change/ }).focus()
    await keys.press('Enter')
    await page.getByText('Scheduled change cancelled').waitFor()
    expect(await waiting()).toHaveLength(1)
    await keys.press('z')
    await page.getByTestId('scheduled-change').waitFor()
    expect(await waiting()).toHaveLength(2)
    // Signing in is by the mouse.
    expect(clicks()).toBeLessThanOrEqual(1)
    expect(complaints).toEqual([])
  })

  it('on the page of all: what waits is edited and cancelled, and what ended is there with its outcome', async () => {
    const { page, complaints } = await open('/campaigns')
    await page.getByRole('link', { name: 'Scheduled', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Scheduled changes' }).waitFor()
    const rows = page.getByTestId(/^scheduled-row-/)
    await rows.nth(1).waitFor()
    expect(await rows.count()).toBe(2)
    expect(await violations(page)).toEqual([])
    const ofOne = rows.filter({ has: page.getByRole('link', { name: 'Dhow one' }) })
    await ofOne.getByRole('button', { name: /^Edit: / }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit a scheduled change' })
    await dialog.getByRole('textbox', { name: 'Time' }).fill('19:45')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await ofOne.getByText(/ 19:45 \(UTC\+0[23]:00\)/).waitFor()

    await ofOne.getByRole('button', { name: /^Cancel the change: / }).focus()
    await page.keyboard.press('Enter')
    await ofOne.waitFor({ state: 'detached' })
    await page.getByText('Ended', { exact: true }).click()
    await page.waitForURL(/state=ended/)
    await rows.filter({ hasText: '19:45' }).getByText('cancelled').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Campaigns' }).last().click()
    await page.waitForURL(/\/campaigns$/)
    expect(complaints).toEqual([])
  })
})
