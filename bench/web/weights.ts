import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { round, say, type Figures } from '../support/measure.ts'
import { settled, visit, type Signed } from './page.ts'

const ASSETS = fileURLToPath(new URL('../../dist/web/assets', import.meta.url))
const TABS = [
  'administration',
  'advancedBidding',
  'targeting',
  'dynamicAds',
  'bannerAds',
  'nativeAds',
  'videoAds',
  'frequency',
  'placement',
  'geography',
  'changeLog',
] as const

const gzipped = new Map<string, number>()
/** KiB of a built file, gzip -9. */
function kib(file: string): number {
  const known = gzipped.get(file)
  if (known !== undefined) return known
  const size = gzipSync(readFileSync(join(ASSETS, file)), { level: 9 }).length / 1024
  gzipped.set(file, size)
  return size
}
const sum = (files: Iterable<string>): number => [...new Set(files)].reduce((total, file) => total + kib(file), 0)
const scripts = (files: readonly string[]): readonly string[] => files.filter((file) => file.endsWith('.js'))

declare global {
  interface Window {
    /** When the page was shown, milliseconds from its start. */
    shownAt: number
  }
}

/** Reported by the page itself: when this process is notified, the page has already continued. */
const noteWhenShown = (page: Page, shown: string) =>
  page.addInitScript((selector) => {
    new MutationObserver((_, observer) => {
      if (document.querySelector(selector) === null) return
      window.shownAt = performance.now()
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
  }, shown)

const askedForUntilShown = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ startTime }) => startTime <= window.shownAt)
      .flatMap(({ name }) => /\/assets\/([^/?]+\.(?:js|css))$/.exec(name)?.[1] ?? []),
  )

/** Bytes that a browser with an empty cache loads until an address is shown, gzip, KiB. */
export async function weights(
  browser: Browser,
  base: string,
  { advertiser, moderator }: { readonly advertiser: Signed; readonly moderator: Signed },
  campaign: string,
): Promise<Figures> {
  const visited = async (url: string, shown: string, signed: Signed | undefined, resting: boolean) => {
    const one = await visit(browser, base, signed, 'none')
    await noteWhenShown(one.page, shown)
    await one.page.goto(url)
    await one.page.waitForSelector(shown)
    // Later requests are prefetches, while the page is idle.
    if (resting) await settled(one)
    const loaded = resting ? [...one.loaded] : await askedForUntilShown(one.page)
    await one.close()
    return loaded
  }
  const loadedBy = (url: string, shown: string, signed?: Signed) => visited(url, shown, signed, false)
  const form = `/campaign/edit/${campaign}`
  const list = await loadedBy('/campaigns', 'tbody tr a', advertiser)
  const setup = await loadedBy(`${form}?tab=basicInfo`, 'form input', advertiser)
  const queue = await loadedBy('/moderation', '#content h2', moderator)
  const signIn = await loadedBy('/auth/login', 'input[type=password]')
  const frame = scripts(list).filter((file) => setup.includes(file) && queue.includes(file))
  // The user with every tab.
  const first = await visited(`${form}?tab=basicInfo`, 'form input', moderator, true)
  let tab = 0
  for (const name of TABS) {
    const more = scripts(await loadedBy(`${form}?tab=${name}`, 'main h2, main table', moderator)).filter(
      (file) => !first.includes(file),
    )
    say(`${name}: ${round(sum(more))} KiB more`)
    tab = Math.max(tab, sum(more))
  }
  const all = readdirSync(ASSETS)
  const everywhere = [...list, ...setup, ...queue, ...signIn]
  return {
    sign_in_kib: round(sum(scripts(signIn))),
    frame_kib: round(sum(frame)),
    list_kib: round(sum(scripts(list))),
    form_kib: round(sum(scripts(setup))),
    moderation_kib: round(sum(scripts(queue))),
    tab_kib: round(tab),
    css_kib: round(sum(everywhere.filter((file) => file.endsWith('.css')))),
    russian_kib: round(sum(all.filter((file) => /^ru-.*\.js$/.test(file)))),
    all_kib: round(sum(all.filter((file) => file.endsWith('.js')))),
  }
}
