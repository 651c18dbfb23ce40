import { createDelivery } from '#commands/delivery/accept-batch'
import { settlementPolicy } from '#commands/delivery/settle'
import { DELIVERY_ENDPOINTS } from '#contract/delivery'
import { area } from '../area.ts'
import { registerDeliveryRoutes } from './delivery-routes.ts'
import { createBidSamples } from '#platform/delivery/bid-samples'
import { condenseSettlements } from '#platform/delivery/condense'
import { removeOldBatches } from '#platform/delivery/retention'
import type { FactStore } from '#factstore/fact-store'
import { createDeliveryPort } from './port.ts'
import { registerSampleRoutes } from './sample-routes.ts'

/** Rows that one round of housekeeping removes. */
const SETTLEMENTS_AT_ONCE = 20_000
const BATCHES_AT_ONCE = 50_000

/** How long one round of housekeeping may sum facts of days that are over. */
const SUMMING_MS = 5000

/** One day at least; what is left waits for the next round, and answers are right all the while. */
async function sumFacts({ rollUp }: Pick<FactStore, 'rollUp'>): Promise<void> {
  const end = performance.now() + SUMMING_MS
  while ((await rollUp?.()) === true && performance.now() < end);
}

export const delivery = area({
  name: 'delivery',
  summary: 'What may serve, and what was delivered',
  endpoints: DELIVERY_ENDPOINTS,
  uses: [
    'audiences',
    'caughtUp',
    'commands.accounts',
    'commands.ledgers',
    'credentials',
    'db',
    'deliveries',
    'facts',
    'inbox',
    'limits',
    'projector',
    'settlements',
    'store',
  ],
  tables: [
    'app.bid_samples',
    'app.campaign_spend',
    'app.campaign_spend_totals',
    'app.charged_hours',
    'app.condensed_settlements',
    'app.delivery_batches',
    'app.delivery_charges',
    'app.ledgers',
    'app.settlements',
  ],
  register(app, kit) {
    registerDeliveryRoutes(app, kit)
    registerSampleRoutes(app, kit, createBidSamples(kit.db))
  },
  policies: async (kit) => [
    createDelivery({ port: createDeliveryPort(kit), facts: kit.facts, now: kit.now }).storing,
    settlementPolicy({
      settlements: kit.settlements,
      accounts: kit.commands.accounts,
      ledgers: kit.commands.ledgers,
      now: kit.now,
      commandId: (...parts) => kit.derivedId('policy', ...parts),
      everyMs: kit.config.settleEveryMs,
    }),
  ],
  async housekeeping({ config: { kept }, db, facts }) {
    await createBidSamples(db).purge()
    await condenseSettlements(db, kept.chargeDays, SETTLEMENTS_AT_ONCE)
    await sumFacts(facts)
    await removeOldBatches(db, kept.batchDays, BATCHES_AT_ONCE)
    // After the inbox: what it still has, the fact store must still recognise.
    await facts.removeOld?.({ batchDays: kept.batchDays + 1, rowMonths: kept.factMonths, limit: BATCHES_AT_ONCE })
  },
})
