import { removeHolder } from '#platform/payment/erasure'
import { paymentReceipt, autoRefillStopped, cardExpires } from '#commands/payment/mails/payments'
import { createReceiptStates } from '#platform/payment/payment-mails'
import { systemContext } from '#domain/kit/event-metadata'
import { defaultCardOf } from '#domain/account/cards'
import { autoRefillPolicy, type RefilledAccount } from '#commands/payment/auto-refill-policy'
import { PAYMENT_POLICY, paymentRunner, WEBHOOK_POLICY, webhookRunner } from '#commands/payment/payment-jobs'
import { FULL_SCAN, type Sweep } from '#commands/sweep'
import { fundsOf } from '#projections/account/funds'
import { autoRefillOf, autoRefillsAfter, autoRefillsMade, type AutoRefillRow } from '#projections/payment/queries'
import { PAYMENT_ENDPOINTS } from '#contract/payments'
import { area } from '../area.ts'
import { READ_TIMEOUT_MS } from '#projections/catch-up'
import type { Own } from '#api/areas/services'
import { registerCardRoutes } from './card-routes.ts'
import { warnOfExpiry } from '#platform/payment/expiry-mails'
import { registerRefillRoutes } from './refill-routes.ts'
import { registerWebhook } from './webhook-route.ts'

/** How long handled webhooks are kept, days: providers repeat theirs for three. */
const KEPT_DAYS = 30

export const payments = area({
  name: 'payments',
  summary: 'Cards, refills by card, automatic refills, and the webhook of the provider',
  endpoints: PAYMENT_ENDPOINTS,
  uses: ['accounts', 'commands.accounts', 'db', 'limits', 'payments', 'people', 'projector', 'store', 'whiteLabels'],
  tables: [
    'app.cards',
    'app.payment_customers',
    'app.payment_tasks',
    'app.payment_webhooks',
    'app.test_gateway_payments',
    'app.test_gateway_setups',
  ],
  erase: { within: removeHolder },
  mails: {
    'payment-receipt': paymentReceipt,
    'auto-refill-stopped': autoRefillStopped,
    'card-expires': cardExpires,
  },
  register(app, kit) {
    registerCardRoutes(app, kit)
    registerRefillRoutes(app, kit, createReceiptStates(kit.db, kit.derivedId))
    registerWebhook(app, kit)
  },
  jobs: {
    payment: { ...PAYMENT_POLICY, open: ({ payments: services }) => paymentRunner(services) },
    'payment-webhook': { ...WEBHOOK_POLICY, open: ({ payments: services }) => webhookRunner(services) },
  },
  policies: async (kit) => [autoRefill(kit)],
  housekeeping: async (kit) => {
    await warnOfExpiry(kit)
    await kit.payments.storage.webhooks.purge(kit.now(), KEPT_DAYS)
  },
})

/** Automatic refills of every account that has them on. */
function autoRefill({
  commands,
  db,
  derivedId,
  newId,
  now,
  payments: services,
  projector,
  store,
  whiteLabels,
}: Own<'commands.accounts' | 'db' | 'payments' | 'projector' | 'store' | 'whiteLabels'>): Sweep {
  async function withFunds(rows: readonly AutoRefillRow[]): Promise<readonly RefilledAccount[]> {
    const funds = await fundsOf(
      db,
      rows.map((row) => row.space_id),
      now(),
    )
    return rows.flatMap(({ space_id: spaceId, enabled, threshold, amount, monthly_limit }) => {
      const account = funds.get(spaceId)
      if (account === undefined) return []
      const { whitelabel_id: whitelabelId, currency, available, settings, suspended } = account
      const autoRefill = { enabled, threshold, amount, monthly_limit }
      const offsetSeconds = whiteLabels.brandOf(whitelabelId).timezoneOffsetSeconds
      const mayPay = settings.allow_make_payment && !suspended
      return [{ spaceId, whitelabelId, currency, offsetSeconds, available, mayPay, autoRefill }]
    })
  }

  return autoRefillPolicy({
    payments: services,
    storage: services.storage,
    async candidates() {
      const all: RefilledAccount[] = []
      for (let after = ''; ;) {
        const rows = await autoRefillsAfter(db, after, FULL_SCAN)
        all.push(...(await withFunds(rows)))
        const last = rows.at(-1)
        if (rows.length < FULL_SCAN || last === undefined) return all
        after = last.space_id
      }
    },
    async upToDate(spaceId) {
      if (!(await projector.reached(await store.head(), READ_TIMEOUT_MS, ['accounts', 'payments']))) return null
      const row = await autoRefillOf(db, spaceId)
      return row?.enabled === true ? ((await withFunds([row]))[0] ?? null) : null
    },
    made: (spaceId, since) => autoRefillsMade(db, spaceId, since),
    async defaultCard(spaceId) {
      const read = await commands.accounts.execute(spaceId, systemContext('payments', newId()), { type: 'ReadAccount' })
      return read.kind === 'rejected' ? null : defaultCardOf(read.state)
    },
    provider: services.gateway.provider,
    derivedId,
    now,
    isAway: services.outside.isAway,
  })
}
