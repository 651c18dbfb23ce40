import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Guidelines = {
  readonly language: string
  readonly reasons: readonly { readonly title: { readonly en: string } }[]
  readonly checklist: readonly unknown[]
}
const REASON = {
  topic: 'Alcohol',
  active: true,
  title: { en: 'Alcohol', ru: 'Алкоголь' },
  text: { en: 'Alcohol is not advertised here.', ru: 'Алкоголь здесь не рекламируют.' },
}
const LINE = { en: 'The price is shown', ru: 'Цена указана' }

/** Fine print 101. */
describe('guidelines of moderators', () => {
  let product: TestProduct
  let ada: Session
  let owner: Session
  let moderator: Session
  let campaign: string
  beforeAll(async () => {
    product = await startTestProduct()
    ;[ada, owner, moderator] = (await Promise.all(
      ['ada@nile', 'owner@dsp', 'moderator@dsp'].map((name) => product.as(`${name}.example`)),
    )) as [Session, Session, Session]
    campaign = (await ada.call('POST', '/v1/campaign/saveAndPublish', await publishable(product.base, ada))).data.id
  })
  afterAll(() => product.stop())

  const save = (whitelabel_settings: object, session = owner) =>
    session.call<{ whitelabel_settings: { reject_reasons: readonly unknown[] } }>('PUT', '/v1/whitelabel/dsp', {
      whitelabel_settings,
    })
  const guidelines = async () =>
    (await moderator.call<Guidelines>('GET', `/v1/whitelabel/admin/moderation/guidelines/${campaign}`)).data

  // covers FP-101
  it('guidelines are empty until an owner writes them, and then shown in order to moderators, without inactive reasons', async () => {
    expect(await guidelines()).toEqual({ language: 'en', reasons: [], checklist: [] })
    const second = { ...REASON, title: { en: 'Second', ru: 'Вторая' } }
    const saved = await save({ reject_reasons: [REASON, { ...second, active: false }, second], review_checklist: [LINE] })
    expect([saved.code, saved.data.whitelabel_settings.reject_reasons.length]).toEqual([0, 3])
    const shown = await eventually(guidelines, ({ reasons }) => reasons.length === 2)
    expect(shown).toEqual({ language: 'en', reasons: [REASON, second], checklist: [LINE] })
  })

  // covers FP-101
  it('guidelines of moderators come with the language of the advertiser', async () => {
    const language = (key: number) =>
      product.database.pool.query(`update identity.people set language_key = $1 where email = 'ada@nile.example'`, [key])
    await language(2)
    expect((await guidelines()).language).toBe('ru')
    await language(1)
  })

  it('guidelines of moderators are refused with the path of each fault, and are no change when nothing differs', async () => {
    const refusal = await owner.call<{ errors: readonly { path: string; key: string }[] }>('PUT', '/v1/whitelabel/dsp', {
      whitelabel_settings: { reject_reasons: [REASON, { ...REASON, text: { en: 'Text', ru: ' ' } }] },
    })
    expect([refusal.code, refusal.data.errors.map(({ path, key }) => [path, key])]).toEqual([
      2,
      [['whitelabel_settings.reject_reasons[1].text.ru', 'required']],
    ])
    await save({ reject_reasons: [REASON] })
    const { events } = await product.stored()
    expect((await save({ reject_reasons: [{ ...REASON, topic: ' Alcohol ' }] })).code).toBe(0)
    expect((await product.stored()).events).toBe(events)
  })

  it('guidelines of moderators are changed by an owner alone, and audited', async () => {
    expect((await save({ reject_reasons: [] }, moderator)).code).toBe(3)
    expect((await save({ reject_reasons: [] }, ada)).code).toBe(3)
    await save({ review_checklist: [LINE, { en: 'Second', ru: 'Вторая' }] })
    const feed = async () =>
      (
        await owner.call<{ data: readonly { type: string; changes: readonly { path: string }[] }[] }>(
          'GET',
          '/v1/audit/feed?limit=50&order=desc',
        )
      ).data
    const found = JSON.stringify(await eventually(feed, (page) => JSON.stringify(page).includes('review_checklist')))
    expect(found).toContain('WhiteLabelSettingsChanged')
  })

  it('guidelines of moderators of another white-label are not mixed in', async () => {
    const admin = await product.as('admin@dsp.example')
    const other = { ...REASON, title: { en: 'Of ng', ru: 'Для ng' } }
    expect((await admin.call('PUT', '/v1/whitelabel/ng', { whitelabel_settings: { reject_reasons: [other] } })).code).toBe(0)
    expect((await guidelines()).reasons.map(({ title }) => title.en)).not.toContain('Of ng')
  })
})
