import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProduct, type TestProduct } from '../support/product.ts'

/** Regressions found by fuzzing. */
describe('cases found by fuzzing', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
  })
  afterAll(() => product.stop())

  const tokenOf = async (email: string): Promise<string> => (await product.as(email)).token
  const send = async (path: string, token: string, init: RequestInit = {}) => {
    const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
    const answer = await fetch(product.base + path, { ...init, headers: { ...authorization, ...init.headers } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const codeOf = (text: string): number => JSON.parse(text).type.code

  // covers FP-4
  it('refuses an unreadable body with 401 without a token and with 403 for a wrong role', async () => {
    const clerk = await tokenOf('clerk@nile.example')
    for (const [type, body] of [
      ['application/json', '{"id":'],
      ['application/xml', '<id/>'],
      ['application/json', `"${'x'.repeat(1_100_000)}"`],
    ] as const) {
      const request = { method: 'PUT', headers: { 'content-type': type }, body }
      const anonymous = await send('/v1/campaign', '', request)
      expect([anonymous.status, codeOf(anonymous.text)]).toEqual([401, 401])
      const wrongRole = await send('/v1/campaign', clerk, request)
      expect([wrongRole.status, codeOf(wrongRole.text)]).toEqual([403, 3])
    }
  })

  it('answers an unreadable address with the envelope', async () => {
    const owner = await tokenOf('owner@dsp.example')
    for (const [path, status] of [
      ['/v1/campaign/%ff', 400],
      [`/v1/campaign/${'x'.repeat(600)}`, 414],
    ] as const) {
      const answer = await send(path, owner)
      expect([answer.status, codeOf(answer.text)]).toEqual([status, 2])
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.text).not.toContain('FST_')
    }
  })

  it('documents status 206 of a partial file', async () => {
    type Document = { readonly paths: Record<string, { readonly get: { readonly responses: object } }> }
    const document: Document = JSON.parse((await send('/openapi.json', '')).text)
    for (const path of ['/v1/file/cache/{id}', '/v1/file/banner/{id}/{path}'])
      expect(Object.keys(document.paths[path]?.get.responses ?? {})).toContain('206')
  })

  it('answers a truncated upload with 400', async () => {
    const token = await tokenOf('ada@nile.example')
    const ada = await product.as('ada@nile.example')
    const { data } = await ada.call<{ space_id: string }>('GET', '/v1/user/me')
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf of'
    const before = await product.stored()
    for (const path of ['/v1/file/upload2?width=300&height=250', `/v1/campaign/whitelist/${data.space_id}`]) {
      const answer = await send(path, token, { method: 'POST', headers, body })
      expect([answer.status, codeOf(answer.text)]).toEqual([400, 2])
    }
    expect(await product.stored()).toEqual(before)
  })

  it('resolves every reference of the OpenAPI document', async () => {
    const { text } = await send('/openapi.json', '')
    const at = (place: unknown, key: string): unknown =>
      typeof place === 'object' && place !== null ? new Map<string, unknown>(Object.entries(place)).get(key) : undefined
    const found = (reference: string): unknown => reference.slice(2).split('/').reduce<unknown>(at, JSON.parse(text))
    const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
    expect(references.length).toBeGreaterThan(0)
    expect([...new Set(references)].filter((reference) => found(reference) === undefined)).toEqual([])
  })

  it('returns all keys of images and videos that were sent in part', async () => {
    const ada = await product.as('ada@nile.example')
    const saved = await ada.call<Record<string, unknown>>('POST', '/v1/campaign', {
      name: 'Sent in part',
      country: 'EG',
      bidding_strategy: { type: 'awareness' },
      dynamic_ad: { creative_name: 'a', logos: [{ index: 0, file_id: '' }], images: null },
      native_ad: { creative_name: 'b', images: [{ width: 1200, height: 627 }], logo: { width: 128, height: 128 }, video: {} },
      video_ad: { creative_name: 'c', video: { name: 'd' }, companion_banners: [{ width: 300, height: 60, url: '/e' }] },
    })
    expect([saved.status, saved.code]).toEqual([200, 0])
    expect(saved.data).toMatchObject({
      dynamic_ad: { logos: [{ index: 0, file_id: '', url: null }], images: [] },
      native_ad: {
        images: [{ width: 1200, height: 627, file_id: null, url: null }],
        logo: { width: 128, height: 128, file_id: null, url: null },
        video: { url: null, fileId: null, filename: null, size: null, duration: null },
      },
      video_ad: {
        video: { file_id: null, name: 'd', url: null, size: null, duration: null, width: null, height: null },
        companion_banners: [{ width: 300, height: 60, file_id: null, url: null }],
      },
    })
  })
})
