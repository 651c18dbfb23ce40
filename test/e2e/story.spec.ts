import { spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { openPage, pickCountry, publishForm, signInAs } from '../support/page.ts'
import { root, startProductProcess } from '../support/product-process.ts'
import { PASSWORD, png } from '../support/product.ts'

describe('a campaign from an idea to a replay, in a browser', () => {
  let dataDir = ''
  let base = ''
  let child: ChildProcess
  let browser: Browser
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'placard-e2e-'))
    ;({ base, child } = await startProductProcess(['--enable-source-maps', 'dist/server/api/main.js'], dataDir))
    browser = await sharedBrowser()
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    await rm(dataDir, { recursive: true, force: true })
  })

  const audit = (...args: readonly string[]) => {
    const run = spawnSync(process.execPath, [join(root, 'dist/server/api/cli/audit.js'), ...args], {
      env: { ...process.env, PLACARD_DATA_DIR: dataDir, DATABASE_URL: '' },
      encoding: 'utf8',
    })
    expect(run.stderr).toBe('')
    return run.stdout
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
  }
  const statusIs = (page: Page, text: string) =>
    page
      .getByTestId(/^campaign-row-/)
      .filter({ hasText: text })
      .first()
      .waitFor()

  it('an advertiser publishes, a moderator approves, it is paused and run, and an owner and an auditor read every step', async () => {
    const complaints: string[] = []

    // Ada makes a campaign with a 300x250 banner and publishes it.
    const ada = await openPage(browser, base)
    await signInAs(ada.page, 'ada@nile.example', PASSWORD)
    await ada.page.getByRole('row', { name: /Luxor/ }).waitFor()
    await ada.page.getByRole('button', { name: 'New campaign', exact: true }).click()
    await ada.page.getByRole('dialog').getByText('Awareness').first().click()
    await ada.page.getByLabel('Campaign name').fill('Sunrise over Giza')
    await pickCountry(ada.page, 'Egypt')
    await ada.page.getByRole('button', { name: 'Set country' }).click()
    await ada.page.getByLabel('Daily budget').fill('40')
    await ada.page.getByLabel('Landing page URL').fill('https://nile.example/giza')
    await ada.page.getByRole('button', { name: 'Save & Next' }).click()
    await ada.page.waitForURL('**/campaign/edit/**')
    const id = /edit\/([^?]+)/.exec(ada.page.url())?.[1] ?? ''
    await ada.page.getByRole('link', { name: 'Banner ads' }).click()
    await ada.page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'giza.png', mimeType: 'image/png', buffer: await png(300, 250) })
    await ada.page.getByLabel('Creative name').fill('giza sunrise')
    await publishForm(ada.page)
    await ada.page.getByText('Campaign published successfully!').waitFor()

    // The moderator approves it from the queue.
    const moderator = await openPage(browser, base)
    await signInAs(moderator.page, 'moderator@dsp.example', PASSWORD)
    await moderator.page.goto(`/campaign/edit/${id}?tab=basicInfo`)
    await moderator.page.getByRole('button', { name: 'Approve' }).click()
    await moderator.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await moderator.page.getByText('Campaign Approved Successfully').waitFor()
    complaints.push(...moderator.complaints)

    // The built-in exchanges approve it within a second; with no start date and funds on the account it runs.
    await ada.page.goto('/campaigns?q=Sunrise')
    await expect
      .poll(
        async () => {
          await ada.page.reload()
          return ada.page.getByRole('row', { name: /Sunrise over Giza/ }).textContent()
        },
        { interval: 500 },
      )
      .toContain('Running')
    const menu = async (item: string) => {
      await ada.page
        .getByRole('row', { name: /Sunrise over Giza/ })
        .getByRole('button')
        .last()
        .click()
      await ada.page.getByRole('menuitem', { name: item }).click()
    }
    await menu('Pause')
    await statusIs(ada.page, 'Paused')
    await menu('Run')
    await statusIs(ada.page, 'Running')
    complaints.push(...ada.complaints)

    // The owner reads every step in the change log, with the exact fields.
    const owner = await openPage(browser, base)
    await signInAs(owner.page, 'owner@dsp.example', PASSWORD)
    await owner.page.goto(`/campaign/edit/${id}?tab=changeLog`)
    await owner.page.getByTestId('log-row-1').waitFor()
    const replayed = audit('replay', id)
    await expect.poll(() => owner.page.locator('[data-testid^=log-row-]').count()).toBe(replayed.length)
    for (let revision = 1; revision <= replayed.length; revision++) {
      const before = stateOf(replayed[revision - 2])
      const after = stateOf(replayed[revision - 1])
      const rows = await dialogRows(owner.page, revision)
      // Each cell says what the replay gives at that path, before and after …
      for (const row of rows) {
        expect([revision, row.path, row.previous]).toEqual([revision, row.path, cellText(valueAt(before, row.path), row.path)])
        expect([revision, row.path, row.current]).toEqual([revision, row.path, cellText(valueAt(after, row.path), row.path)])
      }
      // … and no field that the replay sees changing is left out.
      const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key] ?? null))
      expect([...new Set(rows.map(({ path }) => topOf(path)))].sort()).toEqual(changed.sort())
    }
    await owner.page.getByTestId(`log-row-${replayed.length}`).click()
    await owner.page.getByRole('dialog', { name: 'Log Info' }).waitFor()
    complaints.push(...owner.complaints)

    expect(replayed.map(({ status_key }) => status_key)).toEqual([0, 1, 6, 3, 41, 3])
    expect(audit('replay', id, '--revision', '5')).toEqual([replayed[4]])
    expect(audit('verify', id)[0]).toMatchObject({ valid: true })
    const { token } = await signInOverHttp(base)
    const log = await (
      await fetch(`${base}/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=25`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()
    const shown: { revision: number; current_state: unknown }[] = log.data.data
    for (const entry of shown) expect(replayed[entry.revision - 1]?.['state']).toEqual(entry.current_state)
    expect(complaints).toEqual([])
  })

  it('shows the faults of a publish on their fields and goes to the first', async () => {
    const { page, complaints } = await openPage(browser, base)
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto('/campaign/create?tab=basicInfo&type=awareness')
    await page.getByLabel('Campaign name').fill('')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Field is required.').first().waitFor()
    expect(await page.getByLabel('Campaign name').evaluate((input) => document.activeElement === input)).toBe(true)
    expect(complaints).toEqual([])
  })

  it('speaks Russian and goes dark without a complaint', async () => {
    const { page, complaints } = await openPage(browser, base, { colorScheme: 'dark', locale: 'ru-RU' })
    await page.goto('/auth/login')
    await page.locator('select').first().selectOption('ru')
    await page.getByRole('textbox').first().fill('ada@nile.example')
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/campaigns*')
    await page.getByRole('heading', { name: 'Кампании' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('ru')
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)
    await page.getByRole('row', { name: /Luxor/ }).waitFor()
    expect(complaints).toEqual([])
  })
})

