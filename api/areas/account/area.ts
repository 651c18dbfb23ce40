import { createLegalEntities } from '#platform/account/legal-entities'
import { removeLegalEntity } from '#platform/account/erasure'
import { ACCOUNT_ENDPOINTS } from '#contract/accounts'
import { area } from '../area.ts'
import { registerAccountRoutes } from './account-routes.ts'
import { registerAccountChangeRoutes } from './change-routes.ts'
import { registerDirectoryRoutes } from './directory-routes.ts'
import { registerSearchRoutes } from './search-routes.ts'
import { createAccountNames } from '#platform/account/names'
import { createSuspensions } from '#platform/account/suspensions'

export const accounts = area({
  name: 'accounts',
  summary: 'Accounts for the staff of a white-label, and the search of accounts and campaigns',
  endpoints: ACCOUNT_ENDPOINTS,
  uses: ['accounts', 'commands.accounts', 'db', 'limits', 'past', 'people', 'secondPerson', 'store', 'threads', 'whiteLabels'],
  tables: ['app.account_names', 'identity.account_suspensions', 'identity.legal_entities'],
  erase: { within: removeLegalEntity },
  register(app, kit) {
    registerDirectoryRoutes(app, kit)
    registerAccountRoutes(app, kit)
    registerAccountChangeRoutes(app, kit, {
      entities: createLegalEntities(kit.db),
      suspensions: createSuspensions(kit.db),
      reserveName: createAccountNames(kit.db),
    })
    registerSearchRoutes(app, kit)
  },
  policies: async (kit) => [createSuspensions(kit.db).policy],
})
