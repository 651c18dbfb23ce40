import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { initial as initialWhiteLabel, whiteLabelOf } from '#domain/white-label/white-label'
import { infoOf } from '../areas/white-label/white-label-info.ts'
import { documentationFolder } from '../documentation-folder.ts'
import { registerDocumentation } from './documentation.ts'
import { installSecurityHeaders } from './security-headers.ts'
import { registerSpa } from './spa.ts'

const page = (body: string) => `<!doctype html><script src="/help/docs/assets/inline.a.js"></script><main>${body}</main>`
const SCRIPT = 'export const page = 1\n'.repeat(100)
const label = whiteLabelOf('dsp', initialWhiteLabel)
if (label === null) throw new Error('dsp is built in')
const info = infoOf(label, {
  environment: 'local',
  config: { audioAds: true, documentation: '/site' },
  now: '2026-11-25T00:00:00.000Z',
})

/** The server with the application, and with the site where one is given. */
async function served(web: string, site: string | null) {
  const app = fastify()
  installSecurityHeaders(app, { publicOrigin: 'https://ads.example', contentOrigin: null, stripe: null })
  if (site !== null) await registerDocumentation(app, site)
  await registerSpa(app, web, [], () => ({ label: label as NonNullable<typeof label>, info }))
  return app
}

describe('the documentation site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'placard-site-'))
  const [web, site] = [join(folder, 'web'), join(folder, 'site')]
  let app: Awaited<ReturnType<typeof served>>
  beforeAll(async () => {
    for (const path of [web, site, join(site, 'assets'), join(site, 'spec'), join(site, 'ru')]) mkdirSync(path)
    writeFileSync(join(web, 'index.html'), '<!doctype html><title>x</title><p>the application</p>')
    writeFileSync(join(folder, 'secret.html'), page('secret'))
    for (const [name, body] of [
      ['index', 'front'],
      ['operating', 'operating'],
      ['spec/access', 'access'],
      ['ru/index', 'guides'],
      ['404', 'no such page'],
    ] as const)
      writeFileSync(join(site, `${name}.html`), page(body))
    writeFileSync(join(site, 'hashmap.json'), '{}')
    writeFileSync(join(site, 'vp-icons.css'), 'a{}')
    writeFileSync(join(site, 'assets/app.1.js'), SCRIPT)
    writeFileSync(join(site, 'assets/app.1.js.br'), brotliCompressSync(SCRIPT))
    app = await served(web, site)
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: `/help/docs${path}`, headers })
  const bodyOf = async (path: string) => /<main>(.*)<\/main>/.exec((await get(path)).body)?.[1]

  it('answers pages by their names, with and without .html, and folders by their index', async () => {
    for (const [path, body] of [
      ['/', 'front'],
      ['/index.html', 'front'],
      ['/operating', 'operating'],
      ['/operating?q=1', 'operating'],
      ['/operating.html', 'operating'],
      ['/spec/access', 'access'],
      ['/ru/', 'guides'],
    ] as const)
      expect([path, await bodyOf(path), (await get(path)).statusCode]).toEqual([path, body, 200])
    const bare = await get('')
    expect([bare.statusCode, bare.headers['location']]).toEqual([308, '/help/docs/'])
  })

  it('sends hashed assets for ever, in the encoding that the browser accepts, and pages to be checked', async () => {
    const script = await get('/assets/app.1.js', { 'accept-encoding': 'br' })
    expect(script.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/javascript/),
    })
    expect(String(brotliDecompressSync(script.rawPayload))).toBe(SCRIPT)
    expect((await get('/vp-icons.css')).headers['cache-control']).toBe('no-cache')
    const shown = await get('/operating', { 'accept-encoding': 'br' })
    expect(shown.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(String(brotliDecompressSync(shown.rawPayload))).toBe(page('operating'))
  })

  it('answers 304 to a browser that has the page or the asset', async () => {
    for (const path of ['/operating', '/assets/app.1.js']) {
      const { headers } = await get(path)
      const again = await get(path, { 'if-none-match': String(headers['etag']) })
      expect([path, again.statusCode, again.body]).toEqual([path, 304, ''])
    }
  })

  it('answers HEAD with the headers alone', async () => {
    for (const path of ['/operating', '/assets/app.1.js']) {
      const head = await app.inject({ method: 'HEAD', url: `/help/docs${path}` })
      expect([path, head.statusCode, head.body]).toEqual([path, 200, ''])
      expect(head.headers['etag']).toBe((await get(path)).headers['etag'])
    }
  })

  it('answers addresses that it does not have with its own page and 404', async () => {
    for (const path of [
      '/nothing',
      '/404',
      '/404.html',
      '/spec',
      '/spec/',
      '/assets/',
      '/assets/app.2.js',
      '/hashmap.json',
      '/app.1.js.br',
    ]) {
      const missing = await get(path)
      expect([path, missing.statusCode, /<main>(.*)<\/main>/.exec(missing.body)?.[1]]).toEqual([path, 404, 'no such page'])
      expect(missing.headers['cache-control']).toBe('no-cache')
    }
  })

  it('serves nothing outside its folder', async () => {
    symlinkSync(join(folder, 'secret.html'), join(site, 'later.html'))
    for (const path of [
      '/../secret',
      '/../secret.html',
      '/%2e%2e/secret.html',
      '/..%2fsecret.html',
      '/assets/..%2f..%2fsecret.html',
      '//etc/passwd',
      '/later',
    ])
      expect([path, (await get(path)).body.includes('secret')]).toEqual([path, false])
  })

  it('allows scripts from its assets, and no inline script', async () => {
    const policy = String((await get('/operating', { host: 'ads.example' })).headers['content-security-policy'])
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
    expect(scripts.split(' ')).toContain('ads.example/help/docs/assets/')
    expect(scripts).not.toMatch(/unsafe|'self'/)
  })

  it('leaves its addresses to the application where it was not built', async () => {
    const without = await served(web, null)
    for (const url of ['/help/docs', '/help/docs/', '/help/docs/operating'])
      expect((await without.inject({ url })).body).toContain('the application')
    await without.close()
  })

  it('the documentation site is found in the given folder when it has a front page, and is switched off by off', () => {
    expect(documentationFolder(site)).toBe(site)
    expect(() => documentationFolder(join(site, 'spec'))).toThrow('PLACARD_DOCUMENTATION: the folder holds no site')
    expect(documentationFolder('off')).toBeNull()
  })

  it('the documentation site is named in what the application knows about the installation', () => {
    expect(info.documentation).toBe(true)
    const config = { audioAds: true, documentation: null }
    expect(infoOf(label, { environment: 'local', config, now: '2026-11-25T00:00:00.000Z' }).documentation).toBe(false)
  })
})
