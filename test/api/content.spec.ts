import { withoutToken } from '#domain/campaign/content/file-addresses'
import { beforeAll, describe, expect, it } from 'vitest'
import { mp3 } from '../support/media/mp3.ts'
import { mp4 } from '../support/media/mp4.ts'
import { bannerZip } from '../support/media/banner-zip.ts'
import { png, publishable, sendFile, sharedProduct, type Session, type TestProduct } from '../support/product.ts'

type Body = Readonly<Record<string, unknown>>

/** The part of `answer` at the paths that `sent` has: a save may answer with more than was sent. */
function partOf(answer: unknown, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((inner, i) => partOf((answer as readonly unknown[] | undefined)?.[i], inner))
  if (typeof sent !== 'object' || sent === null) return answer
  return Object.fromEntries(Object.entries(sent).map(([key, inner]) => [key, partOf((answer as Body | undefined)?.[key], inner)]))
}

describe('saving a campaign', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let id = ''
  const files: Record<string, string> = {}
  const bytesOf: Record<string, number> = {}
  beforeAll(async () => {
    product = await sharedProduct('external')
    ;[ada, owner] = await Promise.all([product.as('ada@nile.example'), product.as('owner@dsp.example')])
    const upload = async (name: string, path: string, bytes: Uint8Array) => {
      const { data } = await sendFile(product.base, ada.token, path, bytes)
      files[name] = data.file_id
      bytesOf[name] = bytes.length
    }
    await Promise.all([
      upload('companion', '/v1/file/upload3', await png(300, 250)),
      upload('film', '/v1/file/video', mp4({ width: 640, height: 360, seconds: 12 })),
      upload('track', '/v1/file/audio', mp3({ seconds: 20 })),
      upload('zip', '/v1/file/upload2?width=320&height=50', bannerZip({})),
    ])
    id = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada, { country: 'NG' }))).data.id
  })

  const urlOf = (name: string): string => `/v1/file/cache/${files[name]}`

  /** Saves and reads the campaign back. */
  async function readBack(body: Body): Promise<Body> {
    const saved = await ada.call<Body>('PUT', '/v1/campaign', { id, ...body })
    expect(saved.code, JSON.stringify(saved.data)).toBe(0)
    return withoutTokens((await ada.call<Body>('GET', `/v1/campaign/${id}`)).data)
  }
  /** The files are not reviewed yet: their addresses have tokens. */
  const withoutTokens = <T>(read: T): T =>
    JSON.parse(JSON.stringify(read), (_, part: unknown) => (typeof part === 'string' ? withoutToken(part) : part))

  /** Saves and reads back; the answer of the save must equal the read. */
  async function kept(session: Session, body: Body): Promise<Body> {
    const saved = await session.call<Body>('PUT', '/v1/campaign', { id, ...body })
    expect(saved.code, JSON.stringify(saved.data)).toBe(0)
    const { data } = await session.call<Body>('GET', `/v1/campaign/${id}`)
    expect(partOf(saved.data, body)).toEqual(partOf(data, body))
    return data
  }

  // covers CAM-API-06 CAM-API-07
  it('answers what a read answers', async () => {
    const body = { name: 'Весна 2026 🌍', budget: 123.45, frequency_cap: { '1': 3 }, campaign_start_at: '2030-05-01' }
    const data = await kept(ada, body)
    expect(data).toMatchObject({ ...body, campaign_start_at: '2030-04-30T23:00:00.000Z' })
  })

  it.each<[string, Body]>([
    ['city', { city_ids: ['2643743'] }], // covers CAM-ERR-31
    ['app', { apps: { includeAny: ['no-such-app'] } }],
    ['audience', { segment_audiences: { include: ['0198a000-0000-7000-8000-000000000001'] } }],
  ])('refuses targeting by an unknown %s with 131', async (_, targeting) => {
    const { data: before } = await ada.call<Body>('GET', `/v1/campaign/${id}`)
    expect((await ada.call('PUT', '/v1/campaign', { id, targeting })).code).toBe(131)
    expect((await ada.call<Body>('GET', `/v1/campaign/${id}`)).data['targeting']).toEqual(before['targeting'])
  })

  it('reads the properties of videos and tracks from their stored files', async () => {
    const clip = { fileId: files['film'], filename: 'n.mp4', size: 1, duration: 99 }
    const film = { file_id: files['film'], name: 'film.mp4', size: 3, duration: 1, width: 9, height: 9 }
    const data = await readBack({
      native_ad: { creative_name: 'native', video: clip },
      video_ad: { creative_name: 'film', video: film },
    })
    const known = { url: urlOf('film'), size: bytesOf['film'], duration: 12 }
    expect(data['native_ad']).toMatchObject({ video: { ...known, fileId: files['film'] } })
    expect(data['video_ad']).toMatchObject({ video: { ...known, file_id: files['film'], width: 640, height: 360 } })
    const created = await ada.call<Body>('POST', '/v1/campaign', {
      name: 'Spoken',
      country: 'NG',
      bidding_strategy: { type: 'other' },
      audio_ads: [{ file_id: files['track'], name: 'spot', size: 99 }],
    })
    const spoken = await ada.call<Body>('GET', `/v1/campaign/${String(created.data['id'])}`)
    const [track] = withoutTokens(spoken.data['audio_ads']) as readonly Body[]
    const size = Math.round(((bytesOf['track'] ?? 0) / 1_048_576) * 100) / 100
    expect(track).toMatchObject({ fileId: files['track'], url: urlOf('track'), extension: 'mp3', size })
  })

  it('keeps banners of images and archives', async () => {
    const banners = [
      { width: 300, height: 250, file_id: files['companion'], creative_name: 'image' },
      { width: 320, height: 50, file_id: files['zip'], creative_name: 'archive' },
    ]
    const data = await readBack({ visuals: { banners } })
    expect(data['visuals']).toMatchObject({
      banners: banners.map((banner, n) => ({ ...banner, url: urlOf(n === 0 ? 'companion' : 'zip') })),
    })
  })

  it('keeps fields of the owner, and neither shows them to advertisers nor lets them change them', async () => {
    const body = { margin: 12, deal_link: 'https://deal.example/1', bid_multipliers: [{ key: 'os:android', value: 1.1 }] }
    await kept(owner, body)
    const seen = await ada.call<Body>('GET', `/v1/campaign/${id}`)
    for (const key of Object.keys(body)) expect(seen.data).not.toHaveProperty(key)
    expect((await ada.call('PUT', '/v1/campaign', { id, margin: null, deal_link: null, bid_multipliers: null })).code).toBe(0)
    expect((await owner.call<Body>('GET', `/v1/campaign/${id}`)).data).toMatchObject(body)
  })
})