type State = Readonly<Record<string, unknown>>
const stateOf = (line: Record<string, unknown> | undefined): State => {
  const state = line?.['state']
  return typeof state === 'object' && state !== null ? (state as State) : {}
}
const topOf = (path: string): string => path.split(/[.[]/, 1)[0] ?? ''

/** The value at a change-log path: keys by dots, elements of a list by their id or index in brackets. */
function valueAt(state: State, path: string): unknown {
  let node: unknown = state
  for (const [, id, key] of path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)) {
    if (Array.isArray(node)) node = node.find((one) => String(one.id ?? one.index) === id)
    else node = typeof node === 'object' && node !== null ? (node as State)[key ?? ''] : undefined
  }
  return node
}

/** How a cell writes a stored value; entries of bidding are stored as what their text says. */
const cellText = (value: unknown, path: string): string =>
  JSON.stringify(path === 'traffic_targeting' && typeof value === 'string' ? JSON.parse(value) : (value ?? null), null, 2)

/** Opens the entry of a revision and reads every row of what it stored. */
async function dialogRows(page: Page, revision: number) {
  await page.getByTestId(`log-row-${revision}`).click()
  const dialog = page.getByRole('dialog', { name: 'Log Info' })
  await dialog.getByText(`revision ${revision}`).waitFor()
  await dialog.getByRole('tab', { name: 'As stored' }).click()
  const rows = await dialog.locator('[data-testid^=log-stored-]').evaluateAll((found) =>
    found.map((row) => {
      const cell = (name: string) => row.querySelector(`[data-testid=${name}]`)?.textContent ?? 'no cell'
      return {
        path: (row.getAttribute('data-testid') ?? '').replace('log-stored-', ''),
        previous: cell('previous'),
        current: cell('current'),
      }
    }),
  )
  expect(rows.length).toBeGreaterThan(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return rows
}

async function signInOverHttp(base: string): Promise<{ readonly token: string }> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'owner@dsp.example', password: PASSWORD })
  const answer = await (await fetch(`${base}/v1/oauth/token`, { method: 'POST', body })).json()
  return { token: answer.data.access_token }
}
