import { sql, type Kysely } from 'kysely'
import { decodeInvoiceEvent, INVOICE_STREAMS, type InvoiceEvent } from '#domain/invoice/events'
import {
  creditedOf,
  evolve as evolveInvoice,
  initial as initialInvoice,
  isUnfinished,
  paidOf,
  type InvoiceState,
} from '#domain/invoice/state'
import { readMetadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { addRows, column, table, upsertRows, type PhysicalSet } from '../projector/table.ts'

/** Invoices and credit notes, the lines of issued ones, and what happened to each. */
export const INVOICES = {
  invoices: table(
    {
      id: column.id(),
      space_id: column.id(),
      whitelabel_id: column.id(),
      currency: column.text(),
      kind: column.text<InvoiceState['kind']>(),
      stage: column.text<InvoiceState['stage']>(),
      number: column.id().orNull,
      charge_from_date: column.id(),
      charge_to_date: column.id(),
      /** When it was issued, or drafted. */
      dated_at: column.id(),
      due_at: column.id().orNull,
      total: column.big,
      payable: column.big,
      paid: column.big,
      credited: column.big,
      payments: column.texts(),
      unfinished: column.flag,
      changed_at: column.id(),
      state: column.jsonb<InvoiceState>(),
      version: column.int,
    },
    {
      key: ['id'],
      indexes: ['(whitelabel_id, dated_at)', '(space_id, dated_at)', 'using gin (payments)', '(changed_at) where unfinished'],
    },
  ),
  invoice_lines: table(
    {
      invoice_id: column.id(),
      line: column.int,
      campaign_id: column.id(),
      name: column.text(),
      amount: column.big,
      /** Null where the charges are older than their count. */
      impressions: column.big.orNull,
      late: column.flag,
    },
    { key: ['invoice_id', 'line'] },
  ),
  invoice_history: table(
    {
      invoice_id: column.id(),
      version: column.int,
      event_id: column.id(),
      at: column.id(),
      actor: column.id(),
      type: column.id<InvoiceEvent['type']>(),
      data: column.jsonb<object>(),
    },
    { key: ['invoice_id', 'version'] },
  ),
}
type Tables = PhysicalSet<typeof INVOICES>

export const isOfInvoice = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => stream.startsWith(INVOICE_STREAMS)

export async function applyInvoices(db: Kysely<Db>, tables: Tables, events: readonly StoredEvent[]): Promise<void> {
  const { invoices, invoice_lines: lines, invoice_history: history } = tables
  for (const stored of events.filter(isOfInvoice)) {
    const event = decodeInvoiceEvent(stored)
    const meta = readMetadata(stored.metadata)
    const id = stored.stream.slice(INVOICE_STREAMS.length)
    const { rows } = await sql<{ readonly state: InvoiceState; readonly version: number; readonly drafted_at: string }>`
      select state, version, (select at from ${history} where invoice_id = ${id} order by version limit 1) as drafted_at
      from ${invoices} where id = ${id}`.execute(db)
    const [known] = rows
    // An event that was applied before.
    if (known !== undefined && known.version >= stored.version) continue
    const state = evolveInvoice(known?.state ?? initialInvoice, event, meta)
    const { lines: issued = [], ...data } = event.type === 'InvoiceIssued' ? event.data : { ...event.data, lines: undefined }
    await addRows(db, history, [
      { invoice_id: id, version: stored.version, event_id: stored.id, at: meta.at, actor: meta.actor, type: event.type, data },
    ])
    await addRows(
      db,
      lines,
      issued.map(({ campaign_id, name, amount, impressions = null, late = false }, n) => ({
        invoice_id: id,
        line: n + 1,
        campaign_id,
        name,
        amount,
        impressions,
        late,
      })),
    )
    await storeInvoice(db, invoices, {
      id,
      state,
      at: meta.at,
      datedAt: datedAt(state, known?.drafted_at ?? meta.at),
      version: stored.version,
    })
  }
}

/** When an invoice was issued, or else drafted. */
export const datedAt = (state: InvoiceState, draftedAt: string): string => state.issued_at ?? draftedAt

/** An invoice after an event, at which it changed. */
export type StoredInvoice = {
  readonly id: string
  readonly state: InvoiceState
  readonly at: string
  readonly datedAt: string
  readonly version: number
}

/** Writes the row of an invoice. */
export async function storeInvoice(
  db: Kysely<Db>,
  invoices: Tables['invoices'],
  { id, state, at, datedAt: dated, version }: StoredInvoice,
): Promise<void> {
  const { space_id, whitelabel_id, currency, kind, stage, number, charge_from_date, charge_to_date, due_at, total, payable } =
    state
  await upsertRows(db, invoices, [
    {
      id,
      space_id,
      whitelabel_id,
      currency,
      kind,
      stage,
      number,
      charge_from_date,
      charge_to_date,
      due_at,
      total,
      payable,
      dated_at: dated,
      paid: paidOf(state),
      credited: creditedOf(state),
      payments: Object.keys(state.payments),
      unfinished: isUnfinished(state),
      changed_at: at,
      state,
      version,
    },
  ])
}
