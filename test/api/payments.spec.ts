import { receiptNumber } from '#domain/payment/receipt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AutoRefillRecord, PaymentMethodRecord, RefillAnswer, RefillRow } from '#contract/payments'
import { warnOfExpiry } from '#platform/payment/expiry-mails'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { outboxOf, recipientOf } from '../support/mails.ts'
import { eventually, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { testClock } from '../support/test-clock.ts'

type Methods = {
  readonly paymentMethods: readonly PaymentMethodRecord[]
  readonly isAllowMakePayment: boolean
  readonly provider: string
  readonly limits: { readonly min: number }
}
type Page<T> = {
  readonly data: readonly T[]
  readonly total_size: number
  readonly current_page: number
  readonly page_size: number
}
type Setup = { readonly client_token: string; readonly setup_id: string; readonly provider: string }

describe('payments by card', () => {
  let product: TestProduct
  let bola: Session
  let ada: Session
  let owner: Session
  let lagos = ''

  beforeAll(async () => {
    product = await startTestProduct()
    bola = await product.as('bola@lagos.example')
    ada = await product.as('ada@nile.example')
    owner = await product.as('owner@dsp.example')
    lagos = (await bola.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
  })
  afterAll(() => product.stop())

  const methods = async (session = bola, query = '') => (await session.call<Methods>('GET', `/v1/payment-method${query}`)).data
  const cards = async (session = bola) => (await methods(session)).paymentMethods
  async function addCard(testId = 'pm_card_visa', session = bola) {
    const { data } = await session.call<Setup>('GET', '/v1/payment-method/add')
    const body = { setup_id: data.setup_id, provider_method_id: testId }
    const added = await session.call<PaymentMethodRecord>('POST', '/v1/payment-method', body)
    expect(added).toMatchObject({ code: 0 })
    return added.data
  }
  const refill = (amount: number, payment_method_id: string, session = bola, key?: string) =>
    session.call<RefillAnswer & { failure_code: string }>(
      'POST',
      '/v1/payment/refill',
      { amount, payment_method_id },
      key === undefined ? {} : { 'idempotency-key': key },
    )
  const balance = async (session = bola, space = lagos) =>
    (await session.call<{ balance: number }>('GET', `/v1/space/balance/${space}`)).data.balance
  const history = async (query = '', session = bola) =>
    (await session.call<Page<RefillRow>>('GET', `/v1/payment/history${query}`)).data
  const setPayments = (allow: boolean) => owner.call('PUT', `/v1/space/${lagos}/settings`, { allow_make_payment: allow })

  describe('cards', () => {
    // covers BILL-13
    it('cards are set up for the account of the named user', async () => {
      const idOf = async (session: Session) => (await session.call<{ id: string }>('GET', '/v1/user/me')).data.id
      const setupFor = async (session: Session, user: string) =>
        (await session.call('GET', `/v1/payment-method/add?user-id=${user}`)).code
      const ada = await product.as('ada@nile.example')
      const customers = async () =>
        (await product.database.pool.query<{ space_id: string }>('select space_id from app.payment_customers')).rows
      expect(await setupFor(bola, await idOf(ada))).toBe(6)
      expect(await customers()).toEqual([])
      expect(await setupFor(owner, await idOf(bola))).toBe(0)
      expect(await customers()).toEqual([{ space_id: lagos }])
    })

    // covers BILL-01 FP-60
    it('cards are added with a setup, and the first one is the default', async () => {
      const setup = await bola.call<Setup>('GET', '/v1/payment-method/add')
      expect(setup).toMatchObject({ code: 0, data: { provider: 'test', publishable_key: null } })
      expect(await cards()).toEqual([])
      const visa = await addCard()
      expect(visa).toMatchObject({
        brand: 'visa',
        brand_label: 'Visa',
        last4: '4242',
        is_default: true,
        status: 'active',
        expires_soon: false,
        last_used_at: null,
      })
      const list = await cards()
      expect(list.map(({ id }) => id)).toEqual([visa.id])
      const { rows } = await product.database.pool.query(`select data from es.events where type = 'CardAdded'`)
      expect(JSON.stringify(rows)).not.toContain('4242')
    })

    // covers BILL-11 BILL-06 FP-60
    it('cards are listed with whether the account may pay', async () => {
      expect(await methods()).toMatchObject({
        paymentMethods: [{ brand: 'visa', last4: '4242', is_default: true }],
        provider: 'test',
        isAllowMakePayment: true,
        limits: { min: 1000 },
      })
    })

    // covers BILL-02
    it('cards that the account has already are renewed, and listed once', async () => {
      const [before] = await cards()
      const again = await addCard()
      expect(again.id).toBe(before?.id)
      expect(await cards()).toHaveLength(1)
      const added = await addCard('pm_card_mastercard')
      expect((await cards()).map(({ brand_label }) => brand_label).sort()).toEqual(['MasterCard', 'Visa'])
      expect(added.is_default).toBe(false)
    })

    it('cards that the provider did not confirm are refused with 131', async () => {
      const { data } = await bola.call<Setup>('GET', '/v1/payment-method/add')
      const add = (setup_id: string, provider_method_id: string, session = bola) =>
        session.call('POST', '/v1/payment-method', { setup_id, provider_method_id })
      expect(await add(data.setup_id, 'pm_of_a_stranger')).toMatchObject({ status: 404, code: 131 })
      expect(await add('seti_unknown', 'pm_card_visa')).toMatchObject({ status: 404, code: 131 })
      expect(await add(data.setup_id, 'pm_card_visa', ada)).toMatchObject({ status: 404, code: 131 })
    })

    // covers BILL-03 BILL-18
    it('cards can be made the default', async () => {
      const other = (await cards()).find(({ is_default }) => !is_default)
      expect(await bola.call('POST', `/v1/payment/stripe/method/default/${other?.id}`)).toMatchObject({ code: 0 })
      const after = await cards()
      expect(after.filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual([other?.id])
      expect(after[0]?.id).toBe(other?.id)
      expect(await ada.call('POST', `/v1/payment/stripe/method/default/${other?.id}`)).toMatchObject({ status: 404, code: 131 })
    })

    // covers BILL-14
    it('cards are removed, and the default is then the most recently used one', async () => {
      const all = await cards()
      const [first, second] = all
      expect(await refill(2000, second?.id ?? '')).toMatchObject({ code: 0 })
      const third = await addCard('pm_card_amex')
      expect((await bola.call('DELETE', `/v1/payment-method/${first?.id}`)).code).toBe(0)
      const left = await cards()
      expect(left.map(({ id }) => id)).toEqual([second?.id, third.id])
      expect(left[0]).toMatchObject({ is_default: true })
      expect(await bola.call('DELETE', `/v1/payment-method/${first?.id}`)).toMatchObject({ status: 404, code: 131 })
      expect(await refill(2000, first?.id ?? '')).toMatchObject({ status: 404, code: 131 })
    })

    // covers BILL-15
    it('cards of an account are removed by its owner with space_id, and of no other account', async () => {
      const card = await addCard('pm_card_mastercard')
      const nile = (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id
      expect(await owner.call('DELETE', `/v1/payment-method/${card.id}?space_id=${nile}`)).toMatchObject({ code: 131 })
      expect(await bola.call('DELETE', `/v1/payment-method/${card.id}?space_id=${nile}`)).toMatchObject({ code: 1420 })
      expect(await owner.call('DELETE', `/v1/payment-method/${card.id}?space_id=${lagos}`)).toMatchObject({ code: 0 })
      expect((await cards()).map(({ id }) => id)).not.toContain(card.id)
    })

    // covers BILL-12
    it('cards of a user are listed for the owner of the white-label', async () => {
      const { id } = (await bola.call<{ id: string }>('GET', '/v1/user/me')).data
      const list = await methods(owner, `?user-id=${id}`)
      expect(list.paymentMethods.map((card) => card.id)).toEqual((await cards()).map((card) => card.id))
      expect((await methods(owner, `?space_id=${lagos}`)).paymentMethods).toHaveLength(list.paymentMethods.length)
      expect(await ada.call('GET', `/v1/payment-method?user-id=${id}`)).toMatchObject({ status: 404, code: 6 })
    })

    // covers BILL-16 BILL-17
    it('cards are sent to the provider with a token, of the own account or of one in reach', async () => {
      const own = await bola.call<{ client_token: string; expires_at: string }>('GET', '/v1/payment/stripe/client-token')
      expect(own.data.client_token).toMatch(/^seti_\S+_secret/)
      expect(Date.parse(own.data.expires_at)).toBeGreaterThan(testClock.now())
      const path = `/v1/payment/stripe/client-token?space_id=${lagos}`
      expect(await owner.call('GET', path)).toMatchObject({ code: 0 })
      expect(await ada.call('GET', path)).toMatchObject({ status: 409, code: 1420 })
    })

    it('cards that expire within 30 days are announced once by mail', async () => {
      const card = await addCard('pm_card_visa')
      const db = createKysely(product.database.pool)
      // A card expires at the end of its month.
      let now = '2031-03-01T00:00:00.000Z'
      const expires = [card.id, 3, 2031]
      const mails = async () =>
        (await product.database.pool.query(`select data from app.mails where template = 'card-expires'`)).rows
      const warn = () =>
        warnOfExpiry({
          accounts: { opened: async () => ({ name: 'Lagos Foods', whitelabel_id: 'dsp' }) },
          db,
          derivedId,
          now: () => now,
          payments: { gateway: { provider: 'test' } },
        })
      await product.database.pool.query('update app.cards set exp_month = $2, exp_year = $3 where id = $1', expires)
      await warn()
      expect(await mails()).toEqual([])
      now = '2031-03-02T00:00:00.000Z'
      await warn()
      await warn()
      expect(await mails()).toEqual([{ data: expect.objectContaining({ last4: '4242', account: 'Lagos Foods' }) }])
    })
  })

  describe('a refill', () => {
    // covers FP-60
    it('adds the amount to the balance once, however often it is sent, and mails a receipt', async () => {
      const before = await balance()
      const card = await addCard('pm_card_visa')
      const key = newId()
      const first = await refill(5000.5, card.id, bola, key)
      expect(first).toMatchObject({ code: 0, data: { status: 'succeeded', failure_code: null, amount: 5000.5, currency: 'NGN' } })
      const second = await refill(5000.5, card.id, bola, key)
      expect(second.data.id).toBe(first.data.id)
      expect(await balance()).toBeCloseTo(before + 5000.5, 6)
      const { data } = await bola.call<Page<{ type: string; amount: number; payment_id: string }>>(
        'POST',
        `/v1/space/${lagos}/ledger`,
        {},
      )
      expect(data.data.filter((row) => row.payment_id === first.data.id)).toEqual([
        expect.objectContaining({ type: 'refill', amount: 5000.5 }),
      ])
      const receipts = async () =>
        (await outboxOf(product.dataDir)).filter(
          (mail) =>
            recipientOf(mail) === 'bola@lagos.example' &&
            mail.subject?.includes(`Receipt ${receiptNumber(first.data.id)}`) === true,
        )
      expect(await eventually(receipts, (found) => found.length > 0)).toHaveLength(1)
    })

    // covers FP-60
    it('a refill with a card that is declined is refused with 142 and its reason, and moves nothing', async () => {
      const [before, failure] = [await balance(), 'insufficient_funds']
      const card = await addCard('pm_card_chargeDeclinedInsufficientFunds')
      const answer = await refill(3000, card.id)
      expect(answer).toMatchObject({ status: 409, code: 142, data: { failure_code: failure } })
      // So the next read shows the payment, however late the read model is.
      expect(answer.headers.get('x-position')).toMatch(/^[1-9]\d*$/)
      expect(answer.message.length).toBeGreaterThan(20)
      expect(await balance()).toBe(before)
      const [newest] = (await history()).data
      expect(newest).toMatchObject({ status: 'failed', failure_code: failure, receipt: null })
    })

    it.each([
      ['complete', { code: 0, data: { status: 'succeeded' } }, 4000],
      ['fail', { code: 142, data: { failure_code: 'authentication_failed' } }, 0],
    ])('a refill that the bank asks about: %s', async (outcome, expected, moved) => {
      const before = await balance()
      const card = await addCard('pm_card_authenticationRequired')
      const asked = await refill(4000, card.id)
      expect(asked).toMatchObject({ code: 0, data: { status: 'requires_action', client_token: expect.any(String) } })
      expect(await balance()).toBe(before)
      expect(await bola.call('DELETE', `/v1/payment-method/${card.id}`)).toMatchObject({ status: 409, code: 134 })
      const confirm = { id: asked.data.id, outcome }
      expect(await ada.call('POST', '/v1/payment/test/confirmation', confirm)).toMatchObject({ status: 404, code: 131 })
      expect(await bola.call('POST', '/v1/payment/test/confirmation', confirm)).toMatchObject(expected)
      expect(await balance()).toBe(before + moved)
      const read = await bola.call<RefillAnswer>('GET', `/v1/payment/refill/${asked.data.id}`)
      expect(read.data).toMatchObject({ status: moved > 0 ? 'succeeded' : 'failed', client_token: null })
    })

    it('a refill of an amount that is not allowed is refused', async () => {
      const [card] = await cards()
      const answer = await refill(999.99, card?.id ?? '')
      expect(answer).toMatchObject({ status: 400, code: 2, data: { errors: [{ path: 'amount', key: 'outOfRange' }] } })
    })

    it('a refill and its card are within reach of the roles of the access table alone', async () => {
      const card = await addCard('pm_card_visa')
      const paid = (await refill(2000, card.id)).data
      const roles: readonly (readonly [email: string, reads: number, writes: number])[] = [
        ['bola@lagos.example', 0, 0],
        ['owner@dsp.example', 0, 0],
        ['admin@dsp.example', 0, 3],
        ['accountant@dsp.example', 3, 3],
        ['moderator@dsp.example', 3, 3],
        ['auditor@dsp.example', 3, 3],
        ['clerk@nile.example', 131, 3],
        ['ada@nile.example', 131, 131],
      ]
      for (const [email, reads, writes] of roles) {
        const session = await product.as(email)
        const code = async (method: string, path: string, body?: unknown) => (await session.call(method, path, body)).code
        expect(await code('GET', `/v1/payment/refill/${paid.id}`), email).toBe(reads)
        expect(await code('POST', `/v1/payment/stripe/method/default/${card.id}`), email).toBe(writes)
        expect(await code('POST', '/v1/payment/refill', { amount: 1000, payment_method_id: card.id }), email).toBe(writes)
        expect(await code('POST', '/v1/payment/test/confirmation', { id: paid.id, outcome: 'fail' }), email).toBe(writes)
        expect(await code('POST', '/v1/payment-method', { setup_id: 'x', provider_method_id: 'y' }), email).toBe(
          writes === 3 ? 3 : 131,
        )
        if (writes !== 0) expect(await code('DELETE', `/v1/payment-method/${card.id}`), email).toBe(writes)
      }
    })
  })

  describe('an account whose balance is half of the bound', () => {
    const FULL = { code: 2, data: { errors: [{ path: 'amount', code: 2, key: 'balanceFull' }] } }

    // covers FP-69
    it('an account whose balance is half of the bound is asked for no more money, in whatever way, and its gateway neither', async () => {
      const admin = await product.as('admin@dsp.example')
      const { id: card } = await addCard('pm_card_visa')
      const opened = async () => (await product.database.pool.query('select from app.test_gateway_payments')).rowCount
      const setups = async () => (await product.database.pool.query('select from app.test_gateway_setups')).rowCount
      const first = await admin.call('POST', `/v1/space/${lagos}/credit`, { amount: 4.5e9, comment: 'deposit' })
      expect(first).toMatchObject({ code: 0, data: { stage: 'applied' } })
      await eventually(balance, (now) => now > 4.4e9)
      const before = [await opened(), await setups(), await balance()]
      expect(await refill(1000, card)).toMatchObject(FULL)
      expect(await bola.call('GET', '/v1/payment-method/add')).toMatchObject(FULL)
      expect(await bola.call('GET', '/v1/payment/stripe/client-token')).toMatchObject(FULL)
      expect([await opened(), await setups(), await balance()]).toEqual(before)
      await admin.call('POST', `/v1/space/${lagos}/credit`, { amount: -4.5e9, comment: 'back' })
      expect(await refill(1000, card)).toMatchObject({ code: 0, data: { status: 'succeeded' } })
    })
  })

  describe('the refill history', () => {
    // covers BILL-07 BILL-09 BILL-04
    it('the refill history has pages of ten, the newest first', async () => {
      const card = await addCard('pm_card_visa')
      while ((await history()).total_size < 11) expect((await refill(1500, card.id)).code).toBe(0)
      const first = await history()
      expect(Object.keys(first).sort()).toEqual(['current_page', 'data', 'page_size', 'total_size'])
      expect(first).toMatchObject({ current_page: 0, page_size: 10 })
      expect(first.data).toHaveLength(10)
      expect(first.data[0]).toMatchObject({
        status: 'succeeded',
        amount: expect.any(Number),
        currency: 'NGN',
        origin: 'refill',
        card: { brand_label: expect.any(String), last4: expect.any(String) },
        receipt: { number: expect.stringMatching(/^R-[0-9A-F]{10}$/) },
      })
      const second = await history('?page=1')
      expect(second.data).toHaveLength(first.total_size - 10)
      const times = first.data.map(({ created_at }) => created_at)
      expect(times).toEqual([...times].sort().reverse())
    })
  })

  describe('switched off', () => {
    // covers BILL-08 FP-60
    it('refuses every call that could pay with 3, and says so in the list', async () => {
      const [card] = await cards()
      expect((await setPayments(false)).code).toBe(0)
      await eventually(methods, (list) => !list.isAllowMakePayment)
      expect(await refill(2000, card?.id ?? '')).toMatchObject({ status: 403, code: 3, data: { allow_make_payment: false } })
      for (const [method, path, body] of [
        ['GET', '/v1/payment-method/add', undefined],
        ['GET', '/v1/payment/stripe/client-token', undefined],
        ['POST', '/v1/payment-method', { setup_id: 'a', provider_method_id: 'b' }],
        ['PUT', '/v1/payment/auto-refill', { enabled: true, threshold: 1, amount: 5000, monthly_limit: 5000 }],
      ] as const)
        expect(await bola.call(method, path, body), path).toMatchObject({ status: 403, code: 3 })
      expect((await setPayments(true)).code).toBe(0)
      await eventually(methods, (list) => list.isAllowMakePayment)
      expect(await refill(2000, card?.id ?? '')).toMatchObject({ code: 0 })
    })
  })

  describe('the automatic refill', () => {
    const auto = async () => (await bola.call<AutoRefillRecord>('GET', '/v1/payment/auto-refill')).data
    const save = (over: object, session = bola) =>
      session.call<AutoRefillRecord & { errors: { path: string }[] }>('PUT', '/v1/payment/auto-refill', {
        enabled: true,
        threshold: 1000,
        amount: 2000,
        monthly_limit: 6000,
        ...over,
      })
    const useCard = async (testId: string) => {
      const { id } = await addCard(testId)
      expect((await bola.call('POST', `/v1/payment/stripe/method/default/${id}`)).code).toBe(0)
    }

    it('the automatic refill is off with suggested amounts, and reports everything that is wrong with a change', async () => {
      expect(await auto()).toMatchObject({ enabled: false, currency: 'NGN', spent_this_month: 0, stopped: null })
      const { data } = await save({ threshold: -1, amount: 1, monthly_limit: 0.5 })
      expect(data.errors.map(({ path }) => path)).toEqual(['threshold', 'amount', 'monthly_limit'])
    })

    it('charges below the threshold until the limit of the month, one payment after the other', async () => {
      await useCard('pm_card_mastercard')
      const before = await balance()
      expect((await save({ threshold: before + 10_000 })).code).toBe(0)
      await eventually(balance, (now) => now === before + 6000)
      // Two refills of another account, one after the other, show that each account was checked again.
      const [nile, card] = [
        (await ada.call<{ space_id: string }>('GET', '/v1/user/me')).data.space_id,
        await addCard('pm_card_visa', ada),
      ]
      expect((await ada.call('POST', `/v1/payment/stripe/method/default/${card.id}`)).code).toBe(0)
      const [theirs, amount] = [await balance(ada, nile), 100]
      const other = { threshold: theirs + 1000, amount, monthly_limit: 2 * amount }
      expect((await save(other, ada)).code).toBe(0)
      await eventually(
        () => balance(ada, nile),
        (now) => now === theirs + 2 * amount,
      )
      expect(await balance()).toBe(before + 6000)
      expect(await auto()).toMatchObject({ spent_this_month: 6000, enabled: true })
      const made = (await history('?page_size=50')).data.filter(({ origin }) => origin === 'auto_refill')
      expect(made.map(({ status, amount }) => [status, amount])).toEqual(Array.from({ length: 3 }, () => ['succeeded', 2000]))
    })

    it('stops after a declined card, and mails why', async () => {
      await useCard('pm_card_chargeDeclinedInsufficientFunds')
      const before = await balance()
      expect((await save({ threshold: before + 1000, monthly_limit: 100_000 })).code).toBe(0)
      const stopped = await eventually(auto, (one) => one.stopped !== null)
      expect(stopped).toMatchObject({ enabled: false, stopped: { failure_code: 'insufficient_funds' } })
      expect(await balance()).toBe(before)
      await eventually(
        async () => (await product.database.pool.query(`select 1 from app.mails where template = 'auto-refill-stopped'`)).rows,
        (rows) => rows.length === 1,
      )
    })
  })
})
