import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOOL_BANNERS } from '#test/support/media/tool-banners'
import { bannerAddresses } from './banner-addresses.ts'

const filesOf = (files: Readonly<Record<string, Buffer | string>>) =>
  Object.entries(files).map(([path, bytes]) => ({ path, bytes: Buffer.from(bytes) }))
const found = (files: Readonly<Record<string, Buffer | string>>) => bannerAddresses(filesOf(files))
const inScript = (script: string) => found({ 'index.html': '', 'a.js': script })

describe('the addresses of a banner', () => {
  it.each(TOOL_BANNERS.map((banner) => [banner.tool, banner] as const))(
    'the addresses of a banner are found in an export of %s',
    (_, banner) => {
      const { files, clickLinks, externalHosts } = banner
      expect(found(files)).toEqual({ clickLinks, externalHosts })
    },
  )

  it.each([
    'window.open("https://shop.example")',
    'self.open( `https://shop.example/${id}` )',
    'top.location = "https://shop.example"',
    'window.location.href="//shop.example"',
    "location.replace('https://shop.example')",
    'parent.location["href"] = "https://shop.example"',
    'link.href = "https://shop.example/page"; link.click()',
    'a.setAttribute("href", "https://shop.example")',
    'el.innerHTML = "<a href=\\"https://shop.example\\">Buy</a>"',
    'Enabler.exitOverride("cta", "https://shop.example")',
    'var url = "https://shop.example"; function go() { window.open(url) }',
    'const ad = { target: "https://shop.example" }; onclick = () => open(ad.target)',
  ])('the addresses of a banner are links of its own in %s', (script) => {
    expect(inScript(script)).toEqual({ clickLinks: true, externalHosts: [] })
  })

  it.each([
    'window.open(clickTag)',
    'var clickTag = "https://example.com"; window.open(window.clickTag)',
    'var clickTAG1 = "https://example.com"; location.href = clickTAG1',
    'if (location.href == "https://example.com") start()',
    'var ns = "http://www.w3.org/2000/svg"; document.createElementNS(ns, "svg")',
    '// see https://greensock.com/licensing\nstart()',
    'console.log("Made with https://tool.example")',
    'request.open("GET", "data.json")',
  ])('the addresses of a banner are none in %s', (script) => {
    expect(inScript(script)).toEqual({ clickLinks: false, externalHosts: [] })
  })

  it.each([
    ['s.src = "https://cdn.example/a?b=c"', 'cdn.example'],
    ['fetch("https://api.example/v1")', 'api.example'],
    ['new WebSocket("wss://live.example")', 'live.example'],
    ['request.open("GET", "https://api.example/v1", true)', 'api.example'],
    ['import("https://esm.example/lottie")', 'esm.example'],
    ['manifest: [{src:"https://cdn.example/images/atlas_1.png?1", id:"atlas"}]', 'cdn.example'],
    ['var libs = ["https://cdn.example/gsap.min.js"]', 'cdn.example'],
    ['l.rel = "stylesheet"; l.href = "https://fonts.example/a.css"', 'fonts.example'],
    ['s.src = "https://xn--80ak6aa92e.example/a.js"', 'xn--80ak6aa92e.example'],
    ['s.src = "https://пример.example/a.js"', 'xn--e1afmkfd.example'],
  ])('the addresses of a banner are loads in %s', (script, host) => {
    expect(inScript(script)).toEqual({ clickLinks: false, externalHosts: [host] })
  })

  it('the addresses of a banner are none in the template of the help', () => {
    const page = readFileSync(new URL('../../../docs/help/html-banner.html', import.meta.url))
    expect(found({ 'index.html': page })).toEqual({ clickLinks: false, externalHosts: [] })
  })

  it('the addresses of a banner name ten hosts at most, each once', () => {
    const script = Array.from({ length: 30 }, (_, n) => `s.src = "https://h${n % 15}.example/a.js"`).join('\n')
    expect(inScript(script).externalHosts).toHaveLength(10)
  })

  it('the addresses of a banner are the same in every encoding of a page', () => {
    const part = fc.constantFrom(
      '<a href="https://a.example">',
      '<script src="//b.example/c.js"></script>',
      '<p>текст</p>',
      '<!-- <a href="https://d.example"> -->',
      '<div onclick="location=\'https://e.example\'">',
      '<style>a { background: url(https://f.example/g.png) }</style>',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const page = `<!doctype html>${parts.join('')}`
        const of = (bytes: Buffer) => found({ 'index.html': bytes })
        const plain = of(Buffer.from(page))
        expect(plain.clickLinks).toBe(parts.some((one) => /^<a |^<div/.test(one)))
        for (const other of [
          Buffer.from(`\uFEFF${page}`),
          Buffer.from(`\uFEFF${page}`, 'utf16le'),
          Buffer.from(page, 'utf16le').swap16(),
        ])
          expect(of(other)).toEqual(plain)
      }),
    )
  })
})
