import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveBrowser, sharedBrowser } from '../support/browser.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { png, sendFile, signIn } from '../support/product.ts'
import { startProductProcess } from '../support/product-process.ts'

const PAGE = `<!doctype html><p id="state">still</p><p id="tried"></p><form><input type="password" name="p"></form>
  <img src="picture.png"><script src="run.js"></script>`
const SCRIPT = `
  const state = document.getElementById("state")
  if (state) state.textContent = "plays"
  else window.takenOver = true
  const said = document.getElementById("tried")
  const image = new Promise((resolve) => {
    const sent = new Image()
    sent.onload = () => resolve("sent")
    sent.onerror = () => resolve("refused")
    sent.src = "/v1/pixel.gif?key=x&name=stolen&p=secret"
  })
  const fetched = fetch("/v1/whitelabel/info", { mode: "no-cors" }).then(() => "sent", () => "refused")
  Promise.all([image, fetched]).then(([one, other]) => { if (said) said.textContent = "image: " + one + ", fetch: " + other })`

describe('the script of an HTML banner, in a browser', () => {
  let dataDir = ''
  let base = ''
  let child: ChildProcess
  let browser: Browser
  let banner = ''
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'placard-e2e-'))
    ;({ base, child } = await startProductProcess(['--enable-source-maps', 'dist/server/api/main.js'], dataDir, {
      PLACARD_PUBLIC_URL: 'http://localhost:3000',
    }))
    browser = await sharedBrowser()
    const { token } = await signIn(base, 'ada@nile.example')
    const zip = bannerZip({ files: { 'index.html': PAGE, 'run.js': SCRIPT, 'picture.png': await png(3, 3) } })
    const path = '/v1/file/upload2?width=300&height=250'
    banner = String((await sendFile(base, token, path, zip, 'banner.zip')).data['preview_url']).replace('/index.html', '')
  })
  afterAll(async () => {
    await leaveBrowser(browser)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Fate of a script element with this address in a page of the application. */
  const loaded = async (script: string, withPolicy: boolean) => {
    const context = await browser.newContext({ bypassCSP: !withPolicy })
    const page = await context.newPage()
    await page.goto(`${base}/docs`)
    const outcome = await page.evaluate(
      (src) =>
        new Promise<string>((resolve) => {
          const element = document.createElement('script')
          element.src = src
          element.addEventListener('load', () => resolve('takenOver' in window ? 'ran' : 'loaded'))
          element.addEventListener('error', () => resolve('refused'))
          document.head.append(element)
        }),
      script,
    )
    await context.close()
    return outcome
  }

  /** The banner in a frame of a page of the application, as previews show it. */
  const framed = async (address: string) => {
    const page = await browser.newPage()
    const sent: string[] = []
    page.on('response', (response) => sent.push(response.url()))
    await page.goto(`${base}/docs`)
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      frame.setAttribute('sandbox', 'allow-scripts')
      document.body.append(frame)
    }, address)
    const frame = page.frameLocator('iframe')
    return { page, frame, sent }
  }

  it('plays in a frame, with the pictures and scripts of its own folder', async () => {
    const { page, frame } = await framed(`${banner}/index.html`)
    await expect.poll(() => frame.locator('#state').textContent()).toBe('plays')
    await expect.poll(() => frame.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(3)
    await page.close()
  })

  it('the script of an HTML banner is no page, so that it cannot ask for a password under the address of the product', async () => {
    const page = await browser.newPage()
    const answer = await page.goto(`${base}${banner}/index.html`)
    expect(answer?.status()).toBe(403)
    expect([await page.locator('#state').count(), await page.locator('input').count()]).toEqual([0, 0])
    await page.close()
  })

  it('sends nothing to the pixel or to any other call of the product', async () => {
    const { page, frame, sent } = await framed(`${banner}/index.html`)
    await expect.poll(() => frame.locator('#tried').textContent()).toBe('image: refused, fetch: refused')
    const calls = sent.map((url) => new URL(url)).filter(({ pathname }) => pathname.startsWith('/v1/'))
    expect(calls.filter(({ pathname }) => !pathname.startsWith(banner)).map(({ pathname }) => pathname)).toEqual([])
    await page.close()
  })

  it('does not run in a page of the application: its policy refuses it, and so does the server', async () => {
    expect(await loaded('/docs/static/swagger-initializer.js', true)).toBe('loaded')
    expect(await loaded(`${banner}/run.js`, true)).toBe('refused')
    expect(await loaded(`${banner}/run.js`, false)).toBe('refused')
  })
})
