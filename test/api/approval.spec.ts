import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPeople } from '#platform/identity/people'
import type { RoleName } from '../support/access-table.ts'
import { createKysely } from '#platform/database/pool'
import { newId } from '#platform/ids'
import {
  PASSWORD,
  publishable,
  sendFile,
  signIn,
  startTestProduct,
  type Campaignish,
  type Session,
  type TestProduct,
} from '../support/product.ts'
import { bannerZip } from '../support/media/banner-zip.ts'

type Body = Readonly<Record<string, unknown>>
const EVIL = 'https://evil.example/harmless.png'

describe('approval of a campaign', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
  })
  afterAll(() => product.stop())

  const create = async (session: Session, over: Body = {}) =>
    (await session.call<Campaignish & Body>('POST', '/v1/campaign', await publishable(product.base, session, over))).data
  const publish = async (session: Session, body: Body) => session.call('POST', '/v1/campaign/saveAndPublish', body)
  const approve = async (session: Session, { id, moderation_start_at }: Pick<Campaignish, 'id' | 'moderation_start_at'>) =>
    session.call('POST', '/v1/whitelabel/admin/campaign/approve', { campaign_id: id, moderation_start_at })
  const read = async (id: string, session = ada) => (await session.call<Campaignish & Body>('GET', `/v1/campaign/${id}`)).data

  // covers FP-41
  it('serves the approved file: an HTML zip is not served under the address of an approved image', async () => {
    const zip = bannerZip({})
    const { data: file } = await sendFile(product.base, ada.token, '/v1/file/upload2?width=300&height=250', zip, 'b.zip')
    const banner = { width: 300, height: 250, file_id: file.file_id, url: EVIL, creative_name: 'main' }
    const { id } = await create(ada, { visuals: { banners: [banner] } })
    await publish(ada, { id })
    for (const session of [ada, moderator]) {
      const { visuals } = await read(id, session)
      expect(visuals).toMatchObject({ banners: [{ file_id: file.file_id, url: file.file_url }] })
    }
    const served = await fetch(product.base + file.file_url)
    expect(served.headers.get('content-type')).toBe('application/zip')
    const log = await owner.call('GET', `/v1/campaign/revision/snapshot/${id}?page-num=1&page-size=25`)
    expect(JSON.stringify(log.data)).not.toContain('evil.example')
  })

  // covers FP-41
  it.each([EVIL, 'javascript:alert(1)', 'http://169.254.169.254/latest/meta-data/'])(
    'needs stored files: a video with only the address %s is not submitted (135)',
    async (url) => {
      const video_ad = { creative_name: 'film', video: { url, file_id: null } }
      const { id } = await create(ada, { video_ad_enabled: true, video_ad })
      expect((await read(id))['video_ad']).toMatchObject({ video: { url: null } })
      const answer = await publish(ada, { id })
      expect(answer.code).toBe(135)
      expect(answer.data.errors.map(({ path }) => path)).toContain('video_ad.video.file_id')
    },
  )

  it('stays valid when a client repeats a creative without its address', async () => {
    const { id, visuals } = await create(ada)
    const { data } = await publish(ada, { id })
    await approve(moderator, data)
    const { banners } = visuals as { banners: Body[] }
    const again = await ada.call('PUT', '/v1/campaign', {
      id,
      visuals: { banners: banners.map((one) => ({ ...one, url: null })) },
    })
    expect(again.data.need_moderation).toBe(false)
  })

  // covers FP-42
  it('refuses attribution tags in front of which another address stands (2)', async () => {
    const { id } = await create(ada)
    const answer = await ada.call('PUT', '/v1/campaign', { id, attribution_tags: 'https://evil.example/?utm_source={SOURCE}' })
    expect(answer.code).toBe(2)
    expect(answer.data.errors).toMatchObject([{ path: 'attribution_tags', code: 2 }])
    expect((await ada.call('PUT', '/v1/campaign', { id, attribution_tags: 'utm_source={SOURCE}' })).code).toBe(0)
  })

  it.each(['https://nile.example@evil.example/', 'http://169.254.169.254/', 'http://localhost:3000/', 'https://nile.example\\x'])(
    'refuses %s as product and click address, since it is not on the public internet (2)',
    async (url) => {
      const { id } = await create(ada)
      for (const body of [{ product_url: url }, { bidding_strategy: { type: 'awareness', click_url: url } }])
        expect((await ada.call('PUT', '/v1/campaign', { id, ...body })).code).toBe(2)
    },
  )

  // covers FP-43
  it('changes the click address with the product address, unless the client has set its own', async () => {
    const clickOf = async (id: string) => ((await read(id))['bidding_strategy'] as Body)['click_url']
    const { id } = await create(ada)
    await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/summer' })
    expect(await clickOf(id)).toBe('https://nile.example/summer')
    await ada.call('PUT', '/v1/campaign', { id, bidding_strategy: { type: 'awareness', click_url: 'https://click.example/' } })
    await ada.call('PUT', '/v1/campaign', { id, product_url: 'https://nile.example/winter' })
    expect(await clickOf(id)).toBe('https://click.example/')
  })

  // covers FP-46
  it('approval of own work is refused: an owner who creates and submits in another account cannot approve (3)', async () => {
    const { data: space } = await ada.call<{ space_id: string }>('GET', '/v1/user/me')
    const { id } = await create(owner, { space_id: space.space_id })
    const { data } = await publish(owner, { id })
    const own = await approve(owner, data)
    expect([own.status, own.code]).toEqual([403, 3])
    expect((await read(id, owner)).status_key).toBe(1)
    expect((await approve(moderator, data)).code).toBe(0)
  })

  // covers FP-46
  it('approval of own changes is refused: an owner who edits the link of an advertiser cannot approve, one who sets the bid can', async () => {
    const edited = await create(ada)
    await owner.call('PUT', '/v1/campaign', { id: edited.id, product_url: 'https://owner.example/' })
    expect((await approve(owner, (await publish(ada, { id: edited.id })).data)).code).toBe(3)
    const priced = await create(ada)
    await owner.call('POST', `/v1/campaign/admin/${priced.id}`, { cpx: 0.5 })
    expect((await approve(owner, (await publish(ada, { id: priced.id })).data)).code).toBe(0)
  })

  // covers FP-46
  it('approval of own work is allowed where the white-label allows it', async () => {
    const { data: space } = await ada.call<{ space_id: string }>('GET', '/v1/user/me')
    const { id } = await create(owner, { space_id: space.space_id })
    const { data } = await publish(owner, { id })
    expect((await ada.call('PUT', '/v1/whitelabel/settings', { own_approval: true })).code).toBe(3)
    await owner.call('PUT', '/v1/whitelabel/settings', { own_approval: true })
    try {
      expect((await owner.call('GET', '/v1/whitelabel/settings')).data).toEqual({ own_approval: true })
      expect((await approve(owner, data)).code).toBe(0)
    } finally {
      await owner.call('PUT', '/v1/whitelabel/settings', { own_approval: false })
    }
  })

  it('approval by a user with two roles records the role that allowed it', async () => {
    const { data: lagos } = await (await product.as('bola@lagos.example')).call<{ space_id: string }>('GET', '/v1/user/me')
    const roles: RoleName[] = ['USER_OWNER', 'WL_MODERATOR']
    const email = 'both@lagos.example'
    const names = { first_name: 'Both', last_name: 'Roles', phone: null, password: PASSWORD }
    await createPeople(createKysely(product.database.pool), { demo: true }).create({
      id: newId(),
      whitelabel_id: 'dsp',
      home_space_id: lagos.space_id,
      roles,
      email,
      ...names,
    })
    const { id } = await create(ada)
    const { data } = await publish(ada, { id })
    expect((await approve(await signIn(product.base, email), data)).code).toBe(0)
    const { rows } = await product.database.pool.query<{ role: string }>(
      `select metadata->>'role' as role from es.events where stream_id = $1 and type = 'CampaignApproved'`,
      [`campaign-${id}`],
    )
    expect(rows).toEqual([{ role: 'WL_MODERATOR' }])
  })
})
