import type { Sweep } from '#commands/sweep'
import { APPROVAL_ENDPOINTS } from '#contract/approvals'
import { area } from '../area.ts'
import { USES, type ApprovalsOwn } from './uses.ts'
import { registerApprovalRoutes } from './approval-routes.ts'
import { createCarryOut } from './carry-out.ts'

export const approvals = area({
  name: 'approvals',
  summary: 'Money by hand that waits for a second person',
  endpoints: APPROVAL_ENDPOINTS,
  uses: USES,
  tables: ['app.money_by_hand'],
  register: registerApprovalRoutes,
  policies: async (kit) => [unfinished(kit)],
  housekeeping: ({ byHand }) => byHand.purge(),
})

/** Carries out what a process confirmed before it ended. */
function unfinished(kit: ApprovalsOwn): Sweep {
  const carryOut = createCarryOut(kit)
  return {
    name: 'approvals-unfinished',
    scan: async () =>
      (await kit.byHand.unfinished()).map((entry) => () => carryOut(entry, entry.decidedBy ?? 'system:approvals')),
  }
}
