import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, signInAs } from '../support/page.ts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

/** Fine print 98. */
describe('operations, in a browser', () => {
  let product: TestProduct
  let browser: Browser
  beforeAll(async () => {
    product = await startTestProduct()
    browser = await sharedBrowser()
    await giveUp('first')
    await giveUp('second')
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    await product.stop()
  })

  /** A mail that was given up; the next try succeeds. */
  const giveUp = (id: string) =>
    product.database.pool.query(
      `with mails as (
         insert into app.mails (id, whitelabel_id, person_id, template, data)
         select $1, 'dsp', (select id from identity.people where email = 'ada@nile.example'), 'password-changed', '{}' returning id
       )
       insert into app.jobs (kind, key, payload, tries, run_at, error, dead_at)
       select 'mail', id, '{"v": "1", "template": "password-changed"}', 4, now(), 'refused with 550', now() from mails`,
      [id],
    )

  it('lets a system administrator find a failed job and try it again by keyboard, after which it is gone', async () => {
    const { page, complaints } = await openPage(browser, product.base)
    await signInAs(page, 'admin@dsp.example', PASSWORD)
    await page.getByRole('link', { name: 'Operations' }).first().waitFor()
    await page.goto(`${product.base}/admin/operations`)
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
    const row = page.getByTestId('job-row-mail first')
    await row.waitFor()
    await row.getByText('refused with 550').waitFor()

    await row.getByRole('button', { name: 'Try again: mail first' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Try again: mail' })
    await dialog.getByLabel('Reason').press('Enter')
    await dialog.getByText('This field is required').waitFor()
    await dialog.getByLabel('Reason').fill('The mail server is back')
    await dialog.getByLabel('Reason').press('Enter')
    await page.getByText('The job runs again').waitFor()
    await row.waitFor({ state: 'detached' })

    const other = page.getByTestId('job-row-mail second')
    await other.getByRole('button', { name: 'Discard: mail second' }).click()
    const reason = page.getByRole('dialog', { name: 'Discard: mail' }).getByLabel('Reason')
    await reason.fill('Sent by hand')
    await reason.press('Enter')
    await page.getByText('The job was removed').waitFor()
    await other.waitFor({ state: 'detached' })
    await page.getByText('No job has failed').waitFor()

    await page.getByRole('tab', { name: 'Read models' }).click()
    await page.getByTestId('read-model-row-campaign-list').waitFor()
    expect(new URL(page.url()).searchParams.get('tab')).toBe('readModels')
    await page.getByRole('tab', { name: 'Processes' }).click()
    await page.getByText('All services can be reached').waitFor()
    await page.getByRole('tab', { name: 'Errors' }).click()
    await page.getByLabel('Request ID').fill('NO-SUCH-ONE')
    await page.getByText('No error of this request').waitFor()
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByTestId('setting-row-DATABASE_URL').getByText('Set, not shown').waitFor()
    await page.getByRole('tab', { name: 'Licences' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL((url) => url.searchParams.get('page') === '1')

    await page.goto(`${product.base}/audit?tab=security`)
    await page.getByText('Job tried again').first().waitFor()
    await page
      .getByText(/The mail server is back/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  })

  it('shows the owner of a white-label neither the entry nor the page', async () => {
    const { page } = await openPage(browser, product.base)
    await signInAs(page, 'owner@dsp.example', PASSWORD)
    await page.getByRole('link', { name: 'Audit' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
    await page.goto(`${product.base}/admin/operations`)
    await page.waitForURL((url) => url.pathname === '/overview')
  })
})
