import { createServiceCredentials } from '#platform/identity/service-credentials'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mp4 } from '../support/media/mp4.ts'
import {
  eventually,
  png,
  publishable,
  sendFile,
  sessionOf,
  startTestProduct,
  type Session,
  type TestProduct,
} from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

type Verdict = 'approved' | 'disapproved' | 'pending' | 'pending_review'
type Creative = {
  readonly id: string
  readonly creativeServingDecision: Record<
    string,
    { readonly status: string; readonly topics: readonly { readonly policyTopic: string }[] }
  > | null
  readonly exchange_decisions: Record<string, unknown>
}
type Campaign = {
  readonly id: string
  readonly status_key: number
  readonly status_reasons: readonly { readonly key: string }[]
  readonly moderation_start_at: string
  readonly visuals: { readonly banners: readonly Creative[] }
  readonly dynamic_ad: Creative | null
  readonly native_ad: Creative | null
  readonly video_ad: Creative | null
}
type Results = {
  readonly results: readonly { readonly code: number; readonly creative_id: string | null }[]
  readonly position: string
}

const compliance = (status: Verdict, topics: readonly unknown[] = []) => ({ status, topics })
const decision = (status: Verdict, topics: readonly unknown[] = []) => ({
  dealsPolicyCompliance: compliance('approved'),
  networkPolicyCompliance: compliance(status, topics),
  platformPolicyCompliance: compliance('approved'),
})

