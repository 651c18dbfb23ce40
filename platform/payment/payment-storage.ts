import { sql, type Kysely } from 'kysely'
import { PAYMENT_JOB, WEBHOOK_JOB } from '#commands/payment/payment-jobs'
import type { PaymentStorage, StoredCard } from '#commands/payment/payment-storage'
import type { PaymentProvider, PaymentState } from '#domain/payment/payment'
import { timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { removeJobs, storeWithJob } from '../jobs/job-queue.ts'

export type PaymentStorageDeps = {
  readonly db: Kysely<Db>
  /** Prepares what a finished payment causes once, such as its receipt; the result is stored in the given transaction. */
  readonly onFinished: (paymentId: string, state: PaymentState) => Promise<(tx: Kysely<Db>) => Promise<void>>
}

const CARD = [
  'id',
  'space_id',
  sql<PaymentProvider>`provider`.as('provider'),
  'customer_id',
  'method_id',
  sql<StoredCard['brand']>`brand`.as('brand'),
  'last4',
  'exp_month',
  'exp_year',
  'holder_name',
  'country',
  sql<StoredCard['funding']>`funding`.as('funding'),
  'fingerprint',
  'added_by',
  sql<string>`to_json(created_at) #>> '{}'`.as('created_at'),
  sql<string | null>`to_json(removed_at) #>> '{}'`.as('removed_at'),
] as const

/** The storage of payments in PostgreSQL. */
export function createPaymentStorage({ db, onFinished }: PaymentStorageDeps): PaymentStorage {
  const cards = db.selectFrom('app.cards').select(CARD)
  const tasks = db.selectFrom('app.payment_tasks').select('payment_id')
  return {
    cards: {
      async find(id) {
        return (await cards.where('id', '=', id).executeTakeFirst()) ?? null
      },
      async byFingerprint(spaceId, provider, fingerprint) {
        const found = await cards
          .where('space_id', '=', spaceId)
          .where('provider', '=', provider)
          .where('fingerprint', '=', fingerprint)
          .where('removed_at', 'is', null)
          .executeTakeFirst()
        return found ?? null
      },
      async store(card) {
        const { customer_id, method_id, exp_month, exp_year, holder_name } = card
        const renewed = { customer_id, method_id, exp_month, exp_year, holder_name }
        await db
          .insertInto('app.cards')
          .values({
            ...renewed,
            id: card.id,
            space_id: card.space_id,
            provider: card.provider,
            brand: card.brand,
            last4: card.last4,
            country: card.country,
            funding: card.funding,
            fingerprint: card.fingerprint,
            added_by: card.added_by,
            created_at: card.created_at,
          })
          .onConflict((conflict) =>
            conflict
              .columns(['space_id', 'provider', 'fingerprint'])
              .where('removed_at', 'is', null)
              .doUpdateSet({ ...renewed, warned_at: null }),
          )
          .execute()
      },
      async remove(id, at) {
        await db
          .updateTable('app.cards')
          .set((eb) => ({ removed_at: eb.fn.coalesce('removed_at', timestamptz(at)), holder_name: null }))
          .where('id', '=', id)
          .execute()
      },
    },
    customers: {
      async find(spaceId, provider) {
        const customer = await db
          .selectFrom('app.payment_customers')
          .select('customer_id')
          .where('space_id', '=', spaceId)
          .where('provider', '=', provider)
          .executeTakeFirst()
        return customer?.customer_id ?? null
      },
      async store(spaceId, provider, customerId, insteadOf) {
        await db
          .insertInto('app.payment_customers')
          .values({ space_id: spaceId, provider, customer_id: customerId })
          .onConflict((conflict) =>
            conflict
              .columns(['space_id', 'provider'])
              .doUpdateSet({ customer_id: customerId })
              .where('app.payment_customers.customer_id', '=', sql<string>`${insteadOf}::text`),
          )
          .execute()
      },
    },
    async adopt(provider) {
      for (const table of ['app.cards', 'app.payment_customers'] as const)
        await db.updateTable(table).set({ provider }).where('provider', '=', 'stripe_unknown').execute()
    },
    async otherProviders(provider) {
      const rows = await db
        .selectFrom('app.cards')
        .select('provider')
        .distinct()
        .where('provider', '<>', provider)
        .where('removed_at', 'is', null)
        .orderBy('provider')
        .$castTo<{ provider: PaymentProvider }>()
        .execute()
      return rows.map((row) => row.provider)
    },
    tasks: {
      async add({ paymentId, spaceId, cardId, startedAt, afterMs }) {
        const row = db
          .insertInto('app.payment_tasks')
          .values({ payment_id: paymentId, space_id: spaceId, card_id: cardId })
          .onConflict((conflict) => conflict.doNothing())
          .returning('payment_id as key')
        await storeWithJob(db, row, { kind: PAYMENT_JOB, payload: { started_at: startedAt }, afterSeconds: afterMs / 1000 })
      },
      async finish(paymentId, state) {
        // Before the transaction, which must not ask the pool for a second connection.
        const store = state === null ? null : await onFinished(paymentId, state)
        await db.transaction().execute(async (tx) => {
          const tasks = tx.deleteFrom('app.payment_tasks').where('payment_id', '=', paymentId)
          const { numDeletedRows } = await tasks.executeTakeFirst()
          if (numDeletedRows === 0n) return
          await removeJobs(tx, PAYMENT_JOB, [paymentId])
          await store?.(tx)
        })
      },
      async ofAccount(spaceId) {
        return (await tasks.where('space_id', '=', spaceId).limit(1).executeTakeFirst()) !== undefined
      },
      async ofCard(cardId) {
        return (await tasks.where('card_id', '=', cardId).limit(1).executeTakeFirst()) !== undefined
      },
    },
    webhooks: {
      async add({ id, type, providerPaymentId, at }) {
        const row = db
          .insertInto('app.payment_webhooks')
          .values({ id, type, provider_payment_id: providerPaymentId, received_at: at })
          .onConflict((conflict) => conflict.doNothing())
        if (providerPaymentId === null) await row.execute()
        else
          await storeWithJob(db, row.returning('id as key'), {
            kind: WEBHOOK_JOB,
            payload: { provider_payment_id: providerPaymentId },
          })
      },
      async purge(now, afterDays) {
        await sql`
          delete from app.payment_webhooks w where received_at < ${now}::timestamptz - make_interval(days => ${afterDays})
            and not exists (select from app.jobs j where j.kind = ${WEBHOOK_JOB.name} and j.key = w.id)`.execute(db)
      },
    },
  }
}
