import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startProductProcess } from '../support/product-process.ts'
import { PASSWORD, png } from '../support/product.ts'

/** An ordinary Firefox: CI installs none, so it is left out there unless one is found. */
const FIREFOX = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr'

describe.skipIf(!existsSync(FIREFOX))(
  `the application in Firefox (${existsSync(FIREFOX) ? FIREFOX : 'left out: none was found, set FIREFOX_PATH'})`,
  () => {
    let dataDir = ''
    let base = ''
    let child: ChildProcess
    let browser: Browser
    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'placard-firefox-'))
      ;({ base, child } = await startProductProcess(['--enable-source-maps', 'dist/server/api/main.js'], dataDir))
      browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX })
    })
    afterAll(async () => {
      await browser.close()
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
      await rm(dataDir, { recursive: true, force: true })
    })

    it('an advertiser signs in, types a campaign, and publishes it', async () => {
      const { page, complaints } = await openPage(browser)
      await page.goto(`${base}/auth/login`)
      await type(page, 'Username', 'ada@nile.example')
      await type(page, 'Password', PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForSelector('::-p-text(Luxor)')

      await press(page, 'New campaign')
      await (await page.waitForSelector('[role=dialog] ::-p-text(Awareness)'))?.click()
      await type(page, 'Campaign name', 'Sunrise over Giza')
      await page.waitForSelector('option[value=EG]')
      await (await control(page, 'Country')).focus()
      await page.keyboard.type('Egypt')
      await page.keyboard.press('Enter')
      await press(page, 'Set country')
      await type(page, 'Daily budget', '40')
      await type(page, 'Start date', '12/24/2099')
      await press(page, 'Calendar of End date')
      await press(page, 'Thursday, December 31, 2099')
      await type(page, 'Landing page URL', 'https://nile.example/giza')
      await press(page, 'Save & Next')
      await page.waitForFunction(() => location.pathname.startsWith('/campaign/edit/'))
      const id = page.url().split('/').at(-1)?.split('?')[0] ?? ''

      await press(page, 'Banner ads')
      const file = join(dataDir, 'giza.png')
      await writeFile(file, await png(300, 250))
      const input = await page.waitForSelector('input[type=file]')
      await input?.uploadFile(file)
      await type(page, 'Creative name', 'giza sunrise')
      await press(page, 'Publish')
      // The review has the focus on its own button.
      await page.waitForSelector('[role=dialog] [data-autofocus]:focus')
      await page.keyboard.press('Enter')
      await page.waitForSelector('::-p-text(Campaign published successfully!)')
      expect(complaints).toEqual([])

      const stored = await read(base, `/v1/campaign/${id}`)
      expect(stored).toMatchObject({ name: 'Sunrise over Giza', status_key: 1, budget: 40 })
      expect([stored['campaign_start_at'], stored['campaign_end_at']]).toEqual([
        '2099-12-23T22:00:00.000Z',
        '2099-12-31T21:59:59.999Z',
      ])
    })
  },
)

/** The control with this name, once it is shown and enabled. */
async function control(page: Page, name: string): Promise<ElementHandle> {
  const found = await page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, select, button, a')].find(
        (each) =>
          (each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent) === wanted &&
          each.checkVisibility() &&
          !each.disabled,
      ),
    {},
    name,
  )
  const element = found.asElement()
  if (element === null) throw new Error(`there is no control "${name}"`)
  return element as ElementHandle
}

/** A control may be drawn again between its being found and its being pressed. */
async function press(page: Page, name: string, count = 1): Promise<void> {
  try {
    await (await control(page, name)).click({ count })
  } catch (error) {
    if (!/detached/.test(String(error))) throw error
    await press(page, name, count)
  }
}

/** Key by key, as a person does. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await press(page, label, 3)
  await page.keyboard.type(text)
}

async function openPage(browser: Browser): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  await page.setViewport({ width: 1366, height: 900 })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type()))
      complaints.push(`${message.text()} ${JSON.stringify(message.stackTrace()[0] ?? null)}`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

async function read(base: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'ada@nile.example', password: PASSWORD })
  const granted = await (await fetch(`${base}/v1/oauth/token`, { method: 'POST', body })).json()
  const answer = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${granted.data.access_token}` } })
  return (await answer.json()).data
}
