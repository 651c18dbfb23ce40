import { sql, type Kysely } from 'kysely'
import { ACCOUNT_STREAMS, decodeAccountEvent, type AccountEvent } from '#domain/account/account'
import { isCardEvent } from '#domain/account/cards'
import { readMetadata } from '#domain/kit/event-metadata'
import type { FailureCode } from '#domain/payment/failures'
import {
  decodePaymentEvent,
  PAYMENT_STREAMS,
  type PaymentEvent,
  type PaymentOrigin,
  type PaymentStatus,
} from '#domain/payment/payment'
import type { StoredEvent } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { addRows, column, table, upsertRows, type PhysicalSet } from '../projector/table.ts'

/** Payments by card, the cards of accounts, and their automatic refills. What is printed on a card is joined from `app.cards`. */
export const PAYMENTS = {
  payments: table(
    {
      id: column.id(),
      space_id: column.id(),
      whitelabel_id: column.id(),
      /** Micros. */
      amount: column.big,
      currency: column.text(),
      card_id: column.id(),
      origin: column.text<PaymentOrigin>(),
      invoice_id: column.id().orNull,
      status: column.text<PaymentStatus>(),
      failure_code: column.text<FailureCode>().orNull,
      /** Given back to the card, micros. */
      refunded: column.big.or('0'),
      /** Amount and status of each dispute by its id. */
      disputes: column.jsonb<object>().or("'{}'"),
      actor: column.id(),
      created_at: column.id(),
      version: column.int,
    },
    { key: ['id'], indexes: ['(space_id, created_at desc, id)', '(card_id, created_at)'] },
  ),
  account_cards: table(
    { card_id: column.id(), space_id: column.id(), is_default: column.flag, version: column.int },
    { key: ['card_id'], indexes: ['(space_id)'] },
  ),
  auto_refills: table(
    {
      space_id: column.id(),
      enabled: column.flag,
      threshold: column.big,
      amount: column.big,
      monthly_limit: column.big,
      /** Failure of the refill since which none is made; null otherwise. */
      stopped_code: column.text<FailureCode>().orNull,
      stopped_at: column.id().orNull,
      version: column.int,
    },
    { key: ['space_id'], indexes: ['(space_id) where enabled'] },
  ),
}
type Tables = PhysicalSet<typeof PAYMENTS>

export const concernsPayments = ({ stream }: Pick<StoredEvent, 'stream'>): boolean =>
  stream.startsWith(PAYMENT_STREAMS) || stream.startsWith(ACCOUNT_STREAMS)

export async function applyPayments(db: Kysely<Db>, tables: Tables, events: readonly StoredEvent[]): Promise<void> {
  for (const stored of events) {
    if (stored.stream.startsWith(PAYMENT_STREAMS)) await applyPayment(db, tables.payments, stored)
    else if (stored.stream.startsWith(ACCOUNT_STREAMS)) await applyAccount(db, tables, stored)
  }
}

async function applyPayment(db: Kysely<Db>, payments: Tables['payments'], stored: StoredEvent): Promise<void> {
  const event = decodePaymentEvent(stored)
  const { version } = stored
  const id = stored.stream.slice(PAYMENT_STREAMS.length)
  if (event.type === 'PaymentStarted') {
    const { space_id, whitelabel_id, amount, currency, card_id, origin, invoice_id } = event.data
    const { at, actor } = readMetadata(stored.metadata)
    await addRows(db, payments, [
      {
        id,
        space_id,
        whitelabel_id,
        amount,
        currency,
        card_id,
        origin,
        invoice_id,
        status: 'processing',
        actor,
        created_at: at,
        version,
      },
    ])
    return
  }
  // The version guard ignores an event that was applied before.
  await sql`
    update ${payments} set ${changeOf(event)}, version = ${version} where id = ${id} and version < ${version}`.execute(db)
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

async function applyAccount(db: Kysely<Db>, { account_cards, auto_refills }: Tables, stored: StoredEvent): Promise<void> {
  const event: AccountEvent = decodeAccountEvent(stored)
  if (!isCardEvent(event)) return
  const spaceId = stored.stream.slice(ACCOUNT_STREAMS.length)
  const { version } = stored
  switch (event.type) {
    case 'CardAdded':
      await addRows(db, account_cards, [{ card_id: event.data.card_id, space_id: spaceId, is_default: false, version }])
      return
    case 'CardRemoved':
      await sql`delete from ${account_cards} where card_id = ${event.data.card_id} and version < ${version}`.execute(db)
      return
    case 'DefaultCardChanged':
      await sql`
        update ${account_cards} set is_default = (card_id is not distinct from ${event.data.card_id}::text), version = ${version}
        where space_id = ${spaceId} and version < ${version}`.execute(db)
      return
    case 'AutoRefillChanged': {
      const { enabled, threshold, amount, monthly_limit } = event.data
      await upsertRows(db, auto_refills, [
        { space_id: spaceId, enabled, threshold, amount, monthly_limit, stopped_code: null, stopped_at: null, version },
      ])
      return
    }
    case 'AutoRefillStopped':
      await sql`
        update ${auto_refills} set enabled = false, stopped_code = ${event.data.failure_code},
          stopped_at = ${readMetadata(stored.metadata).at}, version = ${version}
        where space_id = ${spaceId} and version < ${version}`.execute(db)
      return
  }
}
