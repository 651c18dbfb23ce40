import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Account = { readonly space_id: string; readonly space_name: string }
type Page = { readonly total_size: number }

describe('saved views of the list of all accounts', () => {
  let product: TestProduct
  let browser: Browser
  let owner: Session
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    owner = await product.as('owner@dsp.example')
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })
  const accountOf = async (name: string) => {
    const { data } = await owner.call<readonly Account[]>('POST', '/v1/campaign/admin/accounts', { name })
    return data[0]?.space_id ?? ''
  }

  it('with the mouse: an owner filters two accounts and two statuses, moves a column, and shares the view', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.goto('/admin/campaigns')
    for (const name of ['Nile Travel', 'Lagos Foods']) {
      await page.getByRole('combobox', { name: 'Filter by account' }).fill(name)
      await page.getByRole('option', { name }).click()
      await page.getByRole('list', { name: 'Chosen accounts' }).getByText(name).waitFor()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Status: All statuses' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Running', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Draft' }).click()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Status: 2 statuses' }).waitFor()

    await page.getByRole('button', { name: 'Columns' }).click()
    await page
      .getByRole('menuitemcheckbox', { name: 'Spend' })
      .dragTo(page.getByRole('menuitemcheckbox', { name: 'Impressions' }))
    await expect.poll(() => page.getByRole('columnheader').nth(2).textContent()).toBe('Spend')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
    await dialog.getByLabel('Name').fill('Travel and food')
    await dialog.getByLabel('Who sees it').selectOption({ label: 'All staff' })
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'All campaigns: Travel and food' }).waitFor()

    const body = { space_ids: [await accountOf('Nile Travel'), await accountOf('Lagos Foods')], status_filter: [0, 3] }
    const { data } = await owner.call<Page>('POST', '/v1/campaign/admin/list', body)
    expect(data.total_size).toBeGreaterThan(0)
    await page.getByText(new RegExp(`^${data.total_size} campaigns?`)).waitFor()
    expect(complaints).toEqual([])
  })

  it('with the keyboard, in Russian: a moderator opens the shared view by the palette, and it opens by itself from then on', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    const keys = page.keyboard
    await signInAs(page, 'moderator@dsp.example', PASSWORD)
    await page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await page.goto('/admin/campaigns')
    await page.getByRole('button', { name: 'Виды', exact: true }).waitFor()
    await keys.press('Control+K')
    await page.getByRole('option', { name: 'Вид: Travel and food' }).waitFor()
    await keys.type('вид travel')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Все кампании: Travel and food' }).waitFor()
    const chosen = page.getByRole('list', { name: 'Выбранные аккаунты' })
    for (const name of ['Nile Travel', 'Lagos Foods']) await chosen.getByText(name).waitFor()
    await page.getByRole('button', { name: 'Статус: 2 статуса' }).waitFor()
    expect(await page.getByRole('columnheader').nth(1).textContent()).toBe('Расход')
    expect(await violations(page)).toEqual([])

    // A moderator may not change what the owner shared, but choose it.
    await page.getByRole('button', { name: 'Travel and food', exact: true }).focus()
    await keys.press('Enter')
    await page.getByRole('menuitemcheckbox', { name: 'Открывать сразу' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Удалить вид' }).count()).toBe(0)
    await page.getByRole('menuitemcheckbox', { name: 'Открывать сразу' }).focus()
    await keys.press('Space')
    await expect.poll(() => page.getByRole('menuitemcheckbox', { name: 'Открывать сразу' }).isChecked()).toBe(true)
    await keys.press('Escape')
    await page.goto('/admin/campaigns')
    await page.getByRole('heading', { name: 'Все кампании: Travel and food' }).waitFor()
    expect(complaints).toEqual([])
  })
})
