import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Approval } from '#contract/approvals'
import { keyIn, mailTo, outboxOf, recipientOf } from '../support/mails.ts'
import { PASSWORD, signIn, startTestProduct, type Session, type TestProduct } from '../support/product.ts'

/** Fine print 63: a credit limit, and whom and where customers pay. */
describe('money by hand beyond credits, where a white-label has a limit of it', () => {
  let product: TestProduct
  let owner: Session
  let second: Session
  let space = ''
  let house = ''
  beforeAll(async () => {
    product = await startTestProduct()
    owner = await product.as('owner@dsp.example')
    house = (await owner.call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
    space = await spaceOf('ada@nile.example')
    const invitee = { email: 'second@dsp.example', first_name: 'Ines', last_name: 'Duarte', roles: ['WL_OWNER'] }
    await owner.call('POST', `/v1/space/${house}/team/invite`, invitee)
    const body = JSON.stringify({ token: keyIn(await mailTo(product.dataDir, invitee.email)), password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    await fetch(`${product.base}/v1/registration/complete`, { method: 'POST', headers, body })
    second = await signIn(product.base, invitee.email)
  })
  afterAll(() => product.stop())

  type Limit = { readonly credit_limit: number; readonly stage: string; readonly approval_id: string | null }
  type Saved = { readonly approval_id: string | null; readonly invoicing: Readonly<Record<string, string>> }
  const spaceOf = async (email: string) =>
    (await (await product.as(email)).call<{ home_space_id: string }>('GET', '/v1/user/me')).data.home_space_id
  const setLimit = (credit_limit: number, by = owner) =>
    by.call<Limit>('PUT', `/v1/space/${space}/credit-limit`, { credit_limit })
  const save = (body: object) => owner.call<Saved>('PUT', '/v1/whitelabel/dsp', body)
  const invoicing = async () => (await owner.call<Saved>('GET', '/v1/whitelabel/dsp')).data.invoicing
  const decide = (by: Session, id: string | null, how: 'confirm' | 'reject' = 'confirm') =>
    by.call('POST', `/v1/approvals/${id ?? '-'}/${how}`, {})
  const waiting = async (by = second) =>
    (await by.call<{ approvals: readonly Approval[] }>('GET', '/v1/approvals')).data.approvals

  it('money by hand is free of the rule while there is no limit', async () => {
    expect((await setLimit(10)).data).toMatchObject({ credit_limit: 10, stage: 'applied', approval_id: null })
    expect((await save({ invoicing: { bank_account: 'DE02120300000000202051' } })).data).toMatchObject({
      approval_id: null,
      invoicing: { bank_account: 'DE02120300000000202051' },
    })
    expect((await save({ whitelabel_settings: { payment_approval_limit: 1010 } })).code).toBe(0)
  })

  // covers FP-63
  it('counts each raise of a credit limit, so that many small ones do not pass, and lets it be lowered alone', async () => {
    expect((await setLimit(510)).data).toMatchObject({ credit_limit: 510, stage: 'applied' })
    const asked = await setLimit(1011)
    expect(asked.data).toMatchObject({ credit_limit: 510, stage: 'pending', approval_id: expect.any(String) })
    expect((await setLimit(1010)).data).toMatchObject({ credit_limit: 1010, stage: 'applied' })
    expect((await setLimit(200)).data).toMatchObject({ credit_limit: 200, stage: 'applied' })
    const again = await setLimit(201)
    expect(again.data).toMatchObject({ credit_limit: 200, stage: 'pending' })
    expect(await waiting()).toMatchObject([
      { id: asked.data.approval_id, kind: 'credit_limit', amount: 1011, currency: 'USD', space_id: space, may_decide: true },
      { id: again.data.approval_id },
    ])
    expect((await decide(owner, asked.data.approval_id)).code).toBe(3)
    expect((await decide(second, asked.data.approval_id)).code).toBe(0)
    expect((await decide(second, again.data.approval_id, 'reject')).code).toBe(0)
    expect((await setLimit(1011)).data).toMatchObject({ credit_limit: 1011, stage: 'applied' })
  })

  // covers FP-63
  it('keeps the bank details and the payment link until another owner confirms them, and saves the rest at once', async () => {
    const sent = { bank_account: 'FR7630006000011234567890189', payment_link: 'https://pay.example.net/x', city: 'Lyon' }
    const asked = await save({ name: 'Placard Two', invoicing: sent })
    expect(asked).toMatchObject({ code: 0, data: { name: 'Placard Two', approval_id: expect.any(String) } })
    expect(await invoicing()).toMatchObject({ bank_account: 'DE02120300000000202051', payment_link: '', city: 'Lyon' })
    expect((await save({ invoicing: sent })).data.approval_id).toBe(asked.data.approval_id)
    expect(await waiting()).toMatchObject([
      {
        kind: 'invoicing',
        changes: [
          { field: 'bank_account', from: 'DE02120300000000202051', to: sent.bank_account },
          { field: 'payment_link', from: '', to: sent.payment_link },
        ],
      },
    ])
    expect((await decide(owner, asked.data.approval_id)).code).toBe(3)
    expect((await decide(second, asked.data.approval_id)).code).toBe(0)
    expect(await invoicing()).toMatchObject(sent)
  })

  // covers FP-52 FP-63
  it('mails the other owners, and keeps the old and new values in the security log', async () => {
    const paid = await mailTo(product.dataDir, 'second@dsp.example', 1, 'customers pay was changed')
    expect(paid.text).toContain('bank_account')
    expect(paid.text).not.toContain('DE02')
    await mailTo(product.dataDir, 'second@dsp.example', 1, 'A credit limit was raised')
    expect((await outboxOf(product.dataDir)).filter((mail) => recipientOf(mail) === 'owner@dsp.example')).toEqual([])
    type Event = { readonly type: string; readonly details: Readonly<Record<string, string>> }
    const events = (await owner.call<readonly Event[]>('GET', '/v1/audit/security?order=desc&limit=200')).data
    const changes = events.filter(({ type }) => type === 'settings-changed').flatMap(({ details }) => details['changes'] ?? [])
    expect(changes).toContain('invoicing.bank_account:  → DE02120300000000202051')
    expect(changes).toContain('credit_limit: 0 → 10')
    expect(changes.join('\n')).toContain('waits invoicing.bank_account: DE02120300000000202051 → FR7630006000011234567890189')
    expect(changes.join('\n')).toContain('payment_approval_limit: null → 1010000000')
    expect(changes.join('\n')).toContain('bank_account: DE02120300000000202051 → FR7630006000011234567890189')
  })

  it.each(['legal_name', 'bank_name', 'bank_code', 'payment_terms'])('lets %s wait too', async (field) => {
    const asked = await save({ invoicing: { [field]: 'Pay to account 12 345' } })
    expect(asked.data.approval_id).toEqual(expect.any(String))
    expect((await invoicing())[field]).toBe('')
    expect((await decide(owner, asked.data.approval_id, 'reject')).code).toBe(0)
  })

  it('refuses bank details that cannot be used at once', async () => {
    expect(await save({ invoicing: { payment_link: 'http://' } })).toMatchObject({ code: 2 })
    expect(await waiting()).toEqual([])
  })

  it('refuses another seller by the legal entity of the account of the staff', async () => {
    const { id } = (await owner.call<{ id: string }>('GET', '/v1/user/me')).data
    const body = { user_id: id, legal_entity_name: 'Somebody Else', tin_number: '1' }
    expect(await owner.call('PUT', '/v1/user/legal', body)).toMatchObject({ code: 2, data: { errors: [{}] } })
  })
})
