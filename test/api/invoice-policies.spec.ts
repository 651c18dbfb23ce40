import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { InvoiceDetails, InvoiceSummary } from '#contract/invoices'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { createInvoiceCommands } from '#commands/invoice/invoice-commands'
import { takeBackPolicy } from '#commands/invoice/invoice-policies'
import type { InvoiceCommand } from '#domain/invoice/invoice'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { derivedId, newId } from '#platform/ids'
import { givenBack, takenBack } from '#projections/invoice/queries'
import { DELIVERED, deliveryIn, hour } from '../support/delivery.ts'
import { mailTo } from '../support/mails.ts'
import { eventually, startTestProduct, type Session, type TestProduct } from '../support/product.ts'
import { issueInvoice, NO_CHARGES } from '../support/void-invoice.ts'

type Listed = { readonly data: readonly InvoiceSummary[] }

/** Another process on the same log, which ends before it has finished. */
function otherProcess(product: TestProduct) {
  const { pool, url } = product.database
  const store = createPostgresEventStore({ pool, url })
  const handle = createHandler({
    store,
    now: () => new Date().toISOString(),
    eventId: (id, n) => derivedId('event', id, String(n)),
  })
  const accounts = createAccountCommands(handle)
  const chargeCard = async () => 'declined' as const
  const invoices = createInvoiceCommands(handle, { accounts, port: NO_CHARGES, commandId: derivedId, chargeCard })
  const context = () => ({
    actor: 'system:test',
    role: 'SYSTEM',
    on_behalf_of: null,
    source: 'policy' as const,
    command_id: newId(),
    body_hash: null,
    correlation: '',
    causation: null,
  })
  return { store, accounts, invoices, context }
}

describe('policies of invoices', () => {
  let product: TestProduct
  let other: ReturnType<typeof otherProcess>
  let accountant: Session
  let space = ''
  let campaign = ''
  let deliver: (spent: number, daysAgo: number) => Promise<void>

  beforeAll(async () => {
    product = await startTestProduct(DELIVERED)
    other = otherProcess(product)
    accountant = await product.as('accountant@dsp.example')
    const owner = await product.as('owner@dsp.example')
    await owner.call('PUT', '/v1/whitelabel/dsp', { whitelabel_settings: { invoice_automatically: true } })
    const delivery = await deliveryIn(product)
    ;({ space } = delivery)
    campaign = await delivery.running({ budget: 1000 })
    const { pool } = product.database
    deliver = async (spent, daysAgo) => {
      const batch = newId()
      await delivery.send(batch, [{ hour: hour(), campaign_id: campaign, impressions: 100, spent }])
      await eventually(
        () =>
          pool.query(
            `select from app.delivery_charges c join app.settlements s on s.space_id = c.space_id and s.number = c.settlement
             where c.batch_id = $1 and s.recorded`,
            [batch],
          ),
        ({ rows }) => rows.length === 1,
      )
      // A campaign of the test began today: its charges are moved back.
      await pool.query(
        `update app.charged_hours set hour = hour - make_interval(days => $2)
         where campaign_id = $1 and invoice_id is null and hour > now() - interval '2 hours'`,
        [campaign, daysAgo],
      )
    }
  })
  afterAll(async () => {
    await other.store.close()
    await product.stop()
  })

  const details = async (id: string) => (await accountant.call<InvoiceDetails>('GET', `/v1/invoice/${id}`)).data
  const reaches = async (id: string, wanted: (invoice: InvoiceDetails) => boolean) => {
    const seen = await eventually(() => details(id), wanted)
    expect(wanted(seen)).toBe(true)
    return seen
  }
  const list = async () => (await accountant.call<Listed>('POST', '/v1/invoice', { space_id: space })).data.data

  it('policies of invoices issue and mail the invoice of the month before, once', async () => {
    const now = new Date()
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0))
    await deliver(31.25, Math.ceil((now.getTime() - lastMonth.getTime()) / 86_400_000))
    const [made] = await eventually(list, (rows) => rows.some(({ status }) => status === 2), 90_000)
    expect(made).toMatchObject({ status: 2, total: 31.25, charge_to_date: lastMonth.toISOString().slice(0, 10) })
    const mail = await mailTo(product.dataDir, 'ada@nile.example', 1, 'nvoice')
    expect(mail.attachments[0]?.filename).toBe(`${made?.number}.pdf`)
    expect(await list()).toHaveLength(1)
    const id = made?.id ?? ''
    expect((await reaches(id, ({ mails }) => mails > 0)).mails).toBe(1)
  })

  it('policies of invoices carry out a payment whose process ended after it was recorded', async () => {
    const [row] = await list()
    const id = row?.id ?? ''
    await other.invoices.execute(id, other.context(), {
      type: 'LogPayment',
      payment: {
        payment_id: 'abandoned',
        source: 'logged',
        amount: 10_000_000,
        method: 'cash',
        paid_at: '2026-01-01',
        reference: '',
        comment: '',
      },
      by: 'system:test',
      limit: null,
      force: false,
      known: false,
    })
    const { paid } = await reaches(id, (invoice) => invoice.paid === 10)
    expect(paid).toBe(10)
  })

  it('policies of invoices take back from an invoice what a refund takes from its payment', async () => {
    const [row] = await list()
    const id = row?.id ?? ''
    await other.accounts.execute(space, other.context(), {
      type: 'RefundPayment',
      paymentId: 'abandoned',
      refundId: 'refund-1',
      amount: 4_000_000,
    })
    const { paid, status } = await reaches(id, (invoice) => invoice.paid === 6)
    expect([paid, status]).toEqual([6, 4])
  })
})

