import { sql, type Kysely } from 'kysely'
import { decodeInvoiceEvent, INVOICE_STREAMS } from '#domain/invoice/events'
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

/** Invoices and credit notes, the lines of issued ones, and what happened to each. */
export const INVOICES = 'invoices'
export const INVOICE_LINES = 'invoice_lines'
export const INVOICE_HISTORY = 'invoice_history'

/** Physical tables of a generation. */
export type InvoiceTables = { readonly invoices: string; readonly lines: string; readonly history: string }

export async function createInvoiceTables(db: Kysely<Db>, { invoices, lines, history }: InvoiceTables): Promise<void> {
  await sql`
    create table ${sql.table(invoices)} (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      currency text not null,
      kind text not null,
      stage text not null,
      number text collate "C",
      charge_from_date text collate "C" not null,
      charge_to_date text collate "C" not null,
      -- When it was issued, or drafted.
      dated_at text collate "C" not null,
      due_at text collate "C",
      total bigint not null,
      payable bigint not null,
      paid bigint not null,
      credited bigint not null,
      payments text[] not null,
      unfinished boolean not null,
      changed_at text collate "C" not null,
      state jsonb not null,
      version integer not null
    )`.execute(db)
  await sql`
    create table ${sql.table(lines)} (
      invoice_id text collate "C" not null,
      line integer not null,
      campaign_id text collate "C" not null,
      name text not null,
      amount bigint not null,
      -- Null where the charges are older than their count.
      impressions bigint,
      late boolean not null,
      primary key (invoice_id, line)
    )`.execute(db)
  await sql`
    create table ${sql.table(history)} (
      invoice_id text collate "C" not null,
      version integer not null,
      event_id text collate "C" not null,
      at text collate "C" not null,
      actor text collate "C" not null,
      type text collate "C" not null,
      data jsonb not null,
      primary key (invoice_id, version)
    )`.execute(db)
}

export async function indexInvoiceTables(db: Kysely<Db>, { invoices }: InvoiceTables): Promise<void> {
  await sql`create index on ${sql.table(invoices)} (whitelabel_id, dated_at)`.execute(db)
  await sql`create index on ${sql.table(invoices)} (space_id, dated_at)`.execute(db)
  await sql`create index on ${sql.table(invoices)} using gin (payments)`.execute(db)
  await sql`create index on ${sql.table(invoices)} (changed_at) where unfinished`.execute(db)
}

export const isOfInvoice = ({ stream }: Pick<StoredEvent, 'stream'>): boolean => stream.startsWith(INVOICE_STREAMS)

export async function applyInvoices(db: Kysely<Db>, tables: InvoiceTables, events: readonly StoredEvent[]): Promise<void> {
  const { invoices, lines, history } = tables
  for (const stored of events.filter(isOfInvoice)) {
    const event = decodeInvoiceEvent(stored)
    const meta = readMetadata(stored.metadata)
    const id = stored.stream.slice(INVOICE_STREAMS.length)
    const { rows } = await sql<{ readonly state: InvoiceState; readonly version: number; readonly drafted_at: string }>`
      select state, version, (select at from ${sql.table(history)} where invoice_id = ${id} order by version limit 1) as drafted_at
      from ${sql.table(invoices)} where id = ${id}`.execute(db)
    const [known] = rows
    // An event that was applied before.
    if (known !== undefined && known.version >= stored.version) continue
    const state = evolveInvoice(known?.state ?? initialInvoice, event, meta)
    const { lines: issued = [], ...data } = event.type === 'InvoiceIssued' ? event.data : { ...event.data, lines: undefined }
    await sql`
      insert into ${sql.table(history)} (invoice_id, version, event_id, at, actor, type, data)
      values (${id}, ${stored.version}, ${stored.id}, ${meta.at}, ${meta.actor}, ${event.type}, ${JSON.stringify(data)}::jsonb)
      on conflict do nothing`.execute(db)
    if (issued.length > 0)
      await sql`
        insert into ${sql.table(lines)} (invoice_id, line, campaign_id, name, amount, impressions, late)
        select ${id}, ordinality, t.line ->> 'campaign_id', t.line ->> 'name', (t.line ->> 'amount')::bigint,
          (t.line ->> 'impressions')::bigint,
          coalesce((t.line ->> 'late')::boolean, false)
        from jsonb_array_elements(${JSON.stringify(issued)}::jsonb) with ordinality as t(line, ordinality)
        on conflict do nothing`.execute(db)
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
  table: string,
  { id, state, at, datedAt: dated, version }: StoredInvoice,
): Promise<void> {
  await sql`
    insert into ${sql.table(table)}
      (id, space_id, whitelabel_id, currency, kind, stage, number, charge_from_date, charge_to_date, dated_at, due_at, total,
       payable, paid, credited, payments, unfinished, changed_at, state, version)
    values (${id}, ${state.space_id}, ${state.whitelabel_id}, ${state.currency}, ${state.kind}, ${state.stage}, ${state.number},
      ${state.charge_from_date}, ${state.charge_to_date}, ${dated}, ${state.due_at},
      ${state.total}, ${state.payable}, ${paidOf(state)}, ${creditedOf(state)}, ${Object.keys(state.payments)}::text[],
      ${isUnfinished(state)}, ${at}, ${JSON.stringify(state)}::jsonb, ${version})
    on conflict (id) do update set
      stage = excluded.stage, number = excluded.number, charge_from_date = excluded.charge_from_date,
      charge_to_date = excluded.charge_to_date, dated_at = excluded.dated_at, due_at = excluded.due_at, total = excluded.total,
      payable = excluded.payable, paid = excluded.paid, credited = excluded.credited, payments = excluded.payments,
      unfinished = excluded.unfinished, changed_at = excluded.changed_at, state = excluded.state, version = excluded.version`.execute(
    db,
  )
}
