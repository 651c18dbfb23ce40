import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerSpa } from './spa.ts'

const SCRIPT = 'export const placard = 1\n'.repeat(100)

describe('the built application', () => {
  const folder = mkdtempSync(join(tmpdir(), 'placard-spa-'))
  const app = fastify()
  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Placard</title>')
    mkdirSync(join(folder, 'pages'))
    writeFileSync(join(folder, 'pages/campaign.edit.$id.html'), '<!doctype html><title>Placard</title>form')
    writeFileSync(join(folder, 'pages/campaigns.html'), '<!doctype html><title>Placard</title>list')
    writeFileSync(join(folder, 'assets/main-1.js'), SCRIPT)
    writeFileSync(join(folder, 'assets/main-1.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(folder, 'assets/main-1.js.gz'), gzipSync(SCRIPT))
    await registerSpa(app, folder, [{ method: 'GET', path: '/v1/campaign/:id' }])
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string, encoding = 'identity') => app.inject({ url, headers: { 'accept-encoding': encoding } })

  it('is sent in the smallest encoding that the browser accepts', async () => {
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

  it('is sent uncompressed when the client accepts no encoding', async () => {
    const plain = await get('/assets/main-1.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe(SCRIPT)
  })

  it('answers every page address with the page, which is not cached', async () => {
    for (const url of ['/', '/campaigns?page=2', '/campaign/edit/x', '/campaigns?q=nile.example']) {
      const page = await get(url, 'br')
      expect(page.body).toContain('Placard')
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
      expect([url, answer.body]).toEqual([url, `<!doctype html><title>Placard</title>${page}`])
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
})
