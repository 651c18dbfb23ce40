import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { PROFILES, type Profile } from './budgets.ts'

export type Signed = Awaited<ReturnType<BrowserContext['storageState']>>

export type Visit = {
  readonly page: Page
  readonly cdp: CDPSession
  /** Names of the loaded scripts and styles, in order. */
  readonly loaded: readonly string[]
  readonly close: () => Promise<void>
}

/** Stored in the page: the browser's measurements so far. */
declare global {
  interface Window {
    seen: { lcp: number; cls: number; long: number; interactions: Map<number, number> }
  }
}

/** A page of a browser with an empty or a filled cache, measuring from the start. */
export async function visit(browser: Browser, base: string, signed: Signed | undefined, profile: Profile): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1366, height: 768 },
    ...(signed === undefined ? {} : { storageState: signed }),
  })
  const page = await context.newPage()
  // The source loader names functions through a helper that pages do not have.
  await page.addInitScript('globalThis.__name ??= (named) => named')
  await page.addInitScript(() => {
    const seen: Window['seen'] = { lcp: 0, cls: 0, long: 0, interactions: new Map() }
    window.seen = seen
    const watch = (type: string, report: (entry: PerformanceEntry & Record<string, number>) => void, options: object = {}) =>
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) report(entry as never)
      }).observe({ type, buffered: true, ...options })
    watch('largest-contentful-paint', ({ startTime }) => (seen.lcp = startTime))
    watch('layout-shift', (entry) => {
      if (!entry['hadRecentInput']) seen.cls += entry['value'] ?? 0
    })
    watch('longtask', ({ duration }) => {
      if (duration > 200) seen.long += 1
    })
    watch(
      'event',
      (entry) => {
        const id = entry['interactionId'] ?? 0
        if (id > 0) seen.interactions.set(id, Math.max(seen.interactions.get(id) ?? 0, entry.duration))
      },
      { durationThreshold: 16 },
    )
  })
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  const loaded: string[] = []
  page.on('response', (response) => {
    const file = /\/assets\/([^/?]+\.(?:js|css))$/.exec(response.url())?.[1]
    if (file !== undefined) loaded.push(file)
  })
  const limits = PROFILES[profile]
  if (limits !== null) {
    const bytes = (limits.megabits * 1_000_000) / 8
    await cdp.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: limits.latency,
      downloadThroughput: bytes,
      uploadThroughput: bytes,
    })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: limits.cpu })
  }
  return { page, cdp, loaded, close: () => context.close() }
}

export const measured = (page: Page) =>
  page.evaluate(() => ({
    lcp: window.seen.lcp,
    cls: window.seen.cls,
    long: window.seen.long,
    interactions: [...window.seen.interactions.values()],
  }))

/** Waits until nothing has been loaded for a while: prefetches belong to the visit. */
export async function settled({ page, loaded }: Visit, quiet = 400): Promise<void> {
  for (let count = -1; count !== loaded.length; await page.waitForTimeout(quiet)) count = loaded.length
}
