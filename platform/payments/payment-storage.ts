import { sql, type Kysely } from 'kysely'
import type { PaymentStorage, PaymentTask, StoredCard, StoredWebhook } from '#commands/payment/payment-storage'
import type { PaymentProvider, PaymentState } from '#domain/payment/payment'
import type { Db } from '#migrations/db'

export type PaymentStorageDeps = {
  readonly db: Kysely<Db>
  /** Prepares what a finished payment causes once, such as its receipt; the result is stored in the given transaction. */
  readonly onFinished: (paymentId: string, state: PaymentState) => Promise<(tx: Kysely<Db>) => Promise<void>>
}

const CARD = sql`id, space_id, provider, customer_id, method_id, brand, last4, exp_month, exp_year, holder_name, country, funding,
  fingerprint, added_by, to_json(created_at) #>> '{}' as created_at, to_json(removed_at) #>> '{}' as removed_at`

/** The storage of payments in PostgreSQL. */
export function createPaymentStorage({ db, onFinished }: PaymentStorageDeps): PaymentStorage {
  return {
    cards: {
      async find(id) {
        const { rows } = await sql<StoredCard>`select ${CARD} from app.cards where id = ${id}`.execute(db)
        return rows[0] ?? null
      },
      async byFingerprint(spaceId, provider, fingerprint) {
        const { rows } = await sql<StoredCard>`
          select ${CARD} from app.cards
          where space_id = ${spaceId} and provider = ${provider} and fingerprint = ${fingerprint} and removed_at is null`.execute(
          db,
        )
        return rows[0] ?? null
      },
      async store(card) {
        await sql`
          insert into app.cards (id, space_id, provider, customer_id, method_id, brand, last4, exp_month, exp_year, holder_name,
            country, funding, fingerprint, added_by, created_at)
          values (${card.id}, ${card.space_id}, ${card.provider}, ${card.customer_id}, ${card.method_id}, ${card.brand}, ${card.last4},
            ${card.exp_month}, ${card.exp_year}, ${card.holder_name}, ${card.country}, ${card.funding}, ${card.fingerprint},
            ${card.added_by}, ${card.created_at})
          on conflict (space_id, provider, fingerprint) where removed_at is null do update
            set customer_id = excluded.customer_id, method_id = excluded.method_id, exp_month = excluded.exp_month, exp_year = excluded.exp_year,
              holder_name = excluded.holder_name, warned_at = null`.execute(db)
      },
      async remove(id, at) {
        await sql`
          update app.cards set removed_at = coalesce(removed_at, ${at}), holder_name = null where id = ${id}`.execute(db)
      },
    },
    customers: {
      async find(spaceId, provider) {
        const { rows } = await sql<{ readonly customer_id: string }>`
          select customer_id from app.payment_customers where space_id = ${spaceId} and provider = ${provider}`.execute(db)
        return rows[0]?.customer_id ?? null
      },
      async store(spaceId, provider, customerId, insteadOf) {
        await sql`
          insert into app.payment_customers as known (space_id, provider, customer_id) values (${spaceId}, ${provider}, ${customerId})
          on conflict (space_id, provider) do update set customer_id = excluded.customer_id
            where known.customer_id = ${insteadOf}::text`.execute(db)
      },
    },
    async adopt(provider) {
      for (const table of ['app.cards', 'app.payment_customers'])
        await sql`update ${sql.table(table)} set provider = ${provider} where provider = 'stripe_unknown'`.execute(db)
    },
    async otherProviders(provider) {
      const { rows } = await sql<{ readonly provider: PaymentProvider }>`
        select distinct provider from app.cards where provider <> ${provider} and removed_at is null order by provider`.execute(
        db,
      )
      return rows.map((row) => row.provider)
    },
    tasks: {
      async add({ paymentId, spaceId, cardId, startedAt, dueAt }) {
        await sql`
          insert into app.payment_tasks (payment_id, space_id, card_id, started_at, due_at)
          values (${paymentId}, ${spaceId}, ${cardId}, ${startedAt}, ${dueAt}) on conflict do nothing`.execute(db)
      },
      async due(now, limit) {
        const { rows } = await sql<PaymentTask>`
          select payment_id as "paymentId", to_json(started_at) #>> '{}' as "startedAt", attempts from app.payment_tasks
          where due_at <= ${now} order by due_at limit ${limit}`.execute(db)
        return rows
      },
      async postpone(paymentId, dueAt, attempts) {
        await sql`update app.payment_tasks set due_at = ${dueAt}, attempts = ${attempts} where payment_id = ${paymentId}`.execute(
          db,
        )
      },
      async finish(paymentId, state) {
        // Before the transaction, which must not ask the pool for a second connection.
        const store = state === null ? null : await onFinished(paymentId, state)
        await db.transaction().execute(async (tx) => {
          const { rows } = await sql`
            delete from app.payment_tasks where payment_id = ${paymentId} returning payment_id`.execute(tx)
          if (rows.length > 0) await store?.(tx)
        })
      },
      async ofAccount(spaceId) {
        const { rows } = await sql`select 1 from app.payment_tasks where space_id = ${spaceId} limit 1`.execute(db)
        return rows.length > 0
      },
      async ofCard(cardId) {
        const { rows } = await sql`select 1 from app.payment_tasks where card_id = ${cardId} limit 1`.execute(db)
        return rows.length > 0
      },
    },
    webhooks: {
      async add({ id, type, providerPaymentId, at }) {
        const doneAt = providerPaymentId === null ? at : null
        const { numAffectedRows } = await sql`
          insert into app.payment_webhooks (id, type, provider_payment_id, received_at, due_at, done_at)
          values (${id}, ${type}, ${providerPaymentId}, ${at}, ${at}, ${doneAt}) on conflict do nothing`.execute(db)
        return numAffectedRows === 1n
      },
      async due(now, limit) {
        const { rows } = await sql<StoredWebhook>`
          select id, provider_payment_id as "providerPaymentId", attempts from app.payment_webhooks
          where done_at is null and due_at <= ${now} order by due_at limit ${limit}`.execute(db)
        return rows
      },
      async done(id, at) {
        await sql`update app.payment_webhooks set done_at = ${at} where id = ${id} and done_at is null`.execute(db)
      },
      async postpone(id, dueAt) {
        await sql`update app.payment_webhooks set due_at = ${dueAt}, attempts = attempts + 1 where id = ${id}`.execute(db)
      },
    },
  }
}
