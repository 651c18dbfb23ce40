import { sql, type Kysely } from 'kysely'
import { decodeInvoiceEvent, invoiceStream } from '#domain/invoice/events'
import { evolve as evolveInvoice, initial as initialInvoice, type InvoiceState } from '#domain/invoice/state'
import { addedTax } from '#domain/invoice/tax'
import { readMetadata } from '#domain/kit/event-metadata'
import type { Micros } from '#domain/kit/money'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { differencesOf, sumsBy, type Check, type Difference } from './difference.ts'

const sum = (amounts: readonly Micros[]): Micros => amounts.reduce((all, amount) => all + amount, 0)

/** Amount that pays an invoice by its own events: payments, and credit notes on the amount that was due. */
const paidOf = ({ payments, credits }: InvoiceState): Micros =>
  sum([...Object.values(payments).map(({ applied }) => applied), ...Object.values(credits).map(({ assigned }) => assigned)])

async function stateOf(store: EventStore, id: string): Promise<InvoiceState> {
  return (await store.readStream(invoiceStream(id))).reduce(
    (before, stored) => evolveInvoice(before, decodeInvoiceEvent(stored), readMetadata(stored.metadata)),
    initialInvoice,
  )
}

/**
 * The funds that the ledger assigned to each invoice against the payments that the invoice has; its tax in the ledger; and the total of each issued invoice
 * against the charges that it took.
 */
export const invoicesAgainstLedger =
  (db: Kysely<Db>, store: EventStore): Check =>
  async (ledger) => {
    const { rows } = await sql<{ readonly id: string; readonly amount: bigint }>`
      select i.id, coalesce((select sum(c.amount) from app.charged_hours c where c.invoice_id = i.id), 0)::bigint as amount
      from rm_invoices i where i.space_id = ${ledger.spaceId} and i.kind = 'invoice'`.execute(db)
    const assigned = sumsBy(
      ledger.movements.filter((event) => event.type === 'FundsAssigned' || event.type === 'FundsReleased'),
      ({ data }) => ('invoice_id' in data ? (data.invoice_id ?? '') : ''),
      ({ type, data }) => (type === 'FundsReleased' ? -data.amount : data.amount),
    )
    const charges = sumsBy(
      ledger.movements.filter((event) => event.type === 'TaxCharged' || event.type === 'TaxReversed'),
      ({ data }) => ('invoice_id' in data ? (data.invoice_id ?? '') : ''),
      ({ type, data }) => (type === 'TaxReversed' ? -data.amount : data.amount),
    )
    const paid = new Map<string, Micros>()
    const totals = new Map<string, Micros>()
    const taxes = new Map<string, Micros>()
    for (const { id } of rows) {
      const state = await stateOf(store, id)
      if (paidOf(state) !== 0 || assigned.has(id)) paid.set(id, paidOf(state))
      if (state.stage === 'issued') totals.set(id, state.total)
      if (state.stage === 'issued' && addedTax(state) > 0) taxes.set(id, addedTax(state))
    }
    const charged = new Map(rows.map(({ id, amount }) => [id, Number(amount)]))
    return [
      ...differencesOf(ledger, { check: 'funds of invoice', against: 'invoice' }, assigned, paid),
      ...differencesOf(ledger, { check: 'tax of invoice', against: 'invoice' }, charges, taxes),
      ...differencesOf(
        ledger,
        { check: 'total of invoice', against: 'charges' },
        totals,
        new Map([...totals.keys()].map((id) => [id, charged.get(id) ?? 0])),
      ),
    ]
  }

/**
 * Charges that no invoice will ever take: those in the period of an invoice that does not exist, and those that such an invoice
 * took. Any other open charge goes on the next invoice.
 */
export const chargesAgainstInvoices =
  (db: Kysely<Db>, store: EventStore): Check =>
  async ({ spaceId }) => {
    const { rows } = await sql<{ readonly id: string; readonly claims: boolean; readonly open: bigint; readonly taken: bigint }>`
      select i.id, p.invoice_id is not null and not p.issued as claims,
        (select coalesce(sum(c.amount), 0)::bigint from app.charged_hours c
          where c.space_id = ${spaceId} and c.invoice_id is null and c.hour >= p.from_at and c.hour < p.to_at) as open,
        (select coalesce(sum(c.amount), 0)::bigint from app.charged_hours c where c.invoice_id = i.id) as taken
      from (select invoice_id as id from app.invoice_periods where space_id = ${spaceId}
        union select invoice_id from app.charged_hours where space_id = ${spaceId} and invoice_id is not null) i
      left join app.invoice_periods p on p.invoice_id = i.id`.execute(db)
    const found: Difference[] = []
    const lost = (id: string, check: string, amount: bigint) =>
      found.push({ space_id: spaceId, check, id, ledger: Number(amount), against: 'invoice', other: 0 })
    for (const { id, claims, open, taken } of rows) {
      const { stage } = await stateOf(store, id)
      const exists = stage !== 'none' && stage !== 'deleted'
      if (claims && !exists) lost(id, 'charges claimed by', open)
      if (taken > 0n && !exists) lost(id, 'charges taken by', taken)
    }
    return found
  }

/** Refunds and disputes in the ledger of payments that still pay an invoice in full, and those that came again and do not pay it. */
export const refundsAgainstInvoices =
  (db: Kysely<Db>, store: EventStore): Check =>
  async ({ spaceId, movements }) => {
    const found: Difference[] = []
    for (const { type, data } of movements) {
      if (type !== 'PaymentRefunded' && type !== 'PaymentDisputed' && type !== 'RefundReversed' && type !== 'DisputeWon') continue
      const { payment_id: paymentId, amount } = data
      const [check, id] = 'refund_id' in data ? ['refund', data.refund_id] : ['dispute', data.dispute_id]
      const isBack = type === 'RefundReversed' || type === 'DisputeWon'
      const invoices = await db
        .selectFrom('rm_invoices')
        .select('id')
        .where('space_id', '=', spaceId)
        .where((eb) => sql<boolean>`${eb.ref('payments')} @> array[${paymentId}]`)
        .execute()
      for (const invoice of invoices) {
        const { payments, releases } = await stateOf(store, invoice.id)
        const release = releases[id]
        if (payments[paymentId]?.stage === 'applied' && (isBack ? release?.restored : release) === undefined)
          found.push({ space_id: spaceId, check, id, ledger: amount, against: 'invoice', other: 0 })
      }
    }
    return found
  }
