import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, publishable, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Guide = {
  closed: boolean
  funded: boolean
  created: boolean
  published: boolean
  delivered: boolean
  draft_id: string | null
}

describe('the guide of an empty account', () => {
  let product: TestProduct
  let admin: Session
  beforeAll(async () => {
    product = await startTestProduct()
    admin = await product.as('admin@dsp.example')
  })
  afterAll(() => product.stop())
  const guideOf = async (session: Session) => (await session.call<Guide>('GET', '/v1/guide')).data

  it('shows each step as done once it is, up to a published campaign', async () => {
    // A white-label's house is an account without funds and campaigns.
    await admin.call('POST', '/v1/whitelabel', { id: 'acme', name: 'Acme' })
    const { rows } = await eventually(
      () => product.database.pool.query<{ space_id: string }>("select space_id from rm_accounts where whitelabel_id = 'acme'"),
      (found) => found.rows.length === 1,
    )
    const space = rows[0]?.space_id ?? ''
    const email = 'bola@lagos.example'
    await product.database.pool.query("update identity.people set whitelabel_id = 'dsp', home_space_id = $1 where email = $2", [
      space,
      email,
    ])
    const bola = await product.as(email)
    expect(await guideOf(bola)).toEqual({
      closed: false,
      funded: false,
      created: false,
      published: false,
      delivered: false,
      draft_id: null,
    })
    await admin.call('POST', `/v1/space/${space}/credit`, { amount: 500, comment: 'Opening balance' })
    expect(
      await eventually(
        () => guideOf(bola),
        ({ funded }) => funded,
      ),
    ).toMatchObject({ funded: true, created: false })
    const body = await publishable(product.base, bola)
    const created = await bola.call('POST', '/v1/campaign', body)
    expect(created.code).toBe(0)
    expect(await guideOf(bola)).toMatchObject({ created: true, published: false, draft_id: created.data.id })
    expect((await bola.call('POST', '/v1/campaign/saveAndPublish', { ...body, id: created.data.id })).code).toBe(0)
    expect(await guideOf(bola)).toMatchObject({ created: true, published: true, delivered: false, draft_id: null })
  })

  it('the guide of an empty account is closed for its user alone, for good', async () => {
    const ada = await product.as('ada@nile.example')
    expect((await guideOf(ada)).closed).toBe(false)
    for (let twice = 0; twice < 2; twice++) expect((await ada.call('POST', '/v1/guide/close')).code).toBe(0)
    expect((await guideOf(ada)).closed).toBe(true)
    expect((await guideOf(await product.as('owner@dsp.example'))).closed).toBe(false)
  })

  it('the guide of an empty account is not for users without campaigns of their own', async () => {
    expect((await (await product.as('clerk@nile.example')).call('GET', '/v1/guide')).status).toBe(403)
    expect((await (await product.as('moderator@dsp.example')).call('POST', '/v1/guide/close')).status).toBe(403)
  })
})
