import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GOALS_BY_TYPE } from '#domain/campaign/content/options'
import { violations } from '../support/axe.ts'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { MP4_CODECS } from '../support/media/mp4-codecs.ts'
import { webm } from '../support/media/webm.ts'
import { openPage, pickCountry, publishForm, signInAs } from '../support/page.ts'
import { PASSWORD, png } from '../support/product.ts'
import { startProductProcess } from '../support/product-process.ts'

type File = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }
const picture = async (name: string, width: number, height: number): Promise<File> => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await png(width, height),
})
const film: File = { name: 'film.mp4', mimeType: 'video/mp4', buffer: mp4({ width: 640, height: 360, seconds: 6 }) }
const clip: File = { name: 'clip.webm', mimeType: 'video/webm', buffer: webm({ width: 480, height: 360, seconds: 6 }) }
/** It says so when its script has run: a banner is nothing without its scripts. */
const PLAYING =
  '<!doctype html><title>Banner</title><p id="state">still</p><script>document.getElementById("state").textContent = "plays"</script>'
const archive: File = {
  name: 'banner.zip',
  mimeType: 'application/zip',
  buffer: bannerZip({ files: { 'index.html': PLAYING } }),
}
const track: File = { name: 'spot.mp3', mimeType: 'audio/mpeg', buffer: mp3({ seconds: 20 }) }

describe('an advertiser publishes every kind of creative, in a browser', () => {
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

  const signIn = async () => {
    const watched = await openPage(browser, base)
    await signInAs(watched.page, 'ada@nile.example', PASSWORD)
    return watched
  }

  const publish = async (page: Page, name: string) => {
    await publishForm(page)
    await page.getByText('Campaign published successfully!').waitFor()
    await page.goto(`/campaigns?q=${encodeURIComponent(name)}`)
    await page.getByRole('row', { name }).getByText('In moderation').waitFor()
  }

  // The form differs between goals with and without an app; `npm run nightly` walks through every goal.
  const walked = (goal: string) =>
    goal !== 'AUDIO_ADVERTISING' && (process.env['GOALS'] === 'all' || ['ENHANCED_EXPOSURE', 'APP_INSTALLS'].includes(goal))
  for (const [type, goals] of Object.entries(GOALS_BY_TYPE))
    for (const goal of goals.filter(walked))
      it(`an advertiser publishes every kind of creative for ${goal}`, async () => {
        const { page, complaints } = await signIn()
        const name = `All creatives for ${goal}`
        await begin(page, { type, goal, name })

        await open(page, 'Banner ads')
        await addFile(page, 'Choose a file', await picture('square banner', 300, 250))
        await addFile(page, 'Choose a file', archive)
        const banners = page.getByRole('region', { name: 'Uploaded banners' })
        await banners.frameLocator('iframe').getByText('plays').waitFor()
        expect(await banners.getByRole('article').count()).toBe(2)

        await open(page, 'Responsive ads')
        await page.getByRole('switch', { name: 'Show these ads' }).click()
        await page.getByLabel('Creative name').fill('responsive one')
        await page.getByLabel('Title 1').fill('Sunrise')
        await page.getByLabel('Description 1').fill('Over the river')
        await page.getByLabel('Company name').fill('Nile')
        await page.getByLabel('Call to action').fill('Book')
        await addFile(page, 'Add Image', await picture('wide', 1200, 627))
        await addFile(page, 'Add Logo', await picture('logo', 200, 200))

        await open(page, 'Native ads')
        const app = goal.startsWith('APP_')
        await page.getByRole('switch', { name: 'Show these ads' }).click()
        await page.getByLabel('Creative name').fill('native one')
        await page.getByLabel('Headline').fill('Sunrise')
        await page.getByLabel('Description').fill('Over the river')
        await page.getByLabel('Call to action').fill('Book')
        if (!app) await page.getByLabel('Advertiser').fill('Nile')
        await addFile(page, 'Add Landscape image', await picture('wide', 1200, 627))
        await addFile(page, 'Add Square image', await picture('square', 600, 600))
        await addFile(page, app ? 'Add App icon' : 'Add Logo', await picture('icon', 128, 128))
        await addFile(page, 'Add Video', clip)

        await open(page, 'Video ads')
        await page.getByRole('switch', { name: 'Show these ads' }).click()
        await page.getByLabel('Creative name').fill('video one')
        await page.getByLabel('Headline', { exact: true }).fill('Sunrise')
        await page.getByLabel('Long headline').fill('Sunrise over the river')
        await page.getByLabel('Call to action').fill('Watch')
        await addFile(page, 'Add Video', film)
        await addFile(page, 'Add Companion banner', await picture('companion', 300, 250))

        await page.getByRole('button', { name: 'Save & Next' }).click()
        await page.waitForURL('**/campaign/edit/**')
        await page.getByText('Changes Saved Successfully').waitFor()
        await publish(page, name)
        expect(complaints).toEqual([])
      })

  // covers CAM-ERR-18 CAM-ERR-19
  it('an advertiser publishes every kind of creative for AUDIO_ADVERTISING', async () => {
    const { page, complaints } = await signIn()
    const name = 'All creatives for AUDIO_ADVERTISING'
    await begin(page, { type: 'other', goal: 'AUDIO_ADVERTISING', name })
    await open(page, 'Tracks')
    await addFile(page, 'Add Track', track)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL('**/campaign/edit/**')
    await page.getByText('Changes Saved Successfully').waitFor()
    await publish(page, name)
    expect(complaints).toEqual([])
  })

  it('an advertiser sees the rates and the warning of a video, in both languages, and why another one is refused', async () => {
    const { page, complaints } = await signIn()
    await begin(page, { type: 'awareness', goal: 'ENHANCED_EXPOSURE', name: 'Rates' })
    await open(page, 'Video ads')
    await page.getByRole('switch', { name: 'Show these ads' }).click()
    const of = (codec: keyof typeof MP4_CODECS): File => ({
      ...film,
      buffer: mp4({ width: 640, height: 360, seconds: 6, codec: MP4_CODECS[codec], pictureBytes: 5000 }),
    })
    const input = page.locator('input[type=file]').and(page.getByLabel('Add Video', { exact: true }))
    await input.setInputFiles(of('HEVC'))
    await page.getByRole('list', { name: 'Files' }).getByText('Browsers and exchanges do not play HEVC (H.265).').waitFor()
    expect(await violations(page)).toEqual([])
    await input.setInputFiles(of('AV1'))
    await page.getByText('0:06 · 294 KB · 640x360 · 10 fps · 0.4 Mbit/s').waitFor()
    await page.getByText('Not every browser and exchange plays AV1.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save & Next' }).click()
    await page.waitForURL('**/campaign/edit/**')
    await page.evaluate(() => localStorage.setItem('DSP_LANGUAGE', 'ru'))
    await page.goto(`${page.url().split('?')[0]}?tab=videoAds`)
    await page.getByText('0:06 · 294 КБ · 640x360 · 10 кадр/с · 0,4 Мбит/с').waitFor()
    await page.getByText('AV1 воспроизводят не все браузеры и биржи.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('a file that is still on its way holds the save back, on whichever tab', async () => {
    const { page, complaints } = await signIn()
    await begin(page, { type: 'awareness', goal: 'ENHANCED_EXPOSURE', name: 'Slowly' })
    await open(page, 'Banner ads')
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/v1/file/upload2**', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Choose a file').setInputFiles(await picture('slow', 300, 250))
    await page.getByRole('progressbar', { name: 'Uploading slow.png' }).waitFor()
    await open(page, 'Campaign setup')
    for (const button of ['Save & Next', 'Publish'])
      expect(await page.getByRole('button', { name: button }).isDisabled()).toBe(true)
    await page.getByText('1 file is being uploaded. You can save when it is there.').waitFor()
    letGo()
    await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isEnabled()).toBe(true)
    await publish(page, 'Slowly')
    expect(complaints).toEqual([])
  })
})

