import type { Sweep } from '#commands/sweep'
import { APPROVAL_ENDPOINTS } from '#contract/approvals'
import { createTeam } from '#commands/identity/team'
import { createTeamStore } from '#platform/identity/team-store'
import { area } from '../area.ts'
import { USES, type ApprovalsOwn } from './uses.ts'
import { registerApprovalRoutes } from './approval-routes.ts'
import { createCarryOut } from './carry-out.ts'

export const approvals = area({
  name: 'approvals',
  summary: 'Money by hand and roles of staff that wait for a second person',
  endpoints: APPROVAL_ENDPOINTS,
  uses: USES,
  tables: ['app.second_person'],
  register: (app, kit) => registerApprovalRoutes(app, kit, createCarryOut(kit, teamOf(kit))),
  policies: async (kit) => [unfinished(kit)],
  housekeeping: ({ secondPerson }) => secondPerson.purge(),
})

const teamOf = ({ commands, db, newId, derivedId, now }: ApprovalsOwn) =>
  createTeam({ accounts: commands.accounts, store: createTeamStore(db), newId, derivedId, now })

/** Carries out what a process confirmed before it ended. */
function unfinished(kit: ApprovalsOwn): Sweep {
  const carryOut = createCarryOut(kit, teamOf(kit))
  return {
    name: 'approvals-unfinished',
    scan: async () =>
      (await kit.secondPerson.unfinished()).map((entry) => () => carryOut(entry, entry.decidedBy ?? 'system:approvals')),
  }
}
