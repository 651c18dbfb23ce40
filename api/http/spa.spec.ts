import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { Window } from 'happy-dom'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initial as initialWhiteLabel, whiteLabelOf, type WhiteLabel } from '#domain/white-label/white-label'
import type { PageBrand } from './branded-pages.ts'
import { registerSpa } from './spa.ts'
import { infoOf } from '../areas/white-label/white-label-info.ts'

const parsed = (html: string) => new new Window().DOMParser().parseFromString(html, 'text/html')

const brandOf = (branding: Partial<WhiteLabel>): PageBrand => {
  const plain = whiteLabelOf('dsp', initialWhiteLabel)
  if (plain === null) throw new Error('dsp is built in')
  const label = { ...plain, ...branding }
  return {
    label,
    info: infoOf(label, {
      environment: 'local',
      config: { audioAds: true, documentation: null },
      now: '2026-11-25T00:00:00.000Z',
    }),
  }
}
const PRODUCT = brandOf({})
const NILE = brandOf({
  name: `Nile </title><script>alert("1")</script> & 'Co'`,
  primary_color: '#1f7a4d',
  gauge_color: '#334455',
  default_locale: 'ru_RU',
})

const PAGE = (body: string) => `<!doctype html>
<html lang="en">
  <head>
    <title>Placard</title>
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <link rel="stylesheet" href="/assets/main-1.css" />
  </head>
  <body>${body}</body>
</html>`
const SCRIPT = 'export const placard = 1\n'.repeat(100)

describe('the built application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'placard-spa-'))
  const app = fastify()
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), PAGE(''))
    mkdirSync(join(folder, 'pages'))
    writeFileSync(join(folder, 'pages/campaign.edit.$id.html'), PAGE('form'))
    writeFileSync(join(folder, 'pages/campaigns.html'), PAGE('list'))
    writeFileSync(join(folder, 'assets/main-1.js'), SCRIPT)
    writeFileSync(join(folder, 'assets/main-1.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(folder, 'assets/main-1.js.gz'), gzipSync(SCRIPT))
    await registerSpa(app, folder, [{ method: 'GET', path: '/v1/campaign/:id' }], (hostname) =>
      hostname.startsWith('nile') ? NILE : PRODUCT,
    )
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string, encoding = 'identity') => app.inject({ url, headers: { 'accept-encoding': encoding } })

  it('the built application is sent in the smallest encoding that the browser accepts', async () => {
    const small = await get('/assets/main-1.js', 'gzip, br')
    expect(small.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript; charset=utf-8/),
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(small.headers['vary']).toMatch(/accept-encoding/i)
    expect(String(brotliDecompressSync(small.rawPayload))).toBe(SCRIPT)
    expect((await get('/assets/main-1.js', 'gzip')).headers['content-encoding']).toBe('gzip')
  })

  it('the built application is sent uncompressed when the client accepts no encoding', async () => {
    const plain = await get('/assets/main-1.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe(SCRIPT)
  })

  it('answers every page address with the page, which is not cached', async () => {
    for (const url of ['/', '/campaigns?page=2', '/campaign/edit/x', '/campaigns?q=nile.example']) {
      const page = await get(url, 'br')
      expect(String(brotliDecompressSync(page.rawPayload))).toContain('<title>Placard</title>')
      expect(page.headers['cache-control']).toBe('no-cache')
    }
  })

  it('answers a route with the page built for it', async () => {
    for (const [url, page] of [
      ['/campaign/edit/x?tab=basicInfo', 'form'],
      ['/campaigns?page=2', 'list'],
      ['/campaigns/', 'list'],
      ['/campaign/edit', ''],
      ['/elsewhere', ''],
    ] as const) {
      const answer = await get(url)
      expect([url, /<body>(.*)<\/body>/.exec(answer.body)?.[1]]).toEqual([url, page])
      expect(answer.headers['cache-control']).toBe('no-cache')
    }
    expect((await get('/pages/campaigns.html')).statusCode).toBe(404)
  })

  it('answers missing calls and files with 404', async () => {
    expect((await get('/v1/nothing')).statusCode).toBe(404)
    expect((await get('/assets/main-2.js')).statusCode).toBe(404)
    expect((await get('/assets/main-2.js?q=1')).statusCode).toBe(404)
    expect((await get('/assets/main-1.js.br')).statusCode).toBe(404)
  })

  it('names the brand of the host in its head: title, colours, icon, language and settings', async () => {
    const page = await app.inject({ url: '/campaigns', headers: { host: 'nile.example' } })
    const document = parsed(page.body)
    expect(document.title).toBe(NILE.label.name)
    expect([document.documentElement.lang, document.documentElement.dataset['language']]).toEqual(['ru', 'ru'])
    expect([...document.scripts]).toEqual([])
    const content = document.querySelector('meta[name="placard-white-label"]')?.getAttribute('content') ?? ''
    expect(JSON.parse(content)).toEqual(NILE.info)
    const [own, brand] = [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href') ?? '')
    expect(own).toBe('/assets/main-1.css')
    const css = await app.inject({ url: brand ?? '', headers: { host: 'nile.example' } })
    expect(css.body).toBe('html:root{--brand:#1f7a4d;--brand-gauge:#334455}')
    expect(css.headers['cache-control']).toContain('immutable')
    const icon = document.querySelector('link[rel=icon]')?.getAttribute('href') ?? ''
    expect((await app.inject({ url: icon, headers: { host: 'nile.example' } })).body).toContain('>N</text>')
  })

  it('describes itself to search engines by the name of the white-label, in its language', async () => {
    const described = async (host: string) => {
      const document = parsed((await app.inject({ url: '/auth/login', headers: { host } })).body)
      return document.querySelector('meta[name=description]')?.getAttribute('content')
    }
    expect(await described('ads.example')).toBe('Placard: create advertising campaigns, set their budgets and see their results.')
    expect(await described('nile.example')).toContain(`${NILE.label.name}: создавайте рекламные кампании`)
  })

  it('the application on a host without colours has no stylesheet of its own, and no file is cached under an old hash', async () => {
    const document = parsed((await get('/campaigns')).body)
    expect(document.querySelectorAll('link[rel=stylesheet]')).toHaveLength(1)
    expect(document.querySelector('link[rel=icon]')?.getAttribute('href')).toBe('/favicon.svg')
    const stale = await app.inject({ url: '/brand.css?v=old', headers: { host: 'nile.example' } })
    expect(stale.headers['cache-control']).toBe('no-cache')
  })

  it('the built application is not sent again while neither the page nor the brand changed', async () => {
    const first = await get('/campaigns')
    const same = { 'if-none-match': String(first.headers['etag']) }
    expect((await app.inject({ url: '/campaigns', headers: same })).statusCode).toBe(304)
    expect((await app.inject({ url: '/campaigns', headers: { ...same, host: 'nile.example' } })).statusCode).toBe(200)
  })
})
