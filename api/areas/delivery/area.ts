import { lowBalancePolicy } from '../../../commands/account/low-balance-policy.ts'
import { createDelivery } from '../../../commands/delivery/accept-batch.ts'
import { settlementPolicy } from '../../../commands/delivery/settle.ts'
import type { Sweep } from '../../../commands/sweep.ts'
import { ACCOUNT_STREAMS } from '../../../projections/accounts/accounts.ts'
import { accountIdsAfter, fundsOf } from '../../../projections/accounts/funds.ts'
import { DELIVERY_ENDPOINTS } from '../../contract/delivery.ts'
import type { Area } from '../../kit/area.ts'
import { READ_TIMEOUT_MS, type Kit } from '../../kit/kit.ts'
import { followSteadily } from '../../kit/steady-following.ts'
import { registerDeliveryRoutes } from './delivery-routes.ts'
import { createDeliveryPort } from './port.ts'

export const delivery: Area = {
  name: 'delivery',
  summary: 'What may serve, what was delivered, and the ledger that it is charged to',
  endpoints: DELIVERY_ENDPOINTS,
  register: registerDeliveryRoutes,
  policies: async (kit) => [
    createDelivery({ port: createDeliveryPort(kit), facts: kit.facts, now: kit.now }).storing,
    await lowBalance(kit),
    settlementPolicy({
      settlements: kit.settlements,
      accounts: kit.commands.accounts,
      commandId: (...parts) => kit.derivedId('policy', ...parts),
      everyMs: kit.config.settleEveryMs,
    }),
  ],
}

/** Notices of a low balance, for accounts whose money moved. */
async function lowBalance({ commands, db, logger, newId, now, projector, stops, store }: Kit): Promise<Sweep> {
  const changed = new Set<string>()
  const movements = followSteadily(store, {
    after: await store.head(),
    streams: [ACCOUNT_STREAMS],
    onPage: async ({ events, upTo }) => {
      await projector.reached(upTo, READ_TIMEOUT_MS, ['accounts'])
      for (const { stream } of events) changed.add(stream.slice(ACCOUNT_STREAMS.length))
    },
    onError: (error) => logger.error({ err: error }, 'movements of accounts could not be followed and are read again'),
  })
  stops.add(() => movements.stop())
  return lowBalancePolicy({
    accounts: commands.accounts,
    fundsOf: (ids) => fundsOf(db, ids, now()),
    idsAfter: (id, limit) => accountIdsAfter(db, id, limit),
    changed,
    newId,
  })
}
