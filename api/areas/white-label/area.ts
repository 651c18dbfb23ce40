import { createTeam } from '#commands/identity/team'
import { createTeamStore } from '#platform/identity/team-store'
import { createSuspended } from '#platform/white-label/suspended'
import { WHITE_LABEL_ENDPOINTS } from '#contract/white-label'
import { area } from '../area.ts'
import { whiteLabelSweeps } from './policies.ts'
import { registerWhiteLabelRoutes } from './white-label-routes.ts'

export const whiteLabel = area({
  name: 'white-label',
  summary: 'The white-label of the host, its branding and settings, and their administration',
  endpoints: WHITE_LABEL_ENDPOINTS,
  uses: [
    'accounts',
    'commands.accounts',
    'commands.whiteLabels',
    'db',
    'files',
    'invoices',
    'links',
    'media',
    'secondPerson',
    'store',
    'templates',
    'whiteLabels',
  ],
  tables: ['app.whitelabel_settings', 'identity.suspended_whitelabels'],
  register: (app, kit) => {
    const { commands, db, newId, derivedId, now } = kit
    const team = createTeam({ accounts: commands.accounts, store: createTeamStore(db), newId, derivedId, now })
    registerWhiteLabelRoutes(app, kit, team)
  },
  policies: (kit) => whiteLabelSweeps(kit, createSuspended(kit.db)),
})
