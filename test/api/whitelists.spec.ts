import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const DOMAINS = 'news.example\ncom.nile.travel\nпример.рф\n'

describe.each([
  ['space', '/v1/campaign/whitelists', '/v1/campaign/whitelist'],
  ['campaign', '/v1/campaign/campaign-whitelists', '/v1/campaign/campaign-whitelist'],
] as const)('whitelists of a %s', (kind, lists, one) => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let moderator: Session
  let id = ''
  let made = 0
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, bola, moderator] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('bola@lagos.example'),
      product.as('moderator@dsp.example'),
    ])
  })
  afterAll(() => product.stop())
  beforeEach(async () => {
    made += 1
    const campaign = await ada.call(
      'POST',
      '/v1/campaign',
      await publishable(product.base, ada, { name: `Lists ${kind} ${made}` }),
    )
    const me = await ada.call<{ readonly space_id: string }>('GET', `/v1/campaign/${campaign.data.id}`)
    id = kind === 'campaign' ? campaign.data.id : me.data.space_id
    for (const { name } of await listed()) await ada.call('DELETE', `${one}/${id}/${encodeURIComponent(name)}`)
  })

  type Entry = { readonly name: string; readonly size: number }
  const listed = async (): Promise<readonly Entry[]> => (await ada.call<readonly Entry[]>('GET', `${lists}/${id}`)).data

  async function upload(name: string, content: string | Uint8Array, by = ada) {
    const form = new FormData()
    form.append('name', name)
    form.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), 'list.csv')
    const headers = { authorization: `Bearer ${by.token}` }
    const response = await fetch(`${product.base}${one}/${id}`, { method: 'POST', body: form, headers })
    const { type, data } = await response.json()
    // Clients send the position back, so the uploading user reads the result.
    const position = response.headers.get('x-position')
    if (position !== null) await by.call('GET', `/v1/campaign/${id}`, undefined, { 'x-position': position })
    return { status: response.status, code: type.code, message: type.message, data }
  }
  const download = (name: string, by = ada) =>
    fetch(`${product.base}${one}/${id}/${encodeURIComponent(name)}`, { headers: { authorization: `Bearer ${by.token}` } })

  async function comesAndGoes(name: string) {
    const sent = await upload(name, DOMAINS)
    expect([sent.code, sent.data]).toMatchObject([0, [{ name, size: Buffer.byteLength(DOMAINS) }]])
    expect(await listed()).toMatchObject([{ name }])
    const response = await download(name)
    expect(response.headers.get('filename')).toBe(encodeURIComponent(name))
    expect(response.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await response.text(), 'base64').toString()).toBe(DOMAINS)
    if (kind === 'campaign') expect((await ada.call('GET', `/v1/campaign/${id}`)).data).toMatchObject({ has_whitelist: true })
    const removed = await ada.call('DELETE', `${one}/${id}/${encodeURIComponent(name)}`)
    expect([removed.code, removed.data]).toEqual([0, []])
    expect((await download(name)).status).toBe(404)
    if (kind === 'campaign') expect((await ada.call('GET', `/v1/campaign/${id}`)).data).toMatchObject({ has_whitelist: false })
  }

  // covers CAM-WLST-01 CAM-WLST-05..08 CAM-WLST-10..15 CAM-ENT-32
  it('whitelists return the uploaded list until it is removed', () => comesAndGoes('partners'))

  it.each([
    'a[1]', // covers CAM-WLST-09
    'список 2',
    '100 % "ours"; really',
  ])('whitelists accept the name %s', (name) => comesAndGoes(name))

  // covers CAM-WLST-02
  it('whitelists accept five of six concurrent uploads', async () => {
    const codes = await Promise.all([1, 2, 3, 4, 5, 6].map(async (n) => (await upload(`list ${n}`, DOMAINS)).code))
    expect(codes.filter((code) => code === 0)).toHaveLength(5)
    expect(codes.filter((code) => code === 2)).toHaveLength(1)
    expect(await listed()).toHaveLength(5)
  })

  // covers CAM-WLST-03 CAM-WLST-04 FP-26
  it('whitelists refuse a file of 10,485,760 bytes and accept one byte less', async () => {
    const large = await upload('large', Buffer.alloc(10_485_760, 'a'))
    expect([large.status, large.code]).toEqual([413, 181])
    expect(JSON.stringify(large)).toContain('File size should be less than 10MB')
    expect(await listed()).toEqual([])
    expect((await upload('large', Buffer.alloc(10_485_759, 'a'))).code).toBe(0)
  })

  it('whitelists refuse a missing or repeated name, an empty list and a file that is not text, and store nothing', async () => {
    await upload('once', DOMAINS)
    for (const [name, content, key] of [
      ['', DOMAINS, 'required'],
      ['x'.repeat(301), DOMAINS, 'maxLength'],
      ['once', 'other.example', 'whitelistTaken'],
      ['empty', '', 'required'],
      ['bytes', Buffer.concat([Buffer.from([0xff, 0xfe]), randomBytes(100)]), 'whitelistText'],
      ['nul', 'a\0b', 'whitelistText'],
    ] as const) {
      const { code, data } = await upload(name, content)
      expect([name, code, data.errors[0].key]).toEqual([name, 2, key])
    }
    expect(await listed()).toMatchObject([{ name: 'once', size: Buffer.byteLength(DOMAINS) }])
    const form = await ada.call('POST', `${one}/${id}`, { name: 'x' })
    expect(form.code).toBe(2)
  })

  it('whitelists are hidden from other advertisers, and read-only for a moderator', async () => {
    await upload('ours', DOMAINS)
    const missing = kind === 'space' ? 110 : 130
    expect((await bola.call('GET', `${lists}/${id}`)).code).toBe(missing)
    expect((await upload('theirs', DOMAINS, bola)).code).toBe(missing)
    expect((await bola.call('DELETE', `${one}/${id}/ours`)).code).toBe(missing)
    expect((await download('ours', bola)).status).toBe(404)
    expect((await ada.call('GET', `${lists}/nothing`)).code).toBe(missing)
    expect((await download('ours', moderator)).status).toBe(200)
    expect((await upload('theirs', DOMAINS, moderator)).status).toBe(403)
    expect(await listed()).toMatchObject([{ name: 'ours' }])
  })

  it.runIf(kind === 'campaign')('whitelists of an archived campaign can neither be added nor removed', async () => {
    await upload('early', DOMAINS)
    await ada.call('POST', '/v1/campaign/archive/toggle', id)
    expect((await upload('late', DOMAINS)).code).toBe(134)
    expect((await ada.call('DELETE', `${one}/${id}/early`)).code).toBe(134)
    expect(await listed()).toMatchObject([{ name: 'early' }])
  })

  it.runIf(kind === 'campaign')('whitelists set has_whitelist by uploads alone, not by a save, copy or restore', async () => {
    type Flagged = { readonly id: string; readonly has_whitelist: boolean; readonly revision: number }
    const said = async (of = id) => (await ada.call<Flagged>('GET', `/v1/campaign/${of}`)).data.has_whitelist
    expect((await ada.call<Flagged>('PUT', '/v1/campaign', { id, has_whitelist: true })).data.has_whitelist).toBe(false)
    await upload('partners', DOMAINS)
    expect((await ada.call<Flagged>('PUT', '/v1/campaign', { id, has_whitelist: false, budget: 61 })).data.has_whitelist).toBe(
      true,
    )
    const copied = await ada.call<Flagged>('POST', '/v1/campaign', { replicated_from: id, has_whitelist: true })
    expect([copied.code, copied.data.has_whitelist]).toEqual([0, false])
    expect((await ada.call('POST', `/v1/campaign/${id}/restore`, { revision: 1 })).code).toBe(0)
    expect(await said()).toBe(true)
    // The revision of the upload contains nothing that can be undone.
    expect((await ada.call('POST', `/v1/campaign/${id}/undo`, { revision: 2 })).code).toBe(0)
    expect(await said()).toBe(true)
    expect(await listed()).toMatchObject([{ name: 'partners' }])
  })
})
