import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../platform/ids.ts'
import { runTool } from '../support/command-line.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'

describe('npm run billing -- reconcile', () => {
  let product: TestProduct
  let space = ''
  let campaign = ''
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    const delivery = await deliveryIn(product)
    space = delivery.space
    campaign = await delivery.running({ budget: 100 })
    await delivery.send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 100, spent: 2.5 }])
    await eventually(
      () => query('select count(*)::int as n from app.settlements where recorded'),
      ([row]) => Number(row?.['n']) > 0,
      15_000,
    )
  })
  afterAll(() => product.stop())

  /** Refills the account with a test card, and returns the id of the payment. */
  async function refill(amount: number): Promise<string> {
    const ada = await product.as('ada@nile.example')
    const setup = await ada.call<{ setup_id: string }>('GET', '/v1/payment-method/add')
    const card = await ada.call<{ id: string }>('POST', '/v1/payment-method', {
      setup_id: setup.data.setup_id,
      provider_method_id: 'pm_card_visa',
    })
    const paid = await ada.call<{ id: string; status: string }>('POST', '/v1/payment/refill', {
      amount,
      payment_method_id: card.data.id,
    })
    expect(paid).toMatchObject({ code: 0, data: { status: 'succeeded' } })
    return paid.data.id
  }

  const query = async (text: string): Promise<readonly Record<string, unknown>[]> =>
    (await product.database.pool.query(text)).rows
  const run = (...args: readonly string[]) =>
    runTool('api/cli/billing.ts', args, product.database.url, {
      env: { PLACARD_DATA_DIR: product.dataDir, PLACARD_UNSAFE_DATABASE: 'on', PLACARD_DEMO: 'off' },
    })
  /** The differences that a change of the database makes; the change is undone. */
  async function found(change: string, undo: string) {
    await query(change)
    try {
      const { code, out } = await run('reconcile', '--account', space, '--json')
      expect(code).toBe(1)
      return out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    } finally {
      await query(undo)
    }
  }

  test('finds no difference while money moves by the rules', async () => {
    const { code, out } = await run('reconcile')
    expect(out).toMatch(/^\d+ accounts compared, 0 differences\n$/)
    expect(code).toBe(0)
  })

  test('names the settlement whose charges changed, and the campaign whose charges are not the facts', async () => {
    const differences = await found(
      `update app.delivery_charges set amount = amount + 1 where campaign_id = '${campaign}'`,
      `update app.delivery_charges set amount = amount - 1 where campaign_id = '${campaign}'`,
    )
    expect(differences).toEqual([
      { space_id: space, check: 'settlement', id: '1', ledger: 2.5, against: 'charges', other: 2.500001 },
      { space_id: space, check: 'charges of campaign', id: campaign, ledger: 2.500001, against: 'facts', other: 2.5 },
    ])
  })

  test('names the payment that the gateway gave back and the ledger does not know of', async () => {
    const payment = await refill(50)
    const differences = await found(
      `update app.test_gateway_payments set refunds = '[{"id": "re_1", "amount": 20000000}]' where payment_id = '${payment}'`,
      `update app.test_gateway_payments set refunds = '[]' where payment_id = '${payment}'`,
    )
    expect(differences).toEqual([{ space_id: space, check: 'payment', id: payment, ledger: 50, against: 'gateway', other: 30 }])
  })

  test('names the balance that screens show wrong', async () => {
    const { rows } = await product.database.pool.query<{ name: string }>(
      `select 'rm_accounts__g' || generation as name from es.subscriptions where name = 'accounts' and status = 'live'`,
    )
    const table = rows[0]?.name ?? ''
    const differences = await found(
      `update ${table} set balance = balance - 5 where space_id = '${space}'`,
      `update ${table} set balance = balance + 5 where space_id = '${space}'`,
    )
    expect(differences).toMatchObject([{ check: 'account', id: 'balance', against: 'screen' }])
  })

  test.each([[[]], [['compare']], [['reconcile', 'all']], [['reconcile', '--deep']]])('refuses the call %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage:/) })
  })
})
