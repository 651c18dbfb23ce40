import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { pageTag, servedPage } from './banner-script.ts'

const CAMPAIGN = 'https://shop.example/sale?a=1&b=ü'
const FOLDER = 'https://content.example/v1/file/banner/f/~1.t/'
type Listener = (event: object) => void

/** A banner's page as served, and what its script does in a window like a browser's. Time passes a second at each click. */
function play(query = `?clickTag=${encodeURIComponent(CAMPAIGN)}`) {
  const markup = servedPage(Buffer.from('')).toString()
  const script = markup.replace(/^<script>|<\/script>$/g, '')
  const messages: unknown[] = []
  const listeners = new Map<string, Listener>()
  const userActivation = { isActive: true }
  let time = 0
  const window: Record<string, unknown> = {
    location: { search: query, href: `${FOLDER}index.html${query}` },
    navigator: { userActivation },
    parent: { postMessage: (message: unknown, target: string) => messages.push([message, target]) },
    addEventListener: (name: string, run: Listener) => listeners.set(name, run),
    setTimeout: (run: () => void) => run(),
    document: {
      createElement: (name: string) => ({ name, text: '', remove: () => undefined }),
      documentElement: {
        appendChild(element: { readonly name: string; readonly text: string }) {
          if (element.name === 'script') runInNewContext(element.text, window)
          return element
        },
      },
    },
  }
  window['window'] = window
  window['Date'] = { now: () => (time += 1000) }
  window['URL'] = URL
  runInNewContext(script, window)
  return {
    /** Number of clicks that the page around is notified of by this code of the banner. */
    clicks(code: string) {
      const before = messages.length
      runInNewContext(code, window)
      return messages.slice(before).filter((one) => JSON.stringify(one) === '[{"type":"placard:click"},"*"]').length
    },
    value: (code: string): unknown => runInNewContext(code, window),
    /** Clicks a link; returns the clicks that are reported and whether the browser may follow it. */
    follow(href: string, tagName = 'A') {
      const before = messages.length
      let follows = true
      const link = { tagName, getAttribute: (name: string) => (name === 'href' ? href : null) }
      listeners.get('click')?.({ composedPath: () => [{ tagName: 'B' }, link, window], preventDefault: () => (follows = false) })
      return { clicks: messages.length - before, follows }
    },
    leave() {
      const before = messages.length
      listeners.get('beforeunload')?.({})
      return messages.length - before
    },
    withoutUser: () => void (userActivation.isActive = false),
  }
}

describe('the script in a banner', () => {
  it.each(['clickTag', 'clickTAG', 'ClickTag', 'clicktag', 'CLICKTAG', 'click_tag', 'clickTag1', 'clickTAG0'])(
    'gives the page its click address as %s, whatever the banner sets',
    (name) => {
      const banner = play()
      expect(banner.value(name)).toBe(CAMPAIGN)
      expect(banner.value(`var ${name} = "https://own.example"; window.${name} = "x"; ${name}`)).toBe(CAMPAIGN)
    },
  )

  it.each(['', '?clickTag=', '?clickTag=javascript:alert(1)', '?clickTag=%', '?other=1'])(
    'leaves the banner its own value for tests where it gets no address: %j',
    (query) => {
      expect(play(query).value('typeof clickTag')).toBe('undefined')
      expect(play(query).value('window.clickTag = "https://own.example"; clickTag')).toBe('https://own.example')
    },
  )

  it.each([
    'window.open(clickTag)',
    'open("https://own.example", "_blank")',
    'window.open()',
    'Enabler.exit("cta", "https://own.example")',
    'Enabler.exitOverride("cta", "https://own.example")',
    'ExitApi.exit()',
    'dhtml.external.open("clickTAG")',
    'window.open(dhtml.getVar("clickTAG", "https://own.example"), dhtml.getVar("landingPageTarget", "_blank"))',
    'Enabler.addEventListener(studio.events.StudioEvent.INIT, function () { Enabler.counter("a"); Enabler.exit("b") })',
  ])('reports a click, without an address: %s', (code) => {
    expect(play().clicks(code)).toBe(1)
  })

  it.each([
    'Enabler.isInitialized() && Enabler.getUrl("a.png")',
    'Enabler.addEventListener(studio.events.StudioEvent.HIDDEN, function () { Enabler.exit("b") })',
    'ExitApi.delayCloseButton(3)',
  ])('reports none: %s', (code) => {
    expect(play().clicks(code)).toBe(0)
  })

  it('reports one for two calls of one click, and none that no user made', () => {
    const banner = play()
    expect(banner.clicks('Date.now = function () { return 9000 }; window.open(); window.open()')).toBe(1)
    const alone = play()
    alone.withoutUser()
    expect([alone.clicks('window.open(clickTag)'), alone.leave()]).toEqual([0, 0])
  })

  it.each([
    ['https://own.example', 1, false],
    ['//own.example/page.html', 1, false],
    ['${clickTag}', 1, false],
    ['%%CLICK_URL%%', 1, false],
    ['../../g/index.html', 1, false],
    ['tel:+49', 1, false],
    ['second.html', 0, true],
    ['./more/third.htm?x=1', 0, true],
    ['#top', 0, true],
    ['javascript:window.open(window.clickTag)', 1, false],
    [' JavaScript:void(window.open%28clickTag%29)', 1, false],
    ['javascript:void(0)', 0, false],
    ['', 0, true],
  ])('the script in a banner of a link to %j reports %d, and the browser follows it: %s', (href, clicks, follows) => {
    expect(play().follow(href)).toEqual({ clicks, follows })
  })

  it('reports a page that a click leads away, but not to another page of the banner', () => {
    expect(play().leave()).toBe(1)
    const banner = play()
    banner.follow('second.html')
    expect(banner.leave()).toBe(0)
  })

  it('stands in the head of a page, which is served in UTF-8, and has a tag of its own', () => {
    const page = servedPage(Buffer.from('\uFEFF<!doctype html><html><head><title>é</title>', 'utf16le')).toString('utf8')
    expect(page).toMatch(/^<!doctype html><html><head><script>[^]+<\/script><title>é<\/title>$/)
    expect(pageTag('a'.repeat(64))).toMatch(/^"a{64}-[\da-f]{8}"$/)
  })
})
