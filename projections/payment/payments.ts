import { sql, type Kysely } from 'kysely'
import { ACCOUNT_STREAMS, decodeAccountEvent, type AccountEvent } from '#domain/account/account'
import { isCardEvent } from '#domain/account/cards'
import { readMetadata } from '#domain/kit/event-metadata'
import { decodePaymentEvent, PAYMENT_STREAMS, type PaymentEvent } from '#domain/payment/payment'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'

/** Payments by card, the cards of accounts, and their automatic refills. What is printed on a card is joined from `app.cards`. */
export const PAYMENTS = 'payments'
export const ACCOUNT_CARDS = 'account_cards'
export const AUTO_REFILLS = 'auto_refills'

/** Physical tables of a generation. */
export type PaymentTables = { readonly payments: string; readonly cards: string; readonly autoRefills: string }

export async function createPaymentsTables(db: Kysely<Db>, { payments, cards, autoRefills }: PaymentTables): Promise<void> {
  await sql`
    create table ${sql.table(payments)} (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      whitelabel_id text collate "C" not null,
      -- Micros.
      amount bigint not null,
      currency text not null,
      card_id text collate "C" not null,
      origin text not null,
      invoice_id text collate "C",
      status text not null,
      failure_code text,
      -- Given back to the card, micros.
      refunded bigint not null default 0,
      -- Amount and status of each dispute by its id.
      disputes jsonb not null default '{}',
      actor text collate "C" not null,
      created_at text collate "C" not null,
      version integer not null
    )`.execute(db)
  await sql`
    create table ${sql.table(cards)} (
      card_id text collate "C" primary key,
      space_id text collate "C" not null,
      is_default boolean not null,
      version integer not null
    )`.execute(db)
  await sql`
    create table ${sql.table(autoRefills)} (
      space_id text collate "C" primary key,
      enabled boolean not null,
      threshold bigint not null,
      amount bigint not null,
      monthly_limit bigint not null,
      -- Of the refill that failed, since which none is made; null otherwise.
      stopped_code text,
      stopped_at text collate "C",
      version integer not null
    )`.execute(db)
}

export async function indexPaymentsTables(db: Kysely<Db>, { payments, cards, autoRefills }: PaymentTables): Promise<void> {
  await sql`create index on ${sql.table(payments)} (space_id, created_at desc, id)`.execute(db)
  await sql`create index on ${sql.table(payments)} (card_id, created_at)`.execute(db)
  await sql`create index on ${sql.table(cards)} (space_id)`.execute(db)
  await sql`create index on ${sql.table(autoRefills)} (space_id) where enabled`.execute(db)
}

export const concernsPayments = ({ stream }: Pick<StoredEvent, 'stream'>): boolean =>
  stream.startsWith(PAYMENT_STREAMS) || stream.startsWith(ACCOUNT_STREAMS)

export async function applyPayments(db: Kysely<Db>, tables: PaymentTables, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events) {
    if (stored.stream.startsWith(PAYMENT_STREAMS)) await applyPayment(db, tables.payments, stored)
    else if (stored.stream.startsWith(ACCOUNT_STREAMS)) await applyAccount(db, tables, stored)
  }
}

async function applyPayment(db: Kysely<Db>, table: string, stored: StoredEvent): Promise<void> {
  const event = decodePaymentEvent(stored)
  const id = stored.stream.slice(PAYMENT_STREAMS.length)
  if (event.type === 'PaymentStarted') {
    const { space_id, whitelabel_id, amount, currency, card_id, origin, invoice_id } = event.data
    const { at, actor } = readMetadata(stored.metadata)
    await sql`
      insert into ${sql.table(table)} (id, space_id, whitelabel_id, amount, currency, card_id, origin, invoice_id, status, actor,
        created_at, version)
      values (${id}, ${space_id}, ${whitelabel_id}, ${amount}, ${currency}, ${card_id}, ${origin}, ${invoice_id}, 'processing',
        ${actor}, ${at}, ${stored.version})
      on conflict (id) do nothing`.execute(db)
    return
  }
  // The version guard ignores an event that was applied before.
  await sql`
    update ${sql.table(table)} set ${changeOf(event)}, version = ${stored.version}
    where id = ${id} and version < ${stored.version}`.execute(db)
}

function changeOf(event: Exclude<PaymentEvent, { readonly type: 'PaymentStarted' }>) {
  switch (event.type) {
    case 'PaymentOpened':
      return sql`status = status`
    case 'PaymentActionRequired':
      return sql`status = 'requires_action'`
    case 'PaymentSucceeded':
      return sql`status = 'succeeded', failure_code = null`
    case 'PaymentFailed':
      return sql`status = 'failed', failure_code = ${event.data.failure_code}`
    case 'RefundReported':
      return sql`refunded = refunded + ${event.data.amount}`
    case 'RefundFailed':
      return sql`refunded = refunded - ${event.data.amount}`
    case 'DisputeOpened': {
      const { dispute_id, amount } = event.data
      return sql`disputes = disputes || ${JSON.stringify({ [dispute_id]: { amount, status: 'open' } })}::jsonb`
    }
    case 'DisputeClosed': {
      const { dispute_id, won } = event.data
      return sql`disputes = jsonb_set(disputes, array[${dispute_id}::text, 'status'], ${JSON.stringify(won ? 'won' : 'lost')}::jsonb, false)`
    }
  }
}

async function applyAccount(db: Kysely<Db>, { cards, autoRefills }: PaymentTables, stored: StoredEvent): Promise<void> {
  const event: AccountEvent = decodeAccountEvent(stored)
  if (!isCardEvent(event)) return
  const spaceId = stored.stream.slice(ACCOUNT_STREAMS.length)
  const { version } = stored
  switch (event.type) {
    case 'CardAdded':
      await sql`
        insert into ${sql.table(cards)} (card_id, space_id, is_default, version)
        values (${event.data.card_id}, ${spaceId}, false, ${version}) on conflict (card_id) do nothing`.execute(db)
      return
    case 'CardRemoved':
      await sql`delete from ${sql.table(cards)} where card_id = ${event.data.card_id} and version < ${version}`.execute(db)
      return
    case 'DefaultCardChanged':
      await sql`
        update ${sql.table(cards)} set is_default = (card_id is not distinct from ${event.data.card_id}::text), version = ${version}
        where space_id = ${spaceId} and version < ${version}`.execute(db)
      return
    case 'AutoRefillChanged': {
      const { enabled, threshold, amount, monthly_limit } = event.data
      await sql`
        insert into ${sql.table(autoRefills)} as known (space_id, enabled, threshold, amount, monthly_limit, version)
        values (${spaceId}, ${enabled}, ${threshold}, ${amount}, ${monthly_limit}, ${version})
        on conflict (space_id) do update
          set enabled = excluded.enabled, threshold = excluded.threshold, amount = excluded.amount,
            monthly_limit = excluded.monthly_limit, stopped_code = null, stopped_at = null, version = excluded.version
          where known.version < excluded.version`.execute(db)
      return
    }
    case 'AutoRefillStopped':
      await sql`
        update ${sql.table(autoRefills)} set enabled = false, stopped_code = ${event.data.failure_code},
          stopped_at = ${readMetadata(stored.metadata).at}, version = ${version}
        where space_id = ${spaceId} and version < ${version}`.execute(db)
      return
  }
}
