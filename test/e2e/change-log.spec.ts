import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LogEntry } from '#contract/audit'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs, type Watched } from '../support/page.ts'
import { PASSWORD, publishable, startTestProduct, type TestProduct } from '../support/product.ts'

describe('the change log, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  let id = ''
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    const ada = await product.as('ada@nile.example')
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { name: 'Nile by night' }))).data.id
    await ada.call('PUT', '/v1/campaign', { id, budget: 61 })
    await ada.call('PUT', '/v1/campaign', { id, targeting: { gender: 2 } })
    const { data } = await ada.call('PUT', '/v1/campaign', { id, budget: 62 })
    // The data of the screen is then there.
    const owner = await product.as('owner@dsp.example')
    await owner.call('GET', `/v1/campaign/revision/count/${id}`, undefined, { 'x-position': data.position })
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  async function openLog(query = ''): Promise<Watched> {
    const watched = await openPage(browser, product.base)
    await signInAs(watched.page, 'owner@dsp.example', PASSWORD)
    await watched.page.goto(`/campaign/edit/${id}?tab=changeLog${query}`)
    await watched.page.locator('[data-testid^=log-row-]').first().waitFor()
    return watched
  }
  const rows = (page: Page) =>
    page.locator('[data-testid^=log-row-]').evaluateAll((found) => found.map((row) => row.getAttribute('data-testid')))
  const cells = (page: Page, path: string) => page.getByTestId(`log-change-${path}`).locator('td').allTextContents()
  const addressOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

  it('compares any two revisions, and a link or a reload shows the same', async () => {
    const { page, complaints } = await openLog()
    await page.getByRole('button', { name: 'Compare revisions' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare two revisions' })
    await dialog.getByLabel('From', { exact: true }).selectOption('1')
    await dialog.getByLabel('To', { exact: true }).selectOption('4')
    await page.getByTestId('log-change-targeting.gender').waitFor()
    expect(await cells(page, 'targeting.gender')).toEqual(['All', 'Male'])
    expect((await cells(page, 'budget'))[1]).toBe('$62.00')
    expect(await page.locator('[data-testid^=log-change-]').count()).toBe(2)
    expect(addressOf(page)).toEqual({ tab: 'changeLog', log_from: '1', log_to: '4' })

    await page.reload()
    await page.getByTestId('log-change-budget').waitFor()
    await dialog.getByLabel('To', { exact: true }).selectOption('2')
    await page.getByTestId('log-change-targeting.gender').waitFor({ state: 'hidden' })
    expect((await cells(page, 'budget'))[1]).toBe('$61.00')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('tab', { name: 'Changes' }).click()
    await dialog.getByText('$61.00').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(addressOf(page)).toEqual({ tab: 'changeLog' })
    expect(complaints).toEqual([])
  })

  it('the change log is filtered by keyboard, keeps its filters over a reload and goes back with Back', async () => {
    const { page, complaints } = await openLog()
    await page.getByRole('button', { name: 'Field: All fields' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Field' }).waitFor()
    await page.keyboard.type('gender')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('2 of 4 entries').waitFor()
    expect(await rows(page)).toEqual(['log-row-3', 'log-row-1'])
    await page.reload()
    await page.getByText('2 of 4 entries').waitFor()
    expect(addressOf(page)).toEqual({ tab: 'changeLog', log_field: 'targeting.gender' })
    await page.goBack()
    await page.getByTestId('log-row-4').waitFor()
    expect(complaints).toEqual([])
  })

  // covers CAM-LOG-09 CAM-LOG-10
  it.each([1024, 1366, 1920])('opens an entry 800 to 1200 px wide on a screen of %i px', async (width) => {
    const { page } = await openLog()
    await page.setViewportSize({ width, height: 850 })
    await page.getByTestId('log-row-3').click()
    const dialog = page.getByRole('dialog', { name: 'Log Info' })
    await dialog.waitFor()
    await page.waitForTimeout(300)
    const box = await dialog.boundingBox()
    expect(box?.width).toBeGreaterThanOrEqual(800)
    expect(box?.width).toBeLessThanOrEqual(1200)
    expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  })

  it('takes a change out again, after saying what that does', async () => {
    const { page, complaints } = await openLog()
    await page.getByTestId('log-row-3').click()
    await page.getByRole('button', { name: 'Undo this change' }).click()
    const question = page.getByRole('dialog', { name: 'Undo revision 3?' })
    await question.getByText('This changes 1 field:').waitFor()
    expect(await violations(page)).toEqual([])
    await question.getByRole('button', { name: 'Undo change' }).click()
    await page.getByText('Revision 3 undone').waitFor()
    await page.getByTestId('log-row-5').waitFor()
    expect(await page.getByTestId('log-row-5').textContent()).toContain('Gender Male → All')
    expect(complaints).toEqual([])
  })

  it('opens an entry of a thousand changed fields before anybody has to wait', async () => {
    const { page } = await openLog()
    await page.route('**/revision/snapshot/**', async (route) => {
      const answer: { data: { data: LogEntry[] } } = await (await route.fetch()).json()
      answer.data.data = answer.data.data.slice(0, 1).map(aThousandChanges)
      await route.fulfill({ json: answer })
    })
    await page.reload()
    await page.locator('[data-testid^=log-row-] button').first().waitFor()
    // From the click to the frame that shows the dialog, and to the one that shows the last field, as the page itself sees it.
    const open = () =>
      page.evaluate<[number, number]>(`(async () => {
        const began = performance.now()
        const shown = async (least) => {
          while (document.querySelectorAll('[data-testid^=log-change-]').length < least) await new Promise(requestAnimationFrame)
          await new Promise(requestAnimationFrame)
          return performance.now() - began
        }
        document.querySelector('[data-testid^=log-row-] button').click()
        return [await shown(1), await shown(1000)]
      })()`)
    const times = [await open()]
    // The best of four: another process may have had the processor in one of them.
    for (let more = 0; more < 3; more += 1) {
      await page.keyboard.press('Escape')
      await page.locator('[data-testid^=log-change-]').first().waitFor({ state: 'detached' })
      times.push(await open())
    }
    // 200 ms for the first on a desk; machines that run tests are slower and shared.
    expect(Math.min(...times.map(([opened]) => opened))).toBeLessThan(1200)
    expect(Math.min(...times.map(([, whole]) => whole))).toBeLessThan(6000)
  })
})

/** The entry as if all of a thousand banners had been renamed. */
function aThousandChanges(entry: LogEntry): LogEntry {
  const names = Array.from({ length: 1000 }, (_, n) => `b${n}`)
  const banners = (suffix: string) => names.map((id) => ({ id, creative_name: `${id} ${suffix}`, width: 300, height: 250 }))
  return {
    ...entry,
    state_difference: names.map((id) => ({
      path: `visuals.banners[${id}].creative_name`,
      value: `${id} new`,
      from: `${id} old`,
      to: `${id} new`,
    })),
    previous_state: { ...entry.previous_state, visuals: { banners: banners('old') } },
    current_state: { ...entry.current_state, visuals: { banners: banners('new') } },
  }
}
