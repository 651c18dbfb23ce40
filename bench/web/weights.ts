import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { round, type Figures } from '../support/measure.ts'
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

/** What a browser that has never been here loads to show an address, gzip, KiB. */
export async function weights(
  browser: Browser,
  base: string,
  { advertiser, moderator }: { readonly advertiser: Signed; readonly moderator: Signed },
  campaign: string,
): Promise<Figures> {
  const loadedBy = async (url: string, shown: string, signed?: Signed) => {
    const one = await visit(browser, base, signed, 'none')
    await one.page.goto(url)
    await one.page.waitForSelector(shown)
    await settled(one)
    await one.close()
    return one.loaded
  }
  const form = `/campaign/edit/${campaign}`
  const list = await loadedBy('/campaigns', 'tbody tr', advertiser)
  const setup = await loadedBy(`${form}?tab=basicInfo`, 'form input', advertiser)
  const queue = await loadedBy('/moderation', 'main h1', moderator)
  const signIn = await loadedBy('/auth/login', 'input[type=password]')
  const frame = scripts(list).filter((file) => setup.includes(file) && queue.includes(file))
  let tab = 0
  for (const name of TABS) {
    const more = scripts(await loadedBy(`${form}?tab=${name}`, 'main h2, main table', advertiser)).filter(
      (file) => !setup.includes(file),
    )
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
