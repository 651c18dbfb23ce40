import { sql } from 'kysely'
import { decodeInvoiceEvent, INVOICE_STREAMS } from '#domain/invoice/events'
import { evolve as evolveInvoice, initial as initialInvoice } from '#domain/invoice/state'
import { readMetadata } from '#domain/kit/event-metadata'
import { changed, eventsUntil, isAmong, literal, pastTables, standBefore, type Among, type Then } from '../past/then.ts'
import { physicalSet } from '../projector/read-model.ts'
import { datedAt, INVOICES, storeInvoice } from './invoices.ts'
import { invoices } from './read-model.ts'

/** Lets invoices and their history stand as they did then. Lines need not: an invoice gets them when it is issued, once. */
export async function putInvoices(then: Then, among: Among): Promise<void> {
  const { tx, at } = then
  const tables = pastTables(invoices.tables)
  const past = physicalSet(INVOICES, tables).invoices
  const since = await changed(
    tx,
    sql`select i.id from rm_invoices i where i.changed_at > ${at} and ${isAmong('i', 'id', among)}
      and exists (select from rm_invoice_history h where h.invoice_id = i.id and h.at <= ${at})`,
  )
  await invoices.create(tx, tables)
  for await (const events of eventsUntil(
    then,
    since.map((id) => `${INVOICE_STREAMS}${id}`),
  )) {
    let state = initialInvoice
    for (const stored of events) state = evolveInvoice(state, decodeInvoiceEvent(stored), readMetadata(stored.metadata))
    const [first, newest] = [events[0], events.at(-1)]
    if (first === undefined || newest === undefined) continue
    await storeInvoice(tx, past, {
      id: newest.stream.slice(INVOICE_STREAMS.length),
      state,
      at: readMetadata(newest.metadata).at,
      datedAt: datedAt(state, readMetadata(first.metadata).at),
      version: newest.version,
    })
  }
  await standBefore(tx, { base: 'invoices', alias: 'i', live: sql`i.changed_at <= ${literal(at)}`, past: past.name })
  await standBefore(tx, { base: 'invoice_history', alias: 'h', live: sql`h.at <= ${literal(at)}` })
}
