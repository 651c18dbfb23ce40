import { createHash } from 'node:crypto'
import { pageText, withFirst } from '#commands/files/banner-page'
import { BANNER_CLICK } from '#domain/campaign/content/banner-clicks'

/** Names of the click address: any of these, and with a digit behind the first two. */
const NAMES = ['clickTag', 'clickTAG', 'ClickTag', 'clicktag', 'CLICKTAG', 'click_tag']

/**
 * Runs in a banner's page before its own scripts, without any right: the sandbox holds whatever a banner makes of it. It gives the
 * page its click address and reports clicks to the page around the frame (decisions G-140). `Enabler`, `studio`, `ExitApi` and `dhtml`
 * stand in for scripts of ad servers, which the frame refuses; a banner may bring its own.
 */
const SCRIPT = `(function (w) {
  var found = /[?&]clicktag=([^&#]*)/i.exec(w.location.search), given = '', last = 0, staying = false
  try { given = found ? decodeURIComponent(found[1].replace(/\\+/g, ' ')) : '' } catch (error) {}
  if (!/^https?:\\/\\//i.test(given)) given = ''
  function click() {
    var activation = w.navigator.userActivation, now = Date.now()
    if ((activation && !activation.isActive) || now - last < 500) return null
    last = now
    w.parent.postMessage({ type: ${JSON.stringify(BANNER_CLICK)} }, '*')
    return null
  }
  function name(key) {
    var own
    Object.defineProperty(w, key, {
      configurable: true, enumerable: true,
      get: function () { return given || own }, set: function (value) { own = value },
    })
  }
  ${JSON.stringify(NAMES)}.forEach(function (key, place) {
    name(key)
    for (var n = 0; place < 2 && n < 10; n += 1) name(key + n)
  })
  function nothing() {}
  function yes() { return true }
  function same(value) { return value }
  function later(run) { if (typeof run === 'function') w.setTimeout(run, 0) }
  function standIn(known, rest) {
    return new Proxy(known, { get: function (all, key) {
      return key in all ? all[key] : typeof key === 'symbol' || key === 'then' ? undefined : rest(key)
    } })
  }
  var idle = function () { return nothing }
  w.open = click
  w.ExitApi = standIn({ exit: click }, idle)
  w.Enabler = standIn({
    exit: click, exitOverride: click, exitQueryString: click, dynamicExit: click, getUrl: same, getFilename: same,
    isInitialized: yes, isPageLoaded: yes, isVisible: yes, callAfterInitialized: later, callAfterVisible: later,
    addEventListener: function (event, run) { if (/^(init|visible|page_loaded)$/i.test(event)) later(run) },
  }, idle)
  w.studio = { events: { StudioEvent: standIn({}, same) } }
  w.dhtml = standIn({
    getVar: function (key, other) { return (/^clicktag/i.test(key) && given) || other },
    external: standIn({ open: click }, idle),
  }, idle)
  var folder = /^(.*?\\/v1\\/file\\/banner\\/[^/]+\\/)/.exec(w.location.href)
  function isOwnPage(address) {
    try { address = new URL(address, w.location.href) } catch (error) { return false }
    return !!folder && address.href.indexOf(folder[1]) === 0 && /\\.html?$/i.test(address.pathname)
  }
  // Browsers follow no such link in a sandbox.
  function run(code) {
    var script = w.document.createElement('script')
    try { code = decodeURIComponent(code) } catch (error) {}
    script.text = code
    w.document.documentElement.appendChild(script).remove()
  }
  w.addEventListener('click', function (event) {
    var link = event.composedPath().find(function (one) { return /^(a|area)$/i.test(one.tagName) })
    var address = link && (link.getAttribute('href') || link.getAttribute('xlink:href'))
    var code = /^\\s*javascript:([^]*)/i.exec(address || '')
    if (!address || /^\\s*#/.test(address)) return
    if (!code && isOwnPage(address)) return void (staying = true)
    event.preventDefault()
    if (code) run(code[1])
    else click()
  }, true)
  w.addEventListener('beforeunload', function () { if (!staying) click() })
})(window)`

/** Markup that stands first in the head of a banner's page as it is served. */
const MARKUP = `<script>${SCRIPT}</script>`
const VERSION = createHash('sha256').update(MARKUP).digest('hex').slice(0, 8)

/** A banner's page as it is served: in UTF-8, with the script of its clicks. What is stored stays as it was uploaded. */
export const servedPage = (stored: Buffer): Buffer => Buffer.from(withFirst(MARKUP, pageText(stored)))

/** The entity tag of such a page. */
export const pageTag = (sha256: string): string => `"${sha256}-${VERSION}"`
