import { USES } from './uses.ts'
import { createDelivery } from '#commands/delivery/accept-batch'
import { settlementPolicy } from '#commands/delivery/settle'
import { DELIVERY_ENDPOINTS } from '#contract/delivery'
import { area } from '../area.ts'
import { registerDeliveryRoutes } from './delivery-routes.ts'
import { createDeliveryPort } from './port.ts'

export const delivery = area({
  name: 'delivery',
  summary: 'What may serve, and what was delivered',
  endpoints: DELIVERY_ENDPOINTS,
  uses: USES,
  tables: [
    'app.campaign_spend',
    'app.campaign_spend_totals',
    'app.charged_hours',
    'app.condensed_settlements',
    'app.delivery_batches',
    'app.delivery_charges',
    'app.ledgers',
    'app.settlements',
  ],
  register: registerDeliveryRoutes,
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
})
