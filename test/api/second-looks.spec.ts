import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReviewStatistics } from '#contract/moderation'
import type { OpenSecondLook } from '#contract/second-looks'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

const ADMIN = '/v1/whitelabel/admin'
type Looks = { readonly data: readonly OpenSecondLook[]; readonly total_size: number }
type Campaign = { readonly status_key: number; readonly moderator_comment: string | null }

/** Fine print 104. */
describe('a second look', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let moderatorId: string
  beforeAll(async () => {
    product = await startTestProduct({ PLACARD_EXCHANGE_REVIEW: 'external' })
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
    moderatorId = (await moderator.call<{ id: string }>('GET', '/v1/user/me')).data.id
    expect((await share(100)).code).toBe(0)
    await eventually(
      () => owner.call<{ whitelabel_settings: { second_look_share: number } }>('GET', '/v1/whitelabel/dsp'),
      ({ data }) => data.whitelabel_settings.second_look_share === 100,
    )
  })
  afterAll(() => product.stop())

  const share = (second_look_share: number, session = owner) =>
    session.call<{ errors: readonly { path: string; key: string }[] }>('PUT', '/v1/whitelabel/dsp', {
      whitelabel_settings: { second_look_share },
    })
  const list = async (session: Session) =>
    (await session.call<Looks>('POST', `${ADMIN}/moderation/second-looks`, { page_size: 150 })).data.data
  const read = async (id: string) => (await owner.call<Campaign>('GET', `/v1/campaign/${id}`)).data
  const take = (session: Session, { campaign_id, approval }: OpenSecondLook, agrees: boolean, comment?: string) =>
    session.call<{ outcome: string; position: string }>('POST', `${ADMIN}/moderation/second-look`, {
      campaign_id,
      approval,
      agrees,
      comment,
    })

  /** A campaign that the moderator approved, as it waits for the owner. */
  async function approved(): Promise<OpenSecondLook> {
    const { data } = await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))
    const verdict = { campaign_id: data.id, moderation_start_at: data.moderation_start_at }
    expect((await moderator.call('POST', `${ADMIN}/campaign/approve`, verdict)).code).toBe(0)
    const found = (looks: readonly OpenSecondLook[]) => looks.find(({ campaign_id }) => campaign_id === data.id)
    const look = found(
      await eventually(
        () => list(owner),
        (looks) => found(looks) !== undefined,
      ),
    )
    if (look === undefined) throw new Error('not in the sample')
    return look
  }

  // covers FP-104
  it('waits for every moderator but the one who approved, with the name and the time of the approval', async () => {
    const look = await approved()
    expect(look.approver).toEqual({ id: moderatorId, name: expect.stringMatching(/\S/) })
    expect(Date.parse(look.expires_at) - Date.parse(look.approved_at)).toBe(30 * 86_400_000)
    expect((await list(moderator)).map(({ campaign_id }) => campaign_id)).not.toContain(look.campaign_id)
    expect((await take(moderator, look, true)).code).toBe(3)
    const asApproved = await owner.call<Campaign>('GET', `/v1/campaign/${look.campaign_id}?as_of=${look.approved_at}`)
    expect(asApproved.data.status_key).not.toBe(1)
  })

  // covers FP-104
  it('agrees once, which the audit feed says', async () => {
    const look = await approved()
    const { code, data } = await take(owner, look, true)
    expect([code, data.outcome]).toEqual([0, 'agreed'])
    expect((await list(owner)).map(({ campaign_id }) => campaign_id)).not.toContain(look.campaign_id)
    expect((await take(owner, look, false, 'No')).code).toBe(136)
    expect((await read(look.campaign_id)).status_key).not.toBe(2)
    const feed = await owner.call<{ data: readonly { type: string; subject: { id: string } }[] }>(
      'GET',
      '/v1/audit/feed?limit=5&order=desc&type=SecondLookTaken',
      undefined,
      { 'x-position': data.position },
    )
    expect(JSON.stringify(feed.data)).toContain(look.campaign_id)
  })

  // covers FP-104
  it('disagrees with a reason, which rejects the campaign and stops it', async () => {
    const look = await approved()
    expect((await take(owner, look, false, ' ')).code).toBe(1301)
    const { code, data } = await take(owner, look, false, 'The price is missing')
    expect([code, data.outcome]).toEqual([0, 'disagreed'])
    const rejected = await eventually(
      () => read(look.campaign_id),
      ({ status_key }) => status_key === 2,
    )
    expect(rejected).toMatchObject({ status_key: 2, moderator_comment: 'The price is missing' })
    expect((await list(owner)).map(({ campaign_id }) => campaign_id)).not.toContain(look.campaign_id)
    const again = await ada.call('POST', '/v1/campaign/saveAndPublish', { id: look.campaign_id })
    expect(again.code).toBe(139)
  })

  // covers FP-104
  it('a second look of a campaign that was archived since notes the disagreement only', async () => {
    const look = await approved()
    expect((await ada.call('POST', '/v1/campaign/archive/toggle', look.campaign_id)).code).toBe(0)
    expect((await take(owner, look, false, 'The price is missing')).data.outcome).toBe('noted')
    expect((await read(look.campaign_id)).status_key).toBe(5)
  })

  it('a second look is repeated with the same key and the same answer', async () => {
    const { campaign_id, approval } = await approved()
    const ask = () =>
      owner.call<{ outcome: string }>(
        'POST',
        `${ADMIN}/moderation/second-look`,
        { campaign_id, approval, agrees: true },
        { 'idempotency-key': `look-${campaign_id}` },
      )
    const [first, second] = [await ask(), await ask()]
    expect([second.code, second.data]).toEqual([0, first.data])
  })

  it('a second look of what is not in the sample is refused with 136, and out of reach with 130', async () => {
    const look = await approved()
    expect((await take(owner, { ...look, approval: look.approval + 1 }, true)).code).toBe(136)
    expect((await take(owner, { ...look, campaign_id: 'unknown' }, true)).code).toBe(130)
    expect((await take(ada, look, true)).code).toBe(3)
  })

  // covers FP-104
  it('counts for the moderator who approved in the statistics, and in their CSV', async () => {
    const today = new Date().toISOString().slice(0, 10)
    const path = `${ADMIN}/moderation/statistics`
    const of = async () => {
      const { data } = await owner.call<ReviewStatistics>('GET', `${path}?from=${today}&to=${today}`)
      return data.moderators.find(({ id }) => id === moderatorId)
    }
    const before = await of()
    await take(owner, await approved(), true)
    await take(owner, await approved(), false, 'No')
    const after = await of()
    expect([after?.second_looks, after?.second_looks_agreed]).toEqual([
      (before?.second_looks ?? 0) + 2,
      (before?.second_looks_agreed ?? 0) + 1,
    ])
    const csv = await fetch(`${product.base}${path}/csv?from=${today}&to=${today}`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    expect(await csv.text()).toContain('Second looks,Agreed')
  })

  it('the share of second looks is set by an owner, as a whole percentage', async () => {
    expect((await share(50, moderator)).code).toBe(3)
    const refusal = await share(2.5)
    expect([refusal.code, refusal.data.errors.map(({ path, key }) => [path, key])]).toEqual([
      2,
      [['whitelabel_settings.second_look_share', 'wholeNumber']],
    ])
  })
})