const open = (page: Page, tab: string) =>
  page.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name: tab }).click()

/** Chooses a file and waits until it is there. */
async function addFile(page: Page, label: string, file: File): Promise<void> {
  await page
    .locator('input[type=file]')
    .and(page.getByLabel(label, { exact: true }))
    .setInputFiles(file)
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  // Why it was refused, if it was.
  expect((await page.getByRole('alert').allTextContents()).join('')).toBe('')
}

/** A new campaign with everything but creatives. */
async function begin(
  page: Page,
  campaign: { readonly type: string; readonly goal: string; readonly name: string },
): Promise<void> {
  const { type, goal, name } = campaign
  await page.goto(`/campaign/create?tab=basicInfo&type=${type}`)
  await page.getByLabel('Campaign name').fill(name)
  await pickCountry(page, 'Egypt')
  await page.getByRole('button', { name: 'Set country' }).click()
  await page.getByLabel('Daily budget').fill('40')
  if (goal !== 'AUDIO_ADVERTISING') {
    await page.getByLabel('Landing page URL').fill('https://nile.example/giza')
    await page.getByLabel('Goal', { exact: true }).selectOption(goal)
  }
  if (goal.startsWith('APP_')) {
    await page.getByLabel('App platform').selectOption('android')
    await page.getByLabel('Measurement partner').selectOption('adjust')
    await page.getByLabel('App bundle ID').fill('com.opera.browser')
  }
  if (goal.endsWith('CUSTOM_EVENT')) await page.getByLabel('Custom action name').fill('booked')
  if (goal === 'WEB_STANDARD_CONVERSION') await page.getByLabel('Conversion page URL').fill('https://nile.example/thanks')
}
