import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFileTokens } from '#commands/files/file-tokens'
import { bannerZip } from '../support/media/banner-zip.ts'
import {
  eventually,
  png,
  publishable,
  sendFile,
  sessionOf,
  startTestProduct,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'

type Banner = { readonly file_id: string; readonly url: string }
type WithBanners = Campaignish & { readonly visuals: { readonly banners: readonly Banner[] } }

const PHISHING =
  '<!doctype html><form><input name="p" type="password"></form><script>new Image().src="/v1/pixel.gif?key=x"</script>'
const FRAME = { 'sec-fetch-dest': 'iframe' }

describe('a file that no review has approved', () => {
  let product: TestProduct
  let [ada, bola, moderator, owner]: Session[] = []
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, bola, moderator, owner] = await Promise.all(
      ['ada@nile.example', 'bola@lagos.example', 'moderator@dsp.example', 'owner@dsp.example'].map(product.as),
    )
  })
  afterAll(() => product.stop())
  const of = (session: Session | undefined): Session => session ?? sessionOf(product.base, '')
  const get = (path: string, headers: Record<string, string> = {}) => fetch(product.base + path, { headers })
  const statusOf = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).status
  const bearer = (session: Session | undefined) => ({ authorization: `Bearer ${of(session).token}` })
  const uploaded = async (zip: Buffer) =>
    (await sendFile(product.base, of(ada).token, '/v1/file/upload2?width=300&height=250', zip, 'banner.zip')).data
  const html = (files: Record<string, string | Buffer> = { 'index.html': PHISHING }) => uploaded(bannerZip({ files }))
  const plainBanner = (id: string, entry = 'index.html') => `/v1/file/banner/${id}/${entry}`

  // covers FP-72
  it('opens with the address of an answer and to users who may read it, and for no other request', async () => {
    const { file_id, file_url } = await uploaded(await png(300, 250))
    const plain = `/v1/file/cache/${file_id}`
    expect(file_url).not.toBe(plain)
    const answer = await get(file_url)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=31536000, immutable'])
    for (const session of [ada, moderator, owner]) expect(await statusOf(plain, bearer(session))).toBe(200)
    expect([await statusOf(plain), await statusOf(plain, bearer(bola))]).toEqual([404, 404])
    const service = { authorization: 'Bearer placard_svc_unknown' }
    expect(await statusOf(plain, service)).toBe(401)
  })

  it.each([
    ['another file', (id: string, token: string) => `/v1/file/cache/${id}?token=${token}`],
    ['a banner of another file', (id: string, token: string) => plainBanner(id, `~${token}/index.html`)],
  ])('does not open with the token of %s', async (_, address) => {
    const [one, other] = [await html(), await html({ 'index.html': `${PHISHING} ` })]
    const token = new URL(one.file_url, product.base).searchParams.get('token') ?? ''
    expect(await statusOf(address(one.file_id, token), FRAME)).toBe(200)
    expect(await statusOf(address(other.file_id, token), FRAME)).toBe(404)
    for (const forged of [`${token}x`, token.replace(/^\d+/, '99999999999'), '1.x', '', '.'])
      expect([forged, await statusOf(address(one.file_id, forged), FRAME)]).toEqual([forged, 404])
  })

  // covers FP-72
  it('a file that no review has approved has addresses that end after half an hour, and stay equal for some minutes', () => {
    let time = Date.parse('2026-11-25T10:02:00.000Z')
    const tokens = createFileTokens({ secret: 's', now: () => time, reviewedOf: async () => [] })
    const token = tokens.tokenOf('f')
    time += 60_000
    expect(tokens.tokenOf('f')).toBe(token)
    time += 20 * 60_000
    expect([tokens.isGood('f', token), tokens.isGood('g', token)]).toEqual([true, false])
    time += 10 * 60_000
    expect(tokens.isGood('f', token)).toBe(false)
    expect(createFileTokens({ secret: 't', now: () => time, reviewedOf: async () => [] }).isGood('f', tokens.tokenOf('f'))).toBe(
      false,
    )
  })

  // covers FP-72
  it('opens to everybody when a moderator approves it, and not by a save, a submission or a rejection', async () => {
    const body = await publishable(product.base, of(ada))
    const plain = `/v1/file/cache/${body.visuals.banners[0]?.file_id}`
    const { data } = await of(ada).call<WithBanners>('POST', '/v1/campaign', body)
    expect(await statusOf(plain)).toBe(404)
    const submit = async () => (await of(ada).call('POST', '/v1/campaign/saveAndPublish', { id: data.id })).data
    const decide = (verdict: string, { moderation_start_at }: Campaignish) =>
      of(moderator).call('POST', `/v1/whitelabel/admin/campaign/${verdict}`, {
        campaign_id: data.id,
        moderation_start_at,
        comment: 'Checked',
      })
    const first = await submit()
    const seen = await eventually(
      () => of(moderator).call<WithBanners>('GET', `/v1/campaign/${data.id}`),
      ({ code }) => code === 0,
    )
    expect(await statusOf(seen.data.visuals.banners[0]?.url ?? '')).toBe(200)
    expect((await decide('reject', first)).code).toBe(0)
    expect(await statusOf(plain)).toBe(404)
    await of(ada).call('PUT', '/v1/campaign', { id: data.id, product_url: 'https://nile.example/other' })
    expect((await decide('approve', await submit())).code).toBe(0)
    const shown = await get(plain)
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    const read = await of(ada).call<WithBanners>('GET', `/v1/campaign/${data.id}`)
    expect(read.data.visuals.banners[0]?.url).toBe(plain)
  })

  it('a file that no review has approved that replaces an approved one stays closed until it is approved too', async () => {
    const [old, replacement] = [await publishable(product.base, of(ada)), await uploaded(await png(300, 250))]
    const { id } = (await of(ada).call('POST', '/v1/campaign', old)).data
    const { moderation_start_at } = (await of(ada).call('POST', '/v1/campaign/saveAndPublish', { id })).data
    await of(moderator).call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id, moderation_start_at })
    const banner = { width: 300, height: 250, file_id: replacement.file_id, creative_name: 'new' }
    expect((await of(ada).call('POST', '/v1/campaign/saveAndPublish', { id, visuals: { banners: [banner] } })).code).toBe(0)
    expect(await statusOf(`/v1/file/cache/${old.visuals.banners[0]?.file_id}`)).toBe(200)
    expect(await statusOf(`/v1/file/cache/${replacement.file_id}`)).toBe(404)
  })

  describe('an HTML banner that no review has approved', () => {
    // covers FP-72
    it.each([['document'], ['object'], ['embed'], ['empty'], ['image'], [undefined]])(
      'answers a notice instead of its page to Sec-Fetch-Dest %s',
      async (dest) => {
        const { preview_url } = await html()
        const answer = await get(String(preview_url), dest === undefined ? {} : { 'sec-fetch-dest': dest })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'application/json; charset=utf-8'])
        expect(await answer.text()).not.toContain('<form')
      },
    )

    it.each([['picture.svg'], ['page.xml'], ['sub/other.htm']])('does not open its %s as a page either', async (entry) => {
      const { preview_url } = await html({ 'index.html': PHISHING, [entry]: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
      const path = String(preview_url).replace('index.html', entry)
      expect([await statusOf(path), await statusOf(path, { 'sec-fetch-dest': 'document' })]).toEqual([403, 403])
    })

    it('an HTML banner that no review has approved may load files of its own folder alone', async () => {
      const { file_id, preview_url } = await html()
      const answer = await get(String(preview_url), FRAME)
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(answer.status).toBe(200)
      expect(policy).toMatch(/^sandbox allow-scripts;/)
      expect(policy).toContain("form-action 'none'")
      expect(policy).not.toMatch(/'self'|https?:(\s|;|$)|\*/)
      const { host } = new URL(product.base)
      for (const directive of ['img-src', 'script-src', 'style-src', 'font-src', 'media-src'])
        expect(new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]).toContain(`${host}/v1/file/banner/${file_id}/`)
    })
  })

  it('a file that no review has approved cannot carry anything out by opening the pixel in its frame', async () => {
    const { data } = await of(ada).call<{ key: string }>('GET', '/v1/events/pixel-key')
    const outcome = async (dest: string) =>
      (await get(`/v1/pixel.gif?key=${data.key}&name=stolen`, { 'sec-fetch-dest': dest })).headers.get('x-placard-event')
    for (const dest of ['iframe', 'document', 'object'])
      expect([dest, await outcome(dest)]).toEqual([dest, expect.stringMatching(/^refused/)])
    expect(await outcome('image')).toBe('stored')
  })
})
