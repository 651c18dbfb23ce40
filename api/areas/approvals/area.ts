import { due, type Sweep } from '#commands/sweep'
import { APPROVAL_ENDPOINTS } from '#contract/approvals'
import { keysChanged } from '#commands/identity/mails/keys-changed'
import { createTeam } from '#commands/identity/team'
import { resetSecondFactor } from '#platform/identity/reset-second-factor'
import { createTeamStore } from '#platform/identity/team-store'
import { createScimTokens } from '#platform/scim/scim-tokens'
import { createProviderGrants } from '#platform/single-sign-on/provider-store'
import { freeLinks } from '#platform/single-sign-on/sign-on-store'
import { area } from '../area.ts'
import type { Own } from '#api/areas/services'
import { registerApprovalRoutes } from './approval-routes.ts'
import { createCarryOut } from './carry-out.ts'

type PolicyDeps = Own<
  | 'accounts'
  | 'commands.accounts'
  | 'commands.invoices'
  | 'commands.whiteLabels'
  | 'db'
  | 'people'
  | 'secondPerson'
  | 'store'
  | 'whiteLabels'
>

export const approvals = area({
  name: 'approvals',
  summary: 'Money by hand, roles and ways in of staff, and lost second factors that wait for a second person',
  endpoints: APPROVAL_ENDPOINTS,
  uses: [
    'accounts',
    'commands.accounts',
    'commands.invoices',
    'commands.whiteLabels',
    'db',
    'people',
    'secondPerson',
    'store',
    'whiteLabels',
  ],
  tables: ['app.second_person'],
  mails: { 'keys-changed': keysChanged },
  register: (app, kit) => registerApprovalRoutes(app, kit, carryOutOf(kit), createProviderGrants(kit.db, kit.now).present),
  policies: async (kit) => [unfinished(kit)],
  housekeeping: ({ secondPerson }) => secondPerson.purge(),
})

const teamOf = ({ commands, db, newId, derivedId, now }: PolicyDeps) =>
  createTeam({ accounts: commands.accounts, store: createTeamStore(db), newId, derivedId, now })

const carryOutOf = (kit: PolicyDeps) =>
  createCarryOut(kit, {
    team: teamOf(kit),
    resetFactor: (who, by) => resetSecondFactor(kit, who, by),
    grants: createProviderGrants(kit.db, kit.now),
    scimTokens: createScimTokens(kit.db, kit.now, kit.newId),
    freeLinks: (personId) => freeLinks(kit.db, personId, kit.now()),
  })

/** Carries out what a process confirmed before it ended. */
function unfinished(kit: PolicyDeps): Sweep {
  const carryOut = carryOutOf(kit)
  return {
    name: 'approvals-unfinished',
    scan: async (except) =>
      due(
        await kit.secondPerson.unfinished(except),
        ({ id }) => id,
        (entry) => carryOut(entry, entry.decidedBy ?? 'system:approvals'),
      ),
  }
}
