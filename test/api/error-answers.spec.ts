import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENDPOINTS } from '#api/areas/index'
import { installErrors } from '#api/http/envelope'
import { sendCsv, streamCsv } from '#api/http/csv'
import { startTestProduct, type TestProduct } from '../support/product.ts'

/** Headers by which a cache would keep an error, or take it for the content that was asked for. */
const kept = (headers: Headers): readonly string[] =>
  ['etag', 'last-modified', 'expires', 'accept-ranges', 'content-disposition'].filter((name) => headers.has(name))

describe('an error', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({ LOG_LEVEL: 'silent' })
  })
  afterAll(() => product.stop())

  it('an error of any call is never kept by a cache', async () => {
    const owner = await product.as('owner@dsp.example')
    const places = ['/nowhere.png', '/v1/nowhere', '/v1/%ff', '/metrics', '/assets/none.js', '/docs/none']
    const calls = [...ENDPOINTS.map(({ method, path }) => ({ method, path })), ...places.map((path) => ({ method: 'GET', path }))]
    const wrong: string[] = []
    let errors = 0
    for (const { method, path } of calls)
      for (const token of ['', owner.token]) {
        const url = product.base + path.replaceAll(/:\w+|\*/g, 'none')
        const stop = new AbortController()
        const answer = await fetch(url, {
          method,
          signal: stop.signal,
          headers: {
            'x-forwarded-for': '192.0.2.1',
            'x-position': 'wrong',
            ...(token && { authorization: `Bearer ${token}` }),
            ...(method !== 'GET' && { 'content-type': 'application/json' }),
          },
          ...(method !== 'GET' && { body: '{"id":' }),
        })
        stop.abort()
        if (answer.status < 400) continue
        errors += 1
        const { headers, status } = answer
        if (headers.get('cache-control') !== 'no-store' || kept(headers).length > 0)
          wrong.push(`${method} ${path}: ${status}, ${headers.get('cache-control')}, ${kept(headers).join(' ')}`)
      }
    expect(wrong).toEqual([])
    expect(errors).toBeGreaterThan(ENDPOINTS.length)
  })

  it('an error before the first line of a file carries none of its headers', async () => {
    const app = fastify()
    installErrors(app)
    app.get('/csv', (_request, reply) => {
      void reply.headers({ ETag: '"1"', 'Cache-Control': 'private, max-age=60', 'Content-Range': 'bytes 0-1/2' })
      const failing = (async function* (): AsyncGenerator<readonly (readonly string[])[]> {
        yield* []
        throw new Error('broken')
      })()
      return sendCsv(reply, 'file.csv', streamCsv(['a'], failing))
    })
    app.get('/stream', (_request, reply) => reply.header('ETag', '"1"').send(Readable.from([])))
    const { headers, statusCode } = await app.inject('/csv')
    expect(statusCode).toBe(500)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    for (const name of ['etag', 'content-disposition', 'content-range']) expect(headers).not.toHaveProperty(name)
    expect((await app.inject('/stream')).headers.etag).toBe('"1"')
    await app.close()
  })
})