describe('exchange decisions', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let service: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, moderator] = await Promise.all([
      product.as('ada@nile.example'),
      product.as('owner@dsp.example'),
      product.as('moderator@dsp.example'),
    ])
    service = sessionOf(product.base, (await readFile(join(product.dataDir, 'service-token'), 'utf8')).trim())
  })
  afterAll(() => product.stop())

  const get = async (id: string, position = '0') =>
    (await ada.call<Campaign>('GET', `/v1/campaign/${id}`, undefined, { 'x-position': position })).data
  const decide = (exchange: string, campaign_id: string, more: Record<string, unknown>, session = service) =>
    session.call<Results>('POST', `/v1/exchange/${exchange}/decisions`, { decisions: [{ campaign_id, ...more }] })

  /** A campaign that a moderator approved for these exchanges, waiting for their decisions. */
  async function approved(exchange_id: readonly string[], over: Record<string, unknown> = {}) {
    const body = await publishable(product.base, ada, over)
    const { data } = await ada.call<Campaign>('POST', '/v1/campaign/saveAndPublish', body)
    const verdict = { campaign_id: data.id, moderation_start_at: data.moderation_start_at, exchange_id }
    const answer = await moderator.call('POST', '/v1/whitelabel/admin/campaign/approve', verdict)
    return get(data.id, answer.data.position)
  }

  it('exchange decisions wait in the list of their exchange until they are made, and in no other', async () => {
    type Waiting = { readonly creatives: readonly { readonly campaign_id: string }[]; readonly next: string | null }
    const { id } = await approved(['google', 'yandex'])
    const waiting = async (exchange: string, session = service) => {
      const found = await session.call<Waiting>('GET', `/v1/exchange/${exchange}/creatives`, undefined, { 'x-position': '0' })
      return { code: found.code, times: (found.data.creatives ?? []).filter((one) => one.campaign_id === id).length }
    }
    expect([await waiting('google'), await waiting('yandex'), await waiting('verve')]).toEqual([
      { code: 0, times: 1 },
      { code: 0, times: 1 },
      { code: 0, times: 0 },
    ])
    expect(await waiting('google', owner)).toEqual({ code: 0, times: 1 })
    expect([(await waiting('nowhere')).code, (await waiting('google', ada)).code]).toEqual([131, 3])
    await decide('google', id, decision('approved'))
    await expect.poll(async () => (await waiting('google')).times).toBe(0)
    expect((await waiting('yandex')).times).toBe(1)
  })

  it('exchange decisions are listed in pages and within the white-label of the credential', async () => {
    await approved(['google'])
    const { rows } = await product.database.pool.query<{ n: number }>(
      'select count(*)::int as n from rm_campaign_list where exchange_pending',
    )
    expect(rows[0]?.n).toBeGreaterThan(0)
    const credentials = createServiceCredentials(createKysely(product.database.pool), testClock.at, newId)
    const expires_at = testClock.at(86_400_000)
    const wanted = { name: 'Other', kind: 'exchange', exchange: 'google', created_by: 'x', expires_at } as const
    const codes = await Promise.all(
      ['other', 'dsp'].map(async (whitelabelId) => {
        const { secret } = await credentials.create({ ...wanted, whitelabelId })
        const session = sessionOf(product.base, secret)
        const listed = await session.call<{ readonly creatives: readonly unknown[] }>('GET', '/v1/exchange/google/creatives')
        const elsewhere = await session.call('GET', '/v1/exchange/yandex/creatives')
        return [listed.data.creatives.length > 0, elsewhere.code]
      }),
    )
    expect(codes).toEqual([
      [false, 3],
      [true, 3],
    ])
  })
  const listed = async (id: string) => {
    type Page = { readonly data: readonly { readonly id: string; readonly creative_status: string | null }[] }
    const { data } = await ada.call<Page>('POST', '/v1/campaign/list/v2', { pageSize: 150 })
    return data.data.find((row) => row.id === id)?.creative_status
  }

  // covers CAM-CRE-71..75 CAM-APR-06 FP-16
  it('exchange decisions keep a campaign at 6 until the first approval, and are listed per exchange', async () => {
    const campaign = await approved(['google', 'yandex'])
    const [banner] = campaign.visuals.banners
    expect([campaign.status_key, banner?.creativeServingDecision]).toEqual([6, null])
    expect(await listed(campaign.id)).toBe('pending')

    const refusal = await decide('google', campaign.id, {
      creative_id: banner?.id,
      ...decision('disapproved', ['Gambling', { policyTopic: 'Alcohol' }]),
    })
    const afterRefusal = await get(campaign.id, refusal.data.position)
    // While another exchange is undecided, the status is at best waiting.
    expect(afterRefusal.visuals.banners[0]?.creativeServingDecision).toBeNull()
    expect(afterRefusal.visuals.banners[0]?.exchange_decisions['google']).toEqual({
      dealsPolicyCompliance: { status: 'approved', topics: [] },
      networkPolicyCompliance: { status: 'disapproved', topics: [{ policyTopic: 'Gambling' }, { policyTopic: 'Alcohol' }] },
      platformPolicyCompliance: { status: 'approved', topics: [] },
    })
    expect(afterRefusal.status_key).toBe(6)
    const approval = await decide('yandex', campaign.id, decision('approved'))
    const running = await get(campaign.id, approval.data.position)
    expect(running.status_key).toBe(3)
    // The best decision counts for the creative; both decisions are listed.
    expect(running.visuals.banners[0]?.creativeServingDecision?.['networkPolicyCompliance']?.status).toBe('approved')
    expect(Object.keys(running.visuals.banners[0]?.exchange_decisions ?? {}).sort()).toEqual(['google', 'yandex'])
    expect(await listed(campaign.id)).toBe('approved')
  })

  // covers CAM-CRE-30 CAM-CRE-45 CAM-CRE-58
  it('exchange decisions without a creative apply to all creatives of every kind', async () => {
    const send = async (path: string, bytes: Uint8Array) =>
      (await sendFile(product.base, ada.token, `/v1/file/${path}`, bytes)).data.file_id
    const [landscape, icon, film] = await Promise.all([
      send('upload3', await png(1200, 627)),
      send('upload3', await png(128, 128)),
      send('video', mp4({ width: 640, height: 360, seconds: 9 })),
    ])
    const campaign = await approved(['google'], {
      dynamic_ad_enabled: true,
      native_ad_enabled: true,
      video_ad_enabled: true,
      dynamic_ad: {
        creative_name: 'd',
        logos: [{ index: 0, file_id: icon, url: '/l' }],
        images: [{ index: 0, file_id: landscape, url: '/i' }],
      },
      native_ad: {
        creative_name: 'n',
        body: 'b',
        call_to_action: 'Go',
        advertiser: 'Nile',
        logo: { width: 128, height: 128, file_id: icon, url: '/l' },
        images: [{ width: 1200, height: 627, file_id: landscape, url: '/i' }],
      },
      video_ad: { creative_name: 'v', video: { file_id: film, url: '/v' } },
    })
    const { data } = await decide('google', campaign.id, decision('pending_review'))
    const after = await get(campaign.id, data.position)
    for (const creative of [after.dynamic_ad, after.native_ad, after.video_ad, after.visuals.banners[0]])
      expect(creative?.creativeServingDecision?.['networkPolicyCompliance']).toEqual({ status: 'pending', topics: [] })
  })

  // covers FP-37
  it('each have their own result, and an unknown exchange refuses the call', async () => {
    const campaign = await approved(['google'])
    const draft = (await ada.call('POST', '/v1/campaign', await publishable(product.base, ada))).data.id
    const { data } = await service.call<Results>('POST', '/v1/exchange/google/decisions', {
      decisions: [
        { campaign_id: 'nowhere', ...decision('approved') },
        { campaign_id: draft, ...decision('approved') },
        { campaign_id: campaign.id, creative_id: 'nothing', ...decision('approved') },
        { campaign_id: campaign.id, ...decision('approved') },
      ],
    })
    expect(data.results.map(({ code }) => code)).toEqual([130, 134, 132, 0])
    expect((await decide('verve', campaign.id, decision('approved'))).data.results[0]?.code).toBe(131)
    const unknown = await decide('bazaar', campaign.id, decision('approved'))
    expect([unknown.status, unknown.code]).toEqual([404, 131])
  })

  it('exchange decisions may be recorded by an owner, not by an advertiser or a moderator', async () => {
    const campaign = await approved(['google'])
    for (const session of [ada, moderator])
      expect((await decide('google', campaign.id, decision('approved'), session)).code).toBe(3)
    expect((await decide('google', campaign.id, decision('approved'), owner)).data.results[0]?.code).toBe(0)
    await eventually(
      () => get(campaign.id),
      ({ status_key }) => status_key === 3,
    )
    expect((await get(campaign.id)).status_key).toBe(3)
  })

  // covers FP-36
  it('exchange decisions cannot be changed by a save', async () => {
    const campaign = await approved(['google'])
    const [banner] = campaign.visuals.banners
    const forged = { ...banner, creativeServingDecision: decision('approved') }
    const saved = await ada.call<Campaign>('PUT', '/v1/campaign', { id: campaign.id, visuals: { banners: [forged] } })
    expect(saved.data.visuals.banners[0]?.creativeServingDecision).toBeNull()
  })
})
