import { accountInvitation } from '#commands/identity/mails/account-invitation'
import { invitation } from '#commands/identity/mails/invitation'
import { createTeam } from '#commands/identity/team'
import { TEAM_ENDPOINTS } from '#contract/team'
import { createTeamStore, teamRecords } from '#platform/identity/team-store'
import { freeLinks } from '#platform/single-sign-on/sign-on-store'
import { area } from '#api/areas/area'
import type { Needs } from '#api/areas/services'
import { registerTeamRoutes } from './team-routes.ts'

export const team = area({
  name: 'team',
  summary: 'The people of an account and the staff of a white-label: invitations, roles, removal and hand-over',
  endpoints: TEAM_ENDPOINTS,
  uses: [
    'accounts',
    'commands.accounts',
    'db',
    'fingerprint',
    'limits',
    'people',
    'queueMail',
    'secondPerson',
    'sessions',
    'store',
  ],
  tables: ['identity.memberships', 'identity.teams'],
  mails: { invitation, 'account-invitation': accountInvitation },
  register: (app, kit) =>
    registerTeamRoutes(app, kit, {
      team: teamOf(kit),
      recordsOf: (spaceId, ids) => teamRecords(kit.db, spaceId, ids),
      freeLinks: (personId) => freeLinks(kit.db, personId, kit.now()),
    }),
  policies: async (kit) => [teamOf(kit).policy],
})

const teamOf = ({ commands, db, newId, derivedId, now }: Needs<'commands.accounts' | 'db' | 'derivedId' | 'newId' | 'now'>) =>
  createTeam({ accounts: commands.accounts, store: createTeamStore(db), newId, derivedId, now })
