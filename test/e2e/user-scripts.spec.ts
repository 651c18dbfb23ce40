import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { sendFile, signIn } from '../support/product.ts'
import { startProductProcess } from '../support/product-process.ts'

const PAGE = '<!doctype html><p id="state">still</p><script src="run.js"></script>'
const SCRIPT =
  'const state = document.getElementById("state"); if (state) state.textContent = "plays"; else window.takenOver = true'

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
    browser = await launchBrowser()
    const { token } = await signIn(base, 'ada@nile.example')
    const zip = bannerZip({ files: { 'index.html': PAGE, 'run.js': SCRIPT } })
    const path = '/v1/file/upload2?width=300&height=250'
    banner = `/v1/file/banner/${(await sendFile(base, token, path, zip, 'banner.zip')).data.file_id}`
  })
  afterAll(async () => {
    await browser.close()
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    await rm(dataDir, { recursive: true, force: true })
  })

  /** What becomes of a script element with this address in a page of the application. */
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

  it('plays in its own page', async () => {
    const page = await browser.newPage()
    await page.goto(`${base}${banner}/index.html`)
    expect(await page.textContent('#state')).toBe('plays')
    await page.close()
  })

  it('does not run in a page of the application: its policy refuses it, and so does the server', async () => {
    expect(await loaded('/docs/static/swagger-initializer.js', true)).toBe('loaded')
    expect(await loaded(`${banner}/run.js`, true)).toBe('refused')
    expect(await loaded(`${banner}/run.js`, false)).toBe('refused')
  })
})
