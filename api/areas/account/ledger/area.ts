import { lowBalance } from '#commands/account/mails/low-balance'
import { lowBalancePolicy } from '#commands/account/low-balance-policy'
import type { Sweep } from '#commands/sweep'
import { MONEY_STREAMS, spaceOf } from '#projections/account/accounts'
import { accountIdsAfter, fundsOf } from '#projections/account/funds'
import { LEDGER_ENDPOINTS } from '#contract/ledger'
import { area } from '#api/areas/area'
import type { Own } from '#api/areas/services'
import { followSteadily } from '#eventstore/steady-following'
import { registerLedgerRoutes } from './ledger-routes.ts'

export const ledger = area({
  name: 'ledger',
  summary: 'Balance of an account, and every movement of it',
  endpoints: LEDGER_ENDPOINTS,
  uses: [
    'accounts',
    'caughtUp',
    'commands.accounts',
    'db',
    'past',
    'people',
    'secondPerson',
    'settlements',
    'store',
    'whiteLabels',
  ],
  mails: {
    'low-balance': lowBalance,
  },
  register: registerLedgerRoutes,
  policies: async (kit) => [await lowBalanceNotices(kit)],
})

/** Notices of a low balance, for accounts whose money moved. */
async function lowBalanceNotices({
  caughtUp,
  commands,
  db,
  logger,
  newId,
  now,
  stops,
  store,
}: Own<'caughtUp' | 'commands.accounts' | 'db' | 'store'>): Promise<Sweep> {
  const changed = new Set<string>()
  const movements = followSteadily(store, {
    after: await store.head(),
    streams: MONEY_STREAMS,
    onPage: async ({ events, upTo }) => {
      await caughtUp(['accounts'], { position: upTo })
      for (const { stream } of events) changed.add(spaceOf(stream))
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