describe('a refund that no process followed', () => {
  let product: TestProduct
  let other: ReturnType<typeof otherProcess>
  beforeAll(async () => {
    // Read models are kept up, and no policies run but those of the test.
    product = await startTestProduct({ PLACARD_ROLE: 'projector' })
    other = otherProcess(product)
  })
  afterAll(async () => {
    await other.store.close()
    await product.stop()
  })

  it('a refund that no process followed is taken back from its invoice by the scan of every hour', async () => {
    const { pool } = product.database
    const { rows } = await pool.query<{ space: string }>(`select space_id as space from rm_accounts where name = 'Nile Travel'`)
    const space = rows[0]?.space ?? ''
    const [invoice, payment] = [newId(), newId()]
    const run = (command: InvoiceCommand) => other.invoices.execute(invoice, other.context(), command)
    await issueInvoice(run, { spaceId: space, whitelabelId: 'dsp' }, 'DSP-2026-900001')
    const details = { amount: 1_000_000, method: 'cash' as const, paid_at: '2026-02-02', reference: '', comment: '' }
    await run({
      type: 'LogPayment',
      payment: { ...details, payment_id: payment, source: 'logged' },
      by: 'system:test',
      limit: null,
      force: false,
      known: false,
    })
    await other.invoices.finish(invoice)
    const paid = async () =>
      Number((await pool.query<{ paid: string }>('select paid from rm_invoices where id = $1', [invoice])).rows[0]?.paid)
    await eventually(paid, (amount) => amount === 1_000_000)

    // Its log is empty: whatever moves, it follows nothing.
    const silent = createMemoryEventStore()
    const db = createKysely(pool)
    const policy = await takeBackPolicy({
      invoices: other.invoices,
      store: silent,
      caughtUp: async () => {},
      takenBack: (spaceIds) => takenBack(db, spaceIds),
      givenBack: (spaceIds) => givenBack(db, spaceIds),
      commandId: derivedId,
      onError: () => {},
    })
    const started = performance.now()
    const scanAfter = async (ms: number) => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(started + ms)
      try {
        return await policy.scan([])
      } finally {
        clock.mockRestore()
      }
    }
    try {
      expect(await scanAfter(0)).toHaveLength(0)
      const refund = { type: 'RefundPayment', paymentId: payment, refundId: 'missed', amount: 400_000 } as const
      await other.accounts.execute(space, other.context(), refund)
      await eventually(
        () => pool.query(`select from rm_account_ledger where document_id = 'missed'`),
        ({ rowCount }) => rowCount === 1,
      )
      expect(await scanAfter(3_590_000)).toHaveLength(0)
      const due = await scanAfter(3_610_000)
      expect(due).toHaveLength(1)
      for (const { act } of due) await act()
      expect(await eventually(paid, (amount) => amount !== 1_000_000)).toBe(600_000)
      // A found refund is scanned once more, and nothing is taken twice.
      expect(await scanAfter(3_620_000)).toHaveLength(0)
      expect(await scanAfter(7_220_000)).toHaveLength(0)
      expect(await paid()).toBe(600_000)
    } finally {
      await policy.stop()
      await silent.close()
    }
  })
})
