import { sql, type Kysely } from 'kysely'
import { decodeInvoiceEvent, invoiceStream } from '../../domain/invoice/events.ts'
import { evolveInvoice, initialInvoice, type InvoiceState } from '../../domain/invoice/state.ts'
import { readMetadata } from '../../domain/kit/event-metadata.ts'
import type { Micros } from '../../domain/kit/money.ts'
import type { EventStore } from '../../eventstore/event-store.ts'
import { differencesOf, sumsBy, type Check } from './difference.ts'

const sum = (amounts: readonly Micros[]): Micros => amounts.reduce((all, amount) => all + amount, 0)

/** What pays an invoice by its own events: payments, and credit notes on what was due. */
const paidOf = ({ payments, credits }: InvoiceState): Micros =>
  sum([...Object.values(payments).map(({ applied }) => applied), ...Object.values(credits).map(({ assigned }) => assigned)])

/**
 * The funds that the ledger assigned to each invoice against the payments that the invoice has; and the total of each issued invoice
 * against the charges that it took.
 */
export const invoicesAgainstLedger =
  (db: Kysely<never>, store: EventStore): Check =>
  async (ledger) => {
    const { rows } = await sql<{ readonly id: string; readonly amount: bigint }>`
      select i.id, coalesce((select sum(c.amount) from app.delivery_charges c where c.invoice_id = i.id), 0)::bigint as amount
      from rm_invoices i where i.space_id = ${ledger.spaceId} and i.kind = 'invoice'`.execute(db)
    const assigned = sumsBy(
      ledger.movements.filter((event) => event.type === 'FundsAssigned' || event.type === 'FundsReleased'),
      ({ data }) => ('invoice_id' in data ? (data.invoice_id ?? '') : ''),
      ({ type, data }) => (type === 'FundsReleased' ? -data.amount : data.amount),
    )
    const paid = new Map<string, Micros>()
    const totals = new Map<string, Micros>()
    for (const { id } of rows) {
      const events = await store.readStream(invoiceStream(id))
      const state = events.reduce(
        (before, stored) => evolveInvoice(before, decodeInvoiceEvent(stored), readMetadata(stored.metadata)),
        initialInvoice,
      )
      if (paidOf(state) !== 0 || assigned.has(id)) paid.set(id, paidOf(state))
      if (state.stage === 'issued') totals.set(id, state.total)
    }
    const charged = new Map(rows.map(({ id, amount }) => [id, Number(amount)]))
    return [
      ...differencesOf(ledger, { check: 'funds of invoice', against: 'invoice' }, assigned, paid),
      ...differencesOf(
        ledger,
        { check: 'total of invoice', against: 'charges' },
        totals,
        new Map([...totals.keys()].map((id) => [id, charged.get(id) ?? 0])),
      ),
    ]
  }
