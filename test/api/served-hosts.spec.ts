import { request } from 'node:http'
import fastify from 'fastify'
import type { Logger } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseOtherHosts } from '#api/http/served-hosts'
import { PASSWORD, startTestProduct, type TestProduct } from '../support/product.ts'

type Answer = { readonly status: number; readonly text: string }

/** A request with any Host and headers, which `fetch` would not send. */
function send(base: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  const form = body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    request(base + path, { method, headers: { ...form, ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end(body)
  })
}

const CREDENTIALS = new URLSearchParams({ grant_type: 'password', username: 'admin@dsp.example', password: PASSWORD }).toString()
const FORWARDING = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-server',
  'forwarded',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
]

describe('the demo', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct()
  })
  afterAll(() => product.stop())
  const signIn = (headers: Record<string, string>) => send(product.base, '/v1/oauth/token', headers, CREDENTIALS)

  // covers FP-71
  it('lets its people sign in from this machine', async () => {
    for (const host of ['127.0.0.1:4000', 'localhost', 'dsp.localhost', '[::1]:80'])
      expect([host, (await signIn({ host })).status]).toEqual([host, 200])
  })

  // covers FP-71
  it.each(FORWARDING)('refuses its public passwords through a proxy that sets %s', async (name) => {
    expect((await signIn({ [name]: '203.0.113.9' })).status).toBe(401)
  })

  it('renews no session through a proxy', async () => {
    const { refresh_token } = JSON.parse((await signIn({})).text).data
    const body = new URLSearchParams({ refresh_token }).toString()
    expect((await send(product.base, '/v1/oauth/refresh', { 'x-real-ip': '203.0.113.9' }, body)).status).not.toBe(200)
    expect((await send(product.base, '/v1/oauth/refresh', {}, body)).status).toBe(200)
  })

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '10.0.0.1', 'dsp.example:3000'])(
    'the demo is not served to a page that points the name %s at this machine',
    async (host) => {
      for (const path of ['/', '/v1/whitelabel/info', '/openapi.json', '/assets/x.js'])
        expect([path, (await send(product.base, path, { host })).status]).toEqual([path, 421])
      expect((await signIn({ host })).status).toBe(421)
      expect((await send(product.base, '/health/ready', { host })).status).toBe(200)
    },
  )

  it('shows /metrics on loopback names only', async () => {
    const metrics = async (headers: Record<string, string>) => (await send(product.base, '/metrics', headers)).status
    expect(await metrics({ host: 'localhost:3000' })).toBe(200)
    for (const headers of [{ host: 'ads.example' }, { host: '10.0.0.1' }, { 'x-forwarded-server': 'proxy' }])
      expect([headers, await metrics(headers)]).toEqual([headers, 403])
  })
})

describe('an installation with a public address', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({
      PLACARD_PUBLIC_URL: 'https://ads.example',
      PLACARD_CONTENT_ORIGIN: 'https://content.example',
    })
  })
  afterAll(() => product.stop())
  const statusOn = async (host: string, path = '/v1/whitelabel/info') => (await send(product.base, path, { host })).status

  it('serves its host, those of its white-labels, and this machine', async () => {
    for (const host of ['ads.example', 'ADS.example:443', 'ng.ads.example', 'tn.test.ads.example', '127.0.0.1', 'ng.localhost'])
      expect([host, await statusOn(host)]).toEqual([host, 200])
    expect(await statusOn('content.example', '/v1/file/cache/none')).toBe(404)
  })

  it.each(['evil.example', 'evil.ads.example', 'ads.example.evil.example', 'ng.evil.example', 'badads.example', '10.0.0.1'])(
    'refuses the host %s',
    async (host) => {
      expect(await statusOn(host)).toBe(421)
      expect(await statusOn(host, '/campaigns')).toBe(421)
      expect(await statusOn(host, '/health/live')).toBe(200)
    },
  )
})

describe('a request through a proxy that is not trusted', () => {
  async function warningsOf(trustProxy: number | null, ...sent: readonly Record<string, string>[]) {
    const warnings: string[] = []
    const app = fastify()
    const config = { publicOrigin: null, contentOrigin: null, host: '127.0.0.1', demo: false, trustProxy }
    const logger = { warn: (line: string) => warnings.push(line) } as unknown as Logger
    refuseOtherHosts(app, { config, logger, whiteLabels: { find: () => null } })
    for (const headers of sent) await app.inject({ url: '/', headers })
    return warnings
  }
  const [forwarded, direct] = [{ 'x-forwarded-for': '203.0.113.9' }, { accept: 'text/html' }]

  it('a request through a proxy that is not trusted is warned of once, with the setting that is missing', async () => {
    const warnings = await warningsOf(null, direct, forwarded, forwarded)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/x-forwarded-for.*PLACARD_TRUST_PROXY/)
  })

  it('a request through a proxy that is not trusted is not warned of without a forwarding header, or where a proxy is trusted', async () => {
    expect(await warningsOf(null, direct)).toEqual([])
    expect(await warningsOf(1, forwarded)).toEqual([])
  })
})
