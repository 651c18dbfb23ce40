import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { ANIMATE_HOSTED, GWD_STUDIO } from '../support/media/tool-banners.ts'
import { openPage, pickCountry, signInAs } from '../support/page.ts'
import { PASSWORD } from '../support/product.ts'
import { root, startProductProcess } from '../support/product-process.ts'

const SHOP = 'https://nile.example/giza'
const OWN = 'https://own.example/'
const page = (body: string) => ({
  'index.html': `<!doctype html><meta name="ad.size" content="width=300,height=250"><style>a, b { display: block; height: 200px }</style>${body}`,
})

const BANNERS: readonly (readonly [name: string, files: Readonly<Record<string, Buffer | string>>])[] = [
  ['animate', ANIMATE_HOSTED.files],
  ['designer', GWD_STUDIO.files],
  ['template', { 'index.html': readFileSync(join(root, 'docs/help/html-banner.html')) }],
  ['link', page(`<a href="${OWN}" target="_top">Buy</a>`)],
  ['location', page(`<b onclick="location.href = '${OWN}'">Buy</b>`)],
]

/** They open nothing: without a user, and by leading the page around the frame elsewhere. */
const QUIET: typeof BANNERS = [
  ['eager', page(`<div>Loaded</div><script>open('${OWN}'); parent.postMessage({ type: 'placard:click' }, '*')</script>`)],
  ['top', page(`<b onclick="top.location = '${OWN}'">Buy</b>`)],
]

describe('HTML banners in the preview, in a browser', () => {
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

  const upload = async (form: Page, name: string, files: Readonly<Record<string, Buffer | string>>) => {
    const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer: bannerZip({ files }) }
    await form.getByLabel('Choose a file', { exact: true }).setInputFiles(file)
    const card = form.getByRole('article', { name })
    await card.frameLocator('iframe').locator('canvas, div, a, b').first().waitFor()
    return card
  }

  /** In its middle, by the mouse: locators miss what is in a scaled frame. */
  const clickInside = async (form: Page, frame: Locator) => {
    await frame.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const { x, y, width, height } = (await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await form.mouse.click(x + width / 2, y + height / 2)
  }

  it('HTML banners in the preview open the address of the campaign when a user clicks them, and no other', async () => {
    const { page: form } = await openPage(browser, base)
    const asked: string[] = []
    const isElsewhere = (url: URL) => url.protocol.startsWith('http') && url.origin !== base
    await form.context().route(isElsewhere, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ status: 200, contentType: 'text/html', body: 'The page' })
    })
    await signInAs(form, 'ada@nile.example', PASSWORD)
    await form.goto('/campaign/create?tab=basicInfo&type=awareness')
    await form.getByLabel('Campaign name').fill('Clicked banners')
    await pickCountry(form, 'Egypt')
    await form.getByRole('button', { name: 'Set country' }).click()
    await form.getByLabel('Landing page URL').fill(SHOP)
    await form.getByRole('navigation', { name: 'Form sections' }).getByRole('link', { name: 'Banner ads' }).click()

    // First: what they opened would be seen before the others.
    for (const [name, files] of QUIET) {
      const card = await upload(form, name, files)
      if (name === 'top') await clickInside(form, card.locator('iframe'))
    }
    for (const [name, files] of BANNERS) {
      const card = await upload(form, name, files)
      if (name === 'animate') await card.getByText(/stay blank: code\.createjs\.com/).waitFor()
      const opened = form.context().waitForEvent('page')
      await clickInside(form, card.locator('iframe'))
      const shop = await opened
      await shop.getByText('The page').waitFor()
      expect([name, shop.url()]).toEqual([name, SHOP])
      await shop.close()
    }
    expect(asked).toEqual(BANNERS.map(() => SHOP))
    expect(form.context().pages()).toHaveLength(1)
    expect(new URL(form.url()).origin).toBe(base)
  })
})
