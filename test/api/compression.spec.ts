import { request as sent, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { AREAS, ENDPOINTS } from '#api/areas/index'
import { endpoint } from '#contract/http'
import { z } from '#contract/zod'
import { installCompression } from '#api/http/compression'
import { openApi } from '#api/http/openapi'
import { register, type HttpGuards } from '#api/http/register'
import { bannerZip } from '../support/media/banner-zip.ts'
import { sendFile, sharedProduct, type Session, type TestProduct } from '../support/product.ts'

type Raw = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

describe('compressed answers', () => {
  let product: TestProduct
  let ada: Session
  beforeAll(async () => {
    product = await sharedProduct()
    ada = await product.as('ada@nile.example')
  })

  /** An answer as it travels: `fetch` would decode it. */
  const raw = (path: string, encoding: string, headers: Record<string, string> = {}, body?: string): Promise<Raw> =>
    new Promise((resolve, reject) => {
      const authorization = `Bearer ${ada.token}`
      const options = {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization, 'accept-encoding': encoding, ...headers },
      }
      const call = sent(product.base + path, options, (response) => {
        buffer(response).then(
          (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
          reject,
        )
      })
      call.on('error', reject)
      call.end(body)
    })
  const list = (encoding: string) =>
    raw('/v1/campaign/list/v2', encoding, { 'content-type': 'application/json' }, JSON.stringify({ page_size: 100 }))

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['zstd', undefined],
    ['', undefined],
  ])('a list is sent to a caller that accepts "%s" as %s', async (accepted, encoding) => {
    const { headers, body } = await list(accepted)
    expect(headers['content-encoding']).toBe(encoding)
    const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
    expect(JSON.parse(plain.toString()).data.data.length).toBeGreaterThan(5)
    if (encoding === undefined) return
    expect(body.length).toBeLessThan(plain.length / 3)
    expect(headers.vary).toBe('accept-encoding')
  })

  it('a short answer is sent as it is', async () => {
    const { headers } = await raw('/v1/guide', 'br')
    expect(headers['content-encoding']).toBeUndefined()
  })

  it.each(['/v1/geo/country?language=ru', '/openapi.json'])('%s answers 304 to the tag of any encoding', async (path) => {
    const [brotli, plain] = await Promise.all([raw(path, 'br'), raw(path, 'identity')])
    expect([brotli.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['br', undefined])
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
    expect(brotli.headers.etag).toBe(plain.headers.etag)
    expect(brotli.headers.etag).toMatch(/^W\//)
    for (const { headers } of [brotli, plain]) expect(headers.vary?.toLowerCase()).toBe('accept-encoding')
    const again = await raw(path, 'br', { 'if-none-match': String(brotli.headers.etag) })
    expect([again.status, again.body.length, again.headers['content-encoding']]).toEqual([304, 0, undefined])
  })

  it('files and their ranges are sent as they are', async () => {
    const script = 'text();'.repeat(900)
    const zip = bannerZip({ files: { 'index.html': '<!doctype html><script src="text.js"></script>', 'text.js': script } })
    const { data } = await sendFile(product.base, ada.token, '/v1/file/upload2?width=300&height=250', zip, 'banner.zip')
    const path = new URL('text.js', new URL(String(data['preview_url']), product.base)).pathname
    const frame = { 'sec-fetch-dest': 'script' }
    const whole = await raw(path, 'br, gzip', frame)
    expect([whole.headers['content-encoding'], whole.body.length]).toEqual([undefined, script.length])
    const part = await raw(path, 'br, gzip', { ...frame, range: 'bytes=0-1999' })
    expect([part.status, part.headers['content-encoding'], part.body.toString()]).toEqual([206, undefined, script.slice(0, 2000)])
  })

  it('event streams are sent as they are, at once', async () => {
    const [encoding, text] = await new Promise<[string | undefined, string]>((resolve, reject) => {
      const headers = { authorization: `Bearer ${ada.token}`, 'accept-encoding': 'br, gzip' }
      sent(`${product.base}/v1/stream`, { headers }, (response) =>
        response.once('data', (chunk: Buffer) => {
          resolve([response.headers['content-encoding'], chunk.toString()])
          response.destroy()
        }),
      )
        .on('error', reject)
        .end()
    })
    expect(encoding).toBeUndefined()
    expect(text).toContain('event: ready')
  })

  it('the scripts of the viewer are compressed', async () => {
    const { headers, body } = await raw('/docs/static/swagger-ui.css', 'gzip')
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(body).toString()).toContain('.swagger-ui')
  })
})

describe('answers with secrets', () => {
  it('answers with secrets are never compressed, whatever their length', async () => {
    const app = fastify()
    await installCompression(app)
    const described = { method: 'GET', access: 'public', summary: '', reads: [], output: z.string() } as const
    const guards = {
      identify: async () => ({ kind: 'anonymous' }),
      newId: () => 'id',
      whiteLabelOf: () => null,
      reveal: async (data: unknown) => data,
      asAsker: (_: unknown, work: () => unknown) => work(),
      wait: (work: () => unknown) => work(),
      attempt: (work: () => unknown) => work(),
      isLogAway: () => false,
    } as unknown as HttpGuards
    const answer = async () => 'text'.repeat(1000)
    register(app, guards, endpoint({ ...described, id: 'a', path: '/open' }), answer)
    register(app, guards, endpoint({ ...described, id: 'b', path: '/secret', secret: true }), answer)
    const encodingOf = async (url: string) =>
      (await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })).headers['content-encoding']
    expect([await encodingOf('/open'), await encodingOf('/secret')]).toEqual(['br', undefined])
    await app.close()
  })

  it('answers with secrets are all marked in the contract', () => {
    type Described = { readonly components: { readonly schemas: Record<string, object> } }
    const { components } = openApi(AREAS, '') as Described
    const holding = ENDPOINTS.filter(({ id }) => {
      const name = `${id.replaceAll(/(?:^|[.-])(\w)/g, (_, letter: string) => letter.toUpperCase())}Answer`
      const text = JSON.stringify(components.schemas[name] ?? {})
      return /"(access_token|refresh_token|secret|recovery_codes)":|schemas\/Tokens"/.test(text)
    })
    expect(holding.length).toBeGreaterThan(6)
    expect(holding.filter(({ secret }) => secret !== true).map(({ id }) => id)).toEqual([])
  })
})
