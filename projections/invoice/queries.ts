import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isRepeated } from '#domain/invoice/invoice'
import type { InvoiceLine, PaymentDetails } from '#domain/invoice/events'
import type { GivenBack, TakenBack } from '#domain/invoice/moved-back'
import type { InvoiceState } from '#domain/invoice/state'
import type { Micros } from '#domain/kit/money'
import { allOf, anyOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { holdsText } from '../name-search.ts'
import { pageAndTotal } from '../page-and-total.ts'

export type InvoiceRow = {
  readonly id: string
  readonly space_name: string
  readonly dated_at: string
  /** Micros; those of drafts are known only while they are read. */
  readonly paid: Micros
  readonly credited: Micros
  readonly state: InvoiceState
}

export type InvoiceFilter = {
  /** Null for every white-label. */
  readonly whitelabelId: string | null
  /** Null for every account. */
  readonly spaceId: string | null
  /** Status keys; empty for all. */
  readonly statuses: readonly number[]
  /** Instants, ISO 8601; null is open. */
  readonly from: string | null
  readonly to: string | null
  readonly search: string
  /** Drafts are the white-label's own business. */
  readonly drafts: boolean
  readonly now: string
}

/** Mirrors `statusOf`. */
const status = (now: string) => sql`
  case when i.stage = 'void' then 5 when i.stage <> 'issued' then 1
    when i.kind = 'credit_note' or i.paid >= i.payable then 3
    when i.due_at < ${now} then 6 when i.paid > 0 then 4 else 2 end`

function matching({ whitelabelId, spaceId, statuses, from, to, search, drafts, now }: InvoiceFilter): RawBuilder<unknown> {
  const text = search.trim().toLowerCase()
  const conditions = [
    sql`i.stage <> 'deleted'`,
    ...(whitelabelId === null ? [] : [sql`i.whitelabel_id = ${whitelabelId}`]),
    ...(spaceId === null ? [] : [sql`i.space_id = ${spaceId}`]),
    ...(drafts ? [] : [sql`i.stage in ('issued', 'void')`]),
    ...(from === null ? [] : [sql`i.dated_at >= ${from}`]),
    ...(to === null ? [] : [sql`i.dated_at <= ${to}`]),
    ...(statuses.length === 0 ? [] : [sql`${status(now)} = any(${[...statuses]}::int[])`]),
    ...(text === ''
      ? []
      : [
          sql`(strpos(lower(coalesce(i.number, '')), ${text}) > 0
            or ${holdsText(sql`coalesce(a.search_name, '')`, text)})`,
        ]),
  ]
  return sql`rm_invoices i left join rm_accounts a on a.space_id = i.space_id where ${sql.join(conditions, sql` and `)}`
}

const SHOWN = sql`
  i.id, coalesce(a.name, '') as space_name, i.dated_at, i.paid::float8 as paid, i.credited::float8 as credited, i.state`

/** One page, newest first, and the number of all. */
export const pageOfInvoices = (db: Kysely<Db>, filter: InvoiceFilter, page: number, size: number) =>
  pageAndTotal(db, {
    found: sql`select i.id, i.dated_at from ${matching(filter)}`,
    order: sql`page.dated_at desc, page.id`,
    page,
    size,
    shown: sql<InvoiceRow>`
      select ${SHOWN} from page join rm_invoices i on i.id = page.id left join rm_accounts a on a.space_id = i.space_id`,
  })

export type InvoiceTotals = {
  readonly currency: string
  readonly count: number
  readonly payable: Micros
  readonly paid: Micros
  readonly overdue: Micros
  readonly credited: Micros
}

/** Sums of issued invoices that are not void, by currency: sums across currencies mean nothing. */
export async function totalsOfInvoices(db: Kysely<Db>, filter: InvoiceFilter): Promise<readonly InvoiceTotals[]> {
  const { rows } = await sql<InvoiceTotals>`
    select currency, count(*)::int as count, sum(payable)::float8 as payable, sum(paid)::float8 as paid,
      coalesce(sum(payable - paid) filter (where status = 6), 0)::float8 as overdue, sum(credited)::float8 as credited
    from (select i.*, ${status(filter.now)} as status from ${matching(filter)}) i
    where i.stage = 'issued' and i.kind = 'invoice' group by currency order by currency`.execute(db)
  return rows
}

/** Null for an unknown id, and for a deleted draft. */
export async function findInvoice(db: Kysely<Db>, id: string): Promise<InvoiceRow | null> {
  const { rows } = await sql<InvoiceRow>`
    select ${SHOWN} from rm_invoices i left join rm_accounts a on a.space_id = i.space_id
    where i.id = ${id} and i.stage <> 'deleted'`.execute(db)
  return rows[0] ?? null
}

/** The stage of an invoice, deleted drafts included; null for an unknown id. */
export async function stageOf(db: Kysely<Db>, id: string): Promise<InvoiceState['stage'] | null> {
  const invoices = db.selectFrom('rm_invoices').select('stage').$narrowType<Pick<InvoiceState, 'stage'>>()
  return (await invoices.where('id', '=', id).executeTakeFirst())?.stage ?? null
}

/** Invoices that were issued between these instants and never mailed. */
export async function unmailedInvoices(
  db: Kysely<Db>,
  from: string,
  to: string,
): Promise<readonly Pick<InvoiceRow, 'id' | 'state'>[]> {
  return db
    .selectFrom('rm_invoices')
    .select(['id', 'state'])
    .where('dated_at', '>', from)
    .where('changed_at', '<', to)
    .where('stage', '=', 'issued')
    .where('kind', '=', 'invoice')
    .where((eb) => sql<boolean>`(${eb.ref('state')} -> 'mails')::int = 0`)
    .$castTo<Pick<InvoiceRow, 'id' | 'state'>>()
    .execute()
}

export type OverdueInvoice = {
  readonly id: string
  readonly space_id: string
  readonly whitelabel_id: string
  readonly number: string
  readonly currency: string
  /** ISO 8601 UTC. */
  readonly due: string
  /** Amount left to pay, micros. */
  readonly left: Micros
}

/** Unpaid invoices that were due between these instants, but for these. */
export async function overdueSince(
  db: Kysely<Db>,
  { since, now, except }: { readonly since: string; readonly now: string; readonly except: readonly string[] },
): Promise<readonly OverdueInvoice[]> {
  const { rows } = await sql<OverdueInvoice>`
    select i.id, i.space_id, i.whitelabel_id, coalesce(i.number, '') as number, i.currency, i.due_at as due,
      (i.payable - i.paid)::float8 as left
    from rm_invoices i
    where i.stage = 'issued' and i.kind = 'invoice' and i.paid < i.payable and i.due_at > ${since} and i.due_at < ${now}
      and i.id <> all(${[...except]})
    order by i.due_at, i.id limit 1000`.execute(db)
  return rows
}

/** The invoice on which this payment was recorded. */
export async function invoiceOfPayment(db: Kysely<Db>, paymentId: string): Promise<string | null> {
  const invoice = await db
    .selectFrom('rm_invoices')
    .select('id')
    .where((eb) => sql<boolean>`${eb.ref('payments')} @> array[${paymentId}]`)
    .executeTakeFirst()
  return invoice?.id ?? null
}

export async function linesOfInvoice(db: Kysely<Db>, id: string): Promise<readonly InvoiceLine[]> {
  return db
    .selectFrom('rm_invoice_lines')
    .select((eb) => [
      'campaign_id',
      'name',
      sql<number>`${eb.ref('amount')}::float8`.as('amount'),
      sql<number | null>`${eb.ref('impressions')}::float8`.as('impressions'),
      'late',
    ])
    .where('invoice_id', '=', id)
    .orderBy('line')
    .execute()
}

export type InvoiceHistoryRow = {
  readonly id: string
  readonly at: string
  readonly actor: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export async function historyOfInvoice(db: Kysely<Db>, id: string): Promise<readonly InvoiceHistoryRow[]> {
  return db
    .selectFrom('rm_invoice_history')
    .select(['event_id as id', 'at', 'actor', 'type', 'data'])
    .where('invoice_id', '=', id)
    .orderBy('version', 'desc')
    .$castTo<InvoiceHistoryRow>()
    .execute()
}

/** Whether another invoice of the account has a payment with this reference, amount and day. */
export async function paymentIsKnown(db: Kysely<Db>, spaceId: string, payment: PaymentDetails): Promise<boolean> {
  if (payment.reference === '') return false
  const rows = await db
    .selectFrom('rm_invoices')
    .select('state')
    .where('space_id', '=', spaceId)
    .where((eb) => sql<boolean>`${eb.ref('payments')} <> '{}'`)
    .$castTo<Pick<InvoiceRow, 'state'>>()
    .execute()
  return rows.some(({ state }) =>
    Object.values(state.payments).some((one) => one.payment_id !== payment.payment_id && isRepeated(one, payment)),
  )
}

/** Invoices with steps that were decided and not carried out this long ago. */
export async function unfinishedInvoices(
  db: Kysely<Db>,
  before: string,
  limit: number,
  except: readonly string[] = [],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('rm_invoices')
    .select('id')
    .where('unfinished', '=', true)
    .where('changed_at', '<', before)
    .where('id', '<>', allOf(except))
    .orderBy('changed_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Refunds and disputes of payments for invoices that the invoices do not know, of these accounts, or of all for null. */
export async function takenBack(db: Kysely<Db>, spaceIds: readonly string[] | null): Promise<readonly TakenBack[]> {
  const { rows } = await sql<TakenBack>`
    select i.space_id, i.id as invoice_id, l.payment_id, l.document_id, (-l.amount)::float8 as amount, l.type
    from rm_account_ledger l join rm_invoices i on i.space_id = l.space_id and i.payments @> array[l.payment_id]
    where l.type in ('refund', 'dispute') and (${spaceIds}::text[] is null or l.space_id = any(${spaceIds}::text[]))
      and not (i.state -> 'releases' ? l.document_id)`.execute(db)
  return rows
}

/** Refunds that failed and disputes that were won, of payments whose invoices do not know it, of these accounts, or of all for null. */
export async function givenBack(db: Kysely<Db>, spaceIds: readonly string[] | null): Promise<readonly GivenBack[]> {
  const { rows } = await sql<GivenBack>`
    select i.space_id, i.id as invoice_id, l.document_id, l.amount::float8 as amount, l.type
    from rm_account_ledger l join rm_invoices i on i.space_id = l.space_id and i.payments @> array[l.payment_id]
    where l.type in ('refund_reversed', 'dispute_won') and (${spaceIds}::text[] is null or l.space_id = any(${spaceIds}::text[]))
      and i.state -> 'releases' ? l.document_id and i.state -> 'releases' -> l.document_id -> 'restored' is null`.execute(db)
  return rows
}

/** Names of campaigns by id. */
export async function campaignNames(db: Kysely<Db>, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('rm_campaign_list').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
