import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { wav } from '../support/media/wav.ts'
import { openPage, pickCountry, signInAs } from '../support/page.ts'
import { PASSWORD, png } from '../support/product.ts'
import { startProductProcess } from '../support/product-process.ts'

const picture = async (name: string, width: number, height: number) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await png(width, height),
})

describe('many creatives at once, in a browser', () => {
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

  const begin = async (name: string, type = 'awareness') => {
    const watched = await openPage(browser, base)
    const { page } = watched
    await signInAs(page, 'ada@nile.example', PASSWORD)
    await page.goto(`/campaign/create?tab=basicInfo&type=${type}`)
    await page.getByLabel('Campaign name').fill(name)
    await pickCountry(page, 'Egypt')
    await page.getByRole('button', { name: 'Set country' }).click()
    await page.getByLabel('Daily budget').fill('40')
    if (type !== 'other') await page.getByLabel('Landing page URL').fill('https://nile.example/giza')
    return watched
  }
  const open = (page: Page, tab: string) =>
    page.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name: tab }).click()
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/campaign/edit/**')
    await page.getByText('Changes Saved Successfully').waitFor()
  }
  /** By the pointer, or by the focus and a key. */
  const press = async (by: string, target: Locator, key = 'Enter') => {
    if (by === 'mouse') return target.click()
    await target.focus()
    return target.press(key)
  }

  for (const by of ['mouse', 'keyboard'])
    it(`many creatives at once are dropped, placed, undone and picked from the library by ${by}`, async () => {
      const { page, complaints } = await begin(`At once by ${by}`)
      await open(page, 'Banner ads')
      const files = [
        await picture(`leader of ${by}`, 728, 90),
        await picture(`box of ${by}`, 300, 250),
        await picture(`wide of ${by}`, 1200, 627),
        { name: 'film.mp4', mimeType: 'video/mp4', buffer: mp4({ width: 640, height: 360, seconds: 6 }) },
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
      ]
      const drop = async () => {
        await page.getByLabel('Choose files of all kinds').setInputFiles(files)
        const dialog = page.getByRole('dialog', { name: 'Add files of all kinds' })
        await dialog.getByText('4 of 5 files will be added.').waitFor()
        await press(by, dialog.getByRole('button', { name: 'Add 4 files' }))
        await page.getByText('4 files added.').waitFor()
      }
      const banners = page.getByRole('region', { name: 'Uploaded banners' }).getByRole('article')
      await drop()
      expect(await banners.count()).toBe(2)
      await press(by, page.getByRole('button', { name: 'Undo', exact: true }))
      await expect.poll(() => banners.count()).toBe(0)
      await drop()
      expect(await banners.count()).toBe(2)
      await open(page, 'Responsive ads')
      await page.getByRole('img', { name: 'Image' }).first().waitFor()
      await save(page)

      const { page: other, complaints: others } = await begin(`From the library by ${by}`)
      await open(other, 'Banner ads')
      const sent: string[] = []
      other.on('request', (request) => {
        if (request.method() === 'POST' && request.url().includes('/v1/file/')) sent.push(request.url())
      })
      const library = other.getByRole('dialog', { name: 'From the library' })
      // The list of campaigns is late.
      await expect
        .poll(
          async () => {
            await press(by, other.getByRole('button', { name: 'From the library', exact: true }))
            await library.getByRole('searchbox').fill(`of ${by}`)
            await other.waitForTimeout(1000)
            const found = await library.getByRole('listbox').getByRole('option').count()
            if (found !== 2) await other.keyboard.press('Escape')
            return found
          },
          { timeout: 60_000 },
        )
        .toBe(2)
      const tiles = library.getByRole('listbox').getByRole('option')
      if (by === 'mouse') for (const n of [0, 1]) await tiles.nth(n).click()
      else {
        await tiles.first().focus()
        for (const key of [' ', 'ArrowRight', ' ']) await other.keyboard.press(key)
      }
      await press(by, library.getByRole('button', { name: 'Add 2 creatives' }))
      expect(await other.getByRole('region', { name: 'Uploaded banners' }).getByRole('article').count()).toBe(2)
      await save(other)
      expect(sent).toEqual([])
      expect([...complaints, ...others]).toEqual([])
    })

  it('a track shows its waveform, whose position keys and the pointer move', async () => {
    const { page } = await begin('Heard', 'other')
    // The files of the tests are frames without sound, which no browser decodes.
    const sound = wav({ seconds: 20 })
    await page.route('**/v1/file/cache/**', (route) => {
      const from = Number(/^bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '')?.[1] ?? 0)
      const headers = {
        'Content-Type': 'audio/wav',
        'Access-Control-Allow-Origin': '*',
        'Accept-Ranges': 'bytes',
        'Content-Range': `bytes ${from}-${sound.length - 1}/${sound.length}`,
      }
      return route.fulfill({ status: 206, body: sound.subarray(from), headers })
    })
    await open(page, 'Tracks')
    const file = { name: 'spot.mp3', mimeType: 'audio/mpeg', buffer: mp3({ seconds: 20 }) }
    await page.getByLabel('Add Track', { exact: true }).and(page.locator('input')).setInputFiles(file)
    await page.getByRole('button', { name: 'Waveform of spot.mp3' }).click()
    const slider = page.getByRole('slider', { name: 'Position in spot.mp3' })
    await slider.focus()
    for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowRight')
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('0:02 of 0:20')
    const box = await slider.boundingBox()
    await slider.click({ position: { x: (box?.width ?? 0) / 2, y: 10 } })
    await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(9)
  })
})
