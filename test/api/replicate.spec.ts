import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Body = Readonly<Record<string, unknown>>
type Copy = Body & {
  readonly id: string
  readonly space_id: string
  readonly visuals: { readonly banners: readonly { readonly id: string; readonly file_id: string }[] }
}

describe('a copy of a campaign', () => {
  let product: TestProduct
  let ada: Session
  let bola: Session
  let owner: Session
  let moderator: Session
  let lagos = ''
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, bola, owner, moderator] = (await Promise.all(
      ['ada@nile', 'bola@lagos', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session, Session]
    lagos = (await bola.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(() => product.stop())

  const make = async (over: Body = {}) => {
    const { data } = await ada.call<Copy>(
      'POST',
      '/v1/campaign',
      await publishable(product.base, ada, { country: 'NG', ...over }),
    )
    return data
  }
  const copy = (session: Session, body: Body) =>
    session.call<Copy & { readonly dropped: readonly string[] }>('POST', '/v1/campaign', body)

  it('a copy of a campaign has new ids for all creatives, of every kind and source', async () => {
    type Ad = { readonly id: string }
    type Ads = {
      readonly dynamic_ad: Ad
      readonly native_ad: Ad
      readonly video_ad: Ad
      readonly visuals: { readonly banners: readonly Ad[] }
    }
    const idsOf = ({ dynamic_ad, native_ad, video_ad, visuals }: Ads) =>
      [dynamic_ad, native_ad, video_ad, ...visuals.banners].map(({ id }) => id)
    const ads = {
      dynamic_ad: { company_name: 'Nile' },
      native_ad: { headline: 'Sail the Nile' },
      video_ad: { headline: 'Sail the Nile' },
    }
    const source = await make(ads)
    const first = idsOf(source as unknown as Ads)
    const copied = idsOf((await copy(ada, { replicated_from: source.id })).data as unknown as Ads)
    const own = idsOf((await copy(ada, { replicated_from: source.id, ...ads })).data as unknown as Ads)
    expect(first).toHaveLength(4)
    expect([copied.length, own.length]).toEqual([4, 4])
    const all = [...first, ...copied, ...own]
    expect(all).toEqual(all.map(() => expect.stringMatching(/^\S+$/)))
    expect(new Set(all).size).toBe(all.length)
  })

  // covers CAM-COPY-02..06 CAM-GEN-06 CAM-ENT-39
  it('a copy of a campaign has the content of the source and none of its history', async () => {
    const source = await make({
      campaign_start_at: '2030-01-01',
      frequency_cap: { '1': 2 },
      targeting: { gender: 3, city_ids: ['2332459'] },
    })
    const published = await ada.call<Copy>('POST', '/v1/campaign/saveAndPublish', { id: source.id })
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/reject', {
      campaign_id: source.id,
      comment: 'No',
      moderation_start_at: published.data['moderation_start_at'],
    })
    await owner.call('POST', `/v1/campaign/admin/${source.id}`, { margin: 7, comment: 'Noted' })
    const { data } = await copy(ada, { replicated_from: source.id })
    expect(data).toMatchObject({
      name: `${String(source['name'])} - Copy`,
      status_key: 0,
      revision: 1,
      replicated_from: source.id,
      replicated_revision: 4,
      country: 'NG',
      budget: 50,
      frequency_cap: { '1': 2 },
      targeting: { gender: 3, city_ids: ['2332459'] },
      budget_spent: 0,
      daily_budget_spent: 0,
      impressions: 0,
      clicks: 0,
      deleted_at: null,
      last_run_at: null,
      moderation_rejected_at: null,
      moderation_start_at: null,
      moderator_comment: null,
      need_moderation: false,
      intent: false,
      review: 'none',
    })
    expect(data.id).not.toBe(source.id)
    expect(data.visuals.banners[0]?.file_id).toBe(source.visuals.banners[0]?.file_id)
    expect(data.visuals.banners[0]?.id).not.toBe(source.visuals.banners[0]?.id)
    // Today in the zone of the campaign instead of the start of the source.
    expect(Math.abs(Date.parse(String(data['campaign_start_at'])) - Date.now())).toBeLessThan(2 * 86_400_000)
    // Owner fields are copied although the advertiser cannot see them.
    const headers = { 'x-position': String(data['position']) }
    expect((await owner.call<Body>('GET', `/v1/campaign/${data.id}`, undefined, headers)).data['margin']).toBe(7)
    expect((await owner.call<{ comments: unknown[] }>('GET', `/v1/campaign/admin/${data.id}`)).data.comments).toEqual([])
  })

  // covers CAM-COPY-04
  it('a copy of a campaign is a draft that never ran, although its source runs', async () => {
    const { id } = await make()
    const published = await ada.call<Copy>('POST', '/v1/campaign/saveAndPublish', { id })
    const moderation_start_at = published.data['moderation_start_at']
    await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id, moderation_start_at })
    const verdict = { status: 'approved', topics: [] }
    await owner.call('POST', '/v1/exchange/google/decisions', {
      decisions: [
        { campaign_id: id, dealsPolicyCompliance: verdict, networkPolicyCompliance: verdict, platformPolicyCompliance: verdict },
      ],
    })
    const source = await eventually(
      () => ada.call<Copy>('GET', `/v1/campaign/${id}`),
      ({ data }) => data['status_key'] === 3,
    )
    expect(source.data['last_run_at']).toEqual(expect.stringMatching(/Z$/))
    const { data } = await copy(ada, { replicated_from: id })
    expect(data).toMatchObject({ status_key: 0, review: 'none', last_run_at: null })
  })

  // covers FP-14
  it('prefers values of the body over those of the source', async () => {
    const source = await make()
    const { data } = await copy(ada, { replicated_from: source.id, name: 'Another', budget: 75, campaign_start_at: '2030-02-01' })
    expect(data).toMatchObject({ name: 'Another', budget: 75, campaign_start_at: '2030-01-31T23:00:00.000Z' })
  })

  it('a copy of a campaign in another country has the zone of that country and starts on its day', async () => {
    const source = await make()
    const { data } = await copy(ada, { replicated_from: source.id, country: 'JP' })
    expect(data).toMatchObject({ country: 'JP', timezone_offset_seconds: 32_400 })
    // Midnight in Tokyo.
    expect(String(data['campaign_start_at'])).toMatch(/T15:00:00\.000Z$/)
    const dated = await copy(ada, { replicated_from: source.id, country: 'JP', campaign_start_at: '2030-02-01' })
    expect(dated.data['campaign_start_at']).toBe('2030-01-31T15:00:00.000Z')
    const again = await copy(ada, { replicated_from: source.id, country: 'ng' })
    expect(again.data).toMatchObject({ country: 'NG', timezone_offset_seconds: 3600 })
  })

  // covers CAM-ROLE-07 FP-14
  it('a copy of a campaign by an owner may be made in another account, and names what cannot be copied', async () => {
    const source = await make()
    const { data, code } = await copy(owner, { replicated_from: source.id, space_id: lagos })
    expect([code, data.space_id, data['budget']]).toEqual([0, lagos, null])
    expect([...data.dropped].sort()).toEqual(
      ['budget', 'cpm', 'cpx', 'fixed_cpm', 'has_whitelist', 'targeting.segment_audiences', 'user_cpx'].sort(),
    )
    // The other account may use the images now.
    const kept = await bola.call<Copy>('PUT', '/v1/campaign', {
      id: data.id,
      budget: 900,
      visuals: { banners: [...data.visuals.banners, { ...data.visuals.banners[0], id: 'again' }] },
    })
    expect(kept.code).toBe(0)
  })

  it('a copy of a campaign by an advertiser stays in the account, and cannot be made of a campaign of another account', async () => {
    const source = await make()
    expect((await copy(ada, { replicated_from: source.id, space_id: lagos })).code).toBe(1420)
    expect((await copy(bola, { replicated_from: source.id })).code).toBe(130)
    expect((await copy(ada, { replicated_from: 'nothing' })).code).toBe(130)
  })

  it('a copy of a campaign as a dry run shares no file with another account', async () => {
    const source = await make()
    const before = await product.stored()
    const path = '/v1/campaign?dry_run=true'
    const dry = await owner.call<{ status_key: number }>('POST', path, { replicated_from: source.id, space_id: lagos })
    expect([dry.code, dry.data.status_key]).toEqual([0, 0])
    expect(await product.stored()).toEqual(before)
    const file_id = source.visuals.banners[0]?.file_id
    const stolen = {
      name: 'Stolen',
      country: 'NG',
      bidding_strategy: { type: 'awareness' },
      visuals: { banners: [{ width: 300, height: 250, file_id }] },
    }
    expect((await bola.call('POST', '/v1/campaign', stolen)).code).toBe(132)
  })

  it('gets a name of its own among five concurrent copies', async () => {
    const source = await make()
    const copies = await Promise.all(
      Array.from({ length: 5 }, () => ada.call<{ name: string }>('POST', '/v1/campaign', { replicated_from: source.id })),
    )
    expect(copies.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
    expect(new Set(copies.map(({ data }) => data.name)).size).toBe(5)
  })
})
