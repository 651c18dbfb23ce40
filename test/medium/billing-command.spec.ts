import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemContext } from '#domain/kit/event-metadata'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { condenseSettlements } from '#platform/delivery/condense'
import { derivedId, newId } from '#platform/ids'
import { runTool } from '../support/command-line.ts'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { eventually, startTestProduct, type TestProduct } from '../support/product.ts'

describe('npm run billing -- reconcile', () => {
  let product: TestProduct
  let space = ''
  let campaign = ''
  let send: Awaited<ReturnType<typeof deliveryIn>>['send']
  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    const delivery = await deliveryIn(product)
    ;({ send, space } = delivery)
    campaign = await delivery.running({ budget: 100 })
    await send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 100, spent: 2.5 }])
    await eventually(
      () => query('select count(*)::int as n from app.settlements where recorded'),
      ([row]) => Number(row?.['n']) > 0,
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
    const paid = await ada.call<{ id: string; status: string; position: string }>('POST', '/v1/payment/refill', {
      amount,
      payment_method_id: card.data.id,
    })
    expect(paid).toMatchObject({ code: 0, data: { status: 'succeeded' } })
    // The read models have it too: what follows compares with them.
    const at = { 'x-position': paid.data.position }
    expect((await ada.call('GET', `/v1/space/balance/${space}`, undefined, at)).code).toBe(0)
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
    const change = (by: number) => `
      update app.delivery_charges set amount = amount + ${by} where campaign_id = '${campaign}';
      update app.charged_hours set amount = amount + ${by} where campaign_id = '${campaign}'`
    expect(await found(change(1), change(-1))).toEqual([
      { space_id: space, check: 'settlement', id: '1', ledger: 2.5, against: 'charges', other: 2.500001 },
      { space_id: space, check: 'hash of settlement', id: '1', ledger: 2.5, against: 'charges', other: 2.500001 },
      { space_id: space, check: 'settled of campaign', id: campaign, ledger: 2.5, against: 'hours', other: 2.500001 },
      { space_id: space, check: 'charges of campaign', id: campaign, ledger: 2.500001, against: 'facts', other: 2.5 },
    ])
  })

  test('names the month whose sum is not that of its settlements', async () => {
    const change = (by: number) => `update app.ledgers set spent = spent + ${by} where space_id = '${space}'`
    const month = hour().slice(0, 7).replace('-', '')
    expect(await found(change(1), change(-1))).toEqual([
      { space_id: space, check: 'spend of month', id: month, ledger: 2.500001, against: 'events', other: 2.5 },
    ])
  })

  test('names a settlement whose charges were moved to another hour, though they are as much', async () => {
    const move = (hours: number) =>
      `update app.delivery_charges set hour = hour - make_interval(hours => ${hours}) where campaign_id = '${campaign}'`
    expect(await found(move(1), move(-1))).toEqual([
      { space_id: space, check: 'hash of settlement', id: '1', ledger: 2.5, against: 'charges', other: 2.5 },
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

  test('names payments that a restored log does not have, and records them once', async () => {
    const balanceOf = async () =>
      Number((await query(`select balance from rm_accounts where space_id = '${space}'`))[0]?.['balance'])
    const payment = await refill(70)
    const before = await balanceOf()
    // Charged after the backup: the gateway has it, and the log does not.
    const lost = newId()
    await query(`
      insert into app.test_gateway_payments (id, payment_id, method_id, amount, currency, status)
      select 'pi_test_${lost}', '${lost}', method_id, 30000000, currency, status
      from app.test_gateway_payments where payment_id = '${payment}'`)
    const named = { space_id: space, check: 'payment without a record', id: lost, ledger: 0, against: 'gateway', other: 30 }
    expect(await run('reconcile', '--account', space, '--json')).toMatchObject({
      code: 1,
      out: `${JSON.stringify({ ...named, adopted: false })}\n`,
    })
    const adopted = await run('reconcile', '--account', space, '--adopt')
    expect(adopted.out).toContain(`payment without a record ${lost}: 0, but 30 in gateway as pi_test_${lost}; it is recorded now`)
    expect(adopted.code).toBe(0)
    expect((await run('reconcile', '--account', space, '--adopt')).out).toBe('1 accounts compared, 0 differences\n')
    await eventually(balanceOf, (now) => now === before + 30_000_000)
    const ada = await product.as('ada@nile.example')
    const { data } = await ada.call<{ data: readonly object[] }>('GET', '/v1/payment/history')
    expect(data.data).toContainEqual(expect.objectContaining({ id: lost, status: 'succeeded', amount: 30, origin: 'refill' }))
  })

  test('names a payment of an account that is not known here, and records none of it', async () => {
    await query(`
      insert into app.test_gateway_payments (id, payment_id, method_id, amount, currency, status)
      values ('pi_test_stray', 'stray', 'pm_unknown', 30000000, 'USD', 'succeeded')`)
    const { code, out } = await run('reconcile', '--adopt')
    expect(out).toContain(
      'unknown account: payment without a record stray: 0, but 30 in gateway as pi_test_stray; it cannot be recorded: its account is not known here',
    )
    expect(code).toBe(1)
    await query(`delete from app.test_gateway_payments where id = 'pi_test_stray'`)
  })

  test('leaves numbers of invoices out after a restore by other tools', async () => {
    const before = (await query(`select * from app.invoice_numbers`)).length
    const { code, out } = await run('skip-numbers')
    expect(code).toBe(0)
    expect(out).toContain('Invoices and credit notes of other white-labels go on after 10000')
    expect((await query(`select * from app.invoice_numbers`)).length).toBeGreaterThan(before)
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

  test('names charges that no invoice will ever take', async () => {
    const claim = `insert into app.invoice_periods (invoice_id, space_id, from_at, to_at)
      values ('ghost', '${space}', now() - interval '1 day', now() + interval '1 day')`
    expect(await found(claim, `delete from app.invoice_periods where invoice_id = 'ghost'`)).toEqual([
      { space_id: space, check: 'charges claimed by', id: 'ghost', ledger: 2.5, against: 'invoice', other: 0 },
    ])
    const took = (id: string) => `update app.charged_hours set invoice_id = ${id} where campaign_id = '${campaign}'`
    expect(await found(took(`'ghost'`), took('null'))).toEqual([
      { space_id: space, check: 'charges taken by', id: 'ghost', ledger: 2.5, against: 'invoice', other: 0 },
    ])
  })

  test('names a refund that its invoice does not know while a read model is behind, and it is taken back afterwards', async () => {
    const paidBy = () =>
      product.database.pool.query<{ id: string; payment: string; paid: string }>(
        `select id, payments[1] as payment, paid from rm_invoices
         where cardinality(payments) > 0 and stage = 'issued' and space_id = $1 order by id`,
        [space],
      )
    const accountant = await product.as('accountant@dsp.example')
    const today = hour().slice(0, 10)
    const days = { space_id: space, charge_from_date: today, charge_to_date: today }
    const { id: invoice } = (await accountant.call('POST', '/v1/invoice/create', days)).data
    expect((await accountant.call('POST', `/v1/invoice/send/${invoice}`, {})).code).toBe(0)
    // No room for a payment: it is refused before a card is charged, or a second person is asked.
    const admin = await product.as('admin@dsp.example')
    const credit = (amount: number) => admin.call('POST', `/v1/space/${space}/credit`, { amount, comment: 'deposit' })
    expect((await credit(4.5e9)).code).toBe(0)
    const full = { code: 2, data: { errors: [{ path: 'amount', key: 'balanceFull' }] } }
    const { rows: cards } = await product.database.pool.query<{ id: string }>('select id from app.cards where space_id = $1', [
      space,
    ])
    const byCard = { payment_method_id: cards[0]?.id, amount: 1 }
    const charges = async () => (await query('select id from app.test_gateway_payments')).length
    const before = await charges()
    expect(await accountant.call('POST', `/v1/invoice/log-payment/${invoice}`, { amount: 1, reference: 'W-0' })).toMatchObject(
      full,
    )
    expect(
      await (await product.as('owner@dsp.example')).call('POST', `/v1/invoice/pay-manually/${invoice}`, byCard),
    ).toMatchObject(full)
    expect(await charges()).toBe(before)
    expect((await credit(-4.5e9)).code).toBe(0)
    const wire = { amount: 2, reference: 'W-1' }
    expect((await accountant.call('POST', `/v1/invoice/log-payment/${invoice}`, wire)).code).toBe(0)
    const { rows } = await eventually(paidBy, (found) => Number(found.rows[0]?.paid) === 2_000_000)
    const [paid] = rows
    expect(paid?.payment).toBeTruthy()
    const { pool, url } = product.database
    const store = createPostgresEventStore({ pool, url })
    const handle = createHandler({
      store,
      now: () => new Date().toISOString(),
      eventId: (id, n) => derivedId('event', id, String(n)),
    })
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query(`select from es.subscriptions where name = 'accounts' for update`)
    try {
      await createAccountCommands(handle).execute(space, systemContext('invoices', newId()), {
        type: 'RefundPayment',
        paymentId: paid?.payment ?? '',
        refundId: 'refund-1',
        amount: 1_000_000,
      })
      const { code, out } = await run('reconcile', '--account', space, '--json')
      expect(code).toBe(1)
      expect(out).toContain(
        JSON.stringify({ space_id: space, check: 'refund', id: 'refund-1', ledger: 1, against: 'invoice', other: 0 }),
      )
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    const after = await eventually(paidBy, (found) => Number(found.rows[0]?.paid) < Number(paid?.paid))
    expect(Number(paid?.paid) - Number(after.rows[0]?.paid)).toBe(1_000_000)
    // The refund fails, and a dispute is opened and won: both pay the invoice again.
    const accounts = createAccountCommands(handle)
    const paymentId = paid?.payment ?? ''
    const move = (command: Parameters<typeof accounts.execute>[2]) =>
      accounts.execute(space, systemContext('invoices', newId()), command)
    const paidIs = (amount: number) => eventually(paidBy, (found) => Number(found.rows[0]?.paid) === amount)
    try {
      await move({ type: 'ReverseRefund', paymentId, refundId: 'refund-1', amount: 1_000_000 })
      await paidIs(2_000_000)
      await move({ type: 'DisputePayment', paymentId, disputeId: 'dispute-1', amount: 2_000_000 })
      await paidIs(0)
      await move({ type: 'WinDispute', paymentId, disputeId: 'dispute-1', amount: 2_000_000 })
      await paidIs(2_000_000)
      // Opened and decided before the invoice knows of either.
      await move({ type: 'DisputePayment', paymentId, disputeId: 'dispute-2', amount: 2_000_000 })
      await move({ type: 'WinDispute', paymentId, disputeId: 'dispute-2', amount: 2_000_000 })
      await eventually(
        () =>
          product.database.pool.query(
            `select from rm_invoices where state #>> '{releases,dispute-2,restored,recorded}' = 'true'`,
          ),
        ({ rowCount }) => rowCount === 1,
      )
      await paidIs(2_000_000)
    } finally {
      await store.close()
    }
  })

  test.each([[[]], [['compare']], [['reconcile', 'all']], [['reconcile', '--deep']], [['reconcile', '--since', 'never']]])(
    'refuses the call %j',
    async (args) => {
      expect(await run(...args)).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage:/) })
    },
  )

  test('compares condensed settlements by their sums, and says which they are', async () => {
    await send(newId(), [{ hour: hour(), campaign_id: campaign, impressions: 100, spent: 1.25 }])
    const recorded = () => query(`select count(*)::int as n from app.settlements where recorded and space_id = '${space}'`)
    await eventually(recorded, ([row]) => Number(row?.['n']) === 2)
    await query(`update app.settlements set made_at = now() - interval '36 days' where space_id = '${space}'`)
    const db = createKysely(product.database.pool)
    expect(await condenseSettlements(db, 35, 100)).toBe(1)
    expect(await condenseSettlements(db, 35, 100)).toBe(0)
    const { code, out } = await run('reconcile', '--account', space)
    expect(out).toBe(
      `${space}: settlements 1 to 1 are condensed, and compared by their sums of campaigns and months\n1 accounts compared, 0 differences\n`,
    )
    expect(code).toBe(0)
    const change = (by: number) =>
      `update app.charged_hours set amount = amount + ${by} where campaign_id = '${campaign}' and first_settlement = 1`
    expect(await found(change(1), change(-1))).toMatchObject([
      { check: 'settled of campaign', id: campaign, ledger: 3.75, against: 'hours', other: 3.750001 },
      { check: 'charges of campaign' },
      { check: 'total of invoice' },
    ])
  })
})
