import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#platform/ids'
import { limit, runs } from '../support/properties.ts'
import { runTool } from '../support/command-line.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { startTestProduct, type Session, type TestProduct } from '../support/product.ts'

type Movements = {
  readonly total_size: number
  readonly data: readonly { readonly amount: number; readonly balance_after: number }[]
}
type Invoices = {
  readonly data: readonly { readonly id: string; readonly kind: string; readonly status: number; readonly balance_due: number }[]
}
type Invoice = { readonly lines: readonly { readonly amount: number }[]; readonly total: number; readonly number: string | null }

const VOID = 5
const cents = fc.integer({ min: 1, max: 900 }).map((amount) => amount / 100)
const step = fc.record({
  kind: fc.constantFrom(
    'deliver',
    'deliver',
    'credit',
    'refill',
    'decline',
    'draft',
    'send',
    'log',
    'balance',
    'card',
    'void',
    'note',
  ),
  amount: cents,
  /** Sent at the same moment as the step before. */
  atOnce: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Every run has an invoice that can be paid. */
const FIRST: readonly Step[] = (['deliver', 'refill', 'decline', 'draft', 'send', 'log'] as const).map((kind) => ({
  kind,
  amount: 2,
  atOnce: false,
}))

const micros = (amount: number) => Math.round(amount * 1_000_000)

describe('money', () => {
  let product: TestProduct
  let owner: Session
  let ada: Session
  let space = ''
  let campaigns: readonly string[] = []
  let send: Awaited<ReturnType<typeof deliveryIn>>['send']
  const cards = { good: '', bad: '' }
  const reached = new Map<string, number>()

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    owner = await product.as('owner@dsp.example')
    const delivery = await deliveryIn(product)
    ;({ ada, space, send } = delivery)
    campaigns = [await delivery.running({ budget: 5000 }), await delivery.running({ budget: 5000 })]
    for (const [name, method] of [
      ['good', 'pm_card_visa'],
      ['bad', 'pm_card_chargeDeclined'],
    ] as const) {
      const setup = await ada.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
      const body = { setup_id: setup.data.setup_id, provider_method_id: method }
      cards[name] = (await ada.call<{ id: string }>('POST', '/v1/payment-method', body)).data.id
    }
  })
  afterAll(() => product.stop())

  const invoices = async () => (await owner.call<Invoices>('POST', '/v1/invoice', { space_id: space, page_size: 150 })).data.data
  const newest = async (wanted: (status: number) => boolean) =>
    (await invoices()).find(({ kind, status }) => kind === 'invoice' && wanted(status))?.id ?? newId()
  const today = () => new Date().toISOString().slice(0, 10)

  const settled = () =>
    expect.poll(async () => (await ada.call<{ unsettled: number }>('GET', `/v1/space/balance/${space}`)).data.unsettled).toBe(0)

  async function take({ kind, amount }: Step, n: number): Promise<{ readonly code: number }> {
    switch (kind) {
      case 'deliver':
        await send(newId(), [{ hour: hour(), campaign_id: campaigns[n % 2], impressions: 10, spent: amount }])
        return { code: 0 }
      case 'credit':
        return owner.call('POST', `/v1/space/${space}/credit`, { amount: n % 3 === 0 ? -amount : amount, comment: 'by hand' })
      case 'refill':
      case 'decline':
        return ada.call('POST', '/v1/payment/refill', {
          amount: amount + 10,
          payment_method_id: kind === 'refill' ? cards.good : cards.bad,
        })
      case 'draft':
        // A draft takes what is settled, and is refused where there is nothing.
        if (n < FIRST.length) await settled()
        return owner.call('POST', '/v1/invoice/create', {
          space_id: space,
          charge_from_date: today(),
          charge_to_date: today(),
        })
      case 'send':
        return owner.call('POST', `/v1/invoice/send/${await newest((status) => status === 1)}`, { emails: ['ada@nile.example'] })
      case 'log':
        return owner.call('POST', `/v1/invoice/log-payment/${await newest((status) => status > 1 && status !== VOID)}`, {
          amount,
          method: 'cash',
          reference: newId(),
        })
      case 'balance':
      case 'card':
        return owner.call('POST', `/v1/invoice/pay-manually/${await newest((status) => status > 1 && status !== VOID)}`, {
          ...(kind === 'balance' ? { from_balance: true } : { payment_method_id: n % 4 === 0 ? cards.bad : cards.good }),
          amount,
          comment: 'by hand',
        })
      case 'void':
        return owner.call('POST', `/v1/invoice/void/${await newest((status) => status > 1 && status !== VOID)}`, {
          comment: 'wrong',
        })
      case 'note':
        return owner.call('POST', `/v1/invoice/credit/${await newest((status) => status > 1 && status !== VOID)}`, {
          amount: amount / 10,
          comment: 'goodwill',
        })
    }
  }

  const reconcile = () =>
    runTool('api/cli/billing.ts', ['reconcile'], product.database.url, {
      env: { PLACARD_DATA_DIR: product.dataDir, PLACARD_UNSAFE_DATABASE: 'on', PLACARD_DEMO: 'off' },
    })

  it(
    'agrees in the ledger, on screens, in invoices, facts and at the gateway, after any order of steps',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40, size: 'max' }), async (random) => {
          const steps = [...FIRST, ...random]
          let running: Promise<void>[] = []
          for (const [n, one] of steps.entries()) {
            if (!one.atOnce) await Promise.all(running.splice(0))
            running.push(
              take(one, n).then(({ code }) => {
                // Refused is fine, broken is not.
                expect(code).not.toBe(1)
                const name = `${one.kind} ${code === 0 ? 'done' : 'refused'}`
                reached.set(name, (reached.get(name) ?? 0) + 1)
              }),
            )
          }
          await Promise.all(running)
          running = []

          const { code, out } = await reconcile()
          expect(out).toMatch(/ 0 differences\n$/)
          expect(code).toBe(0)

          // Figures of the screens.
          await settled()
          const { data: funds } = await ada.call<{ balance: number }>('GET', `/v1/space/balance/${space}`)
          const rows: Movements['data'][number][] = []
          for (let page = 0; ; page++) {
            const { data } = await ada.call<Movements>('POST', `/v1/space/${space}/ledger`, { page, page_size: 150 })
            rows.push(...data.data)
            if (rows.length >= data.total_size) break
          }
          expect(rows.reduce((sum, { amount }) => sum + micros(amount), 0)).toBe(micros(funds.balance))
          expect(rows[0]?.balance_after).toBe(funds.balance)
          for (const { id, kind, status } of await invoices()) {
            if (kind !== 'invoice' || status === 1 || status === VOID) continue
            const { data } = await owner.call<Invoice>('GET', `/v1/invoice/${id}`)
            expect(data.lines.reduce((sum, { amount }) => sum + micros(amount), 0)).toBe(micros(data.total))
          }
        }),
        { numRuns: runs(3), endOnFailure: true },
      )
      const numbers = (await invoices()).length
      expect(numbers).toBeGreaterThan(0)
      for (const kind of ['deliver', 'refill', 'draft', 'send', 'log'])
        expect(reached.get(`${kind} done`) ?? 0).toBeGreaterThan(0)
      expect(reached.get('decline refused') ?? 0).toBeGreaterThan(0)
    },
    limit(),
  )
})
