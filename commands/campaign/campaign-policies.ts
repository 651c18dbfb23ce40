import type { ServingDecision } from '../../domain/campaign/status/status.ts'
import type { CampaignState } from '../../domain/campaign/state.ts'
import type { CampaignCommands, CampaignOutcome, Issue } from './campaign-commands.ts'
import { FULL_SCAN, type Sweep } from '../sweep.ts'

/** Returns at most `limit` campaigns that a policy must process, except these. */
export type Find = (limit: number, except: readonly string[]) => Promise<readonly { readonly id: string }[]>

export type PolicyDeps = {
  readonly commands: CampaignCommands
  readonly now: () => string
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
}

const issue = (policy: string, commandIdAt: (revision: number) => string): Issue => ({
  mayWriteOwnerFields: false,
  commandIdAt,
  context: {
    actor: `system:${policy}`,
    role: 'SYSTEM',
    on_behalf_of: null,
    source: 'policy',
    command_id: '',
    body_hash: null,
    correlation: '',
    causation: null,
  },
})

/**
 * Issues a policy's command for the campaigns found. Its id comes from the campaign's own revision: concurrent processes that
 * record the same fact use the same id, and a later fact is another command, even when the campaign's row in the list does not
 * move ("starts and ends a campaign whose row in the list stands still").
 */
const acting =
  (
    { commandId }: PolicyDeps,
    { policy, actor = policy }: { readonly policy: string; readonly actor?: string },
    command: (id: string, issued: Issue) => Promise<CampaignOutcome>,
  ) =>
  async (id: string): Promise<boolean> => {
    const outcome = await command(
      id,
      issue(actor, (revision) => commandId(policy, id, String(revision))),
    )
    return outcome.kind === 'done' && outcome.events.length > 0
  }

/**
 * Finds due campaigns, and skips those without progress until all others were scanned: there may be many of them, and they would
 * fill every scan ("reaches a campaign that is due behind any number of those it can do nothing about"). They are not skipped
 * longer: their rows may only be behind, and others may be due at every scan ("reaches a campaign that it passed over once …").
 */
function passingOver(find: Find, act: (id: string) => Promise<boolean>): Sweep['scan'] {
  const vain = new Set<string>()
  let wasThrough = false
  return async () => {
    if (wasThrough) vain.clear()
    wasThrough = false
    let found = await find(FULL_SCAN, [...vain])
    if (found.length === 0 && vain.size > 0) {
      vain.clear()
      found = await find(FULL_SCAN, [])
    }
    wasThrough = found.length < FULL_SCAN
    return found.map(({ id }) => async () => {
      // Marked before the attempt, so that a failing campaign is skipped as well.
      vain.add(id)
      if (await act(id)) vain.delete(id)
    })
  }
}

/** Records starts, ends and local midnights: a few seconds late at most, and exactly once after any downtime. */
export function clockPolicy(deps: PolicyDeps, due: (now: string, ...page: Parameters<Find>) => ReturnType<Find>): Sweep {
  const act = acting(deps, { policy: 'clock' }, (id, issued) => deps.commands.keepClock(id, issued))
  return { name: 'clock', scan: passingOver((limit, except) => due(deps.now(), limit, except), act) }
}

/** Records insufficient or restored funding; campaigns with intent on resume automatically. */
export function fundingPolicy(deps: PolicyDeps, misfunded: Find, basis: () => Promise<string>): Sweep {
  const act = acting(deps, { policy: 'funding' }, (id, issued) => deps.commands.keepFunding(id, issued))
  return { name: 'funding', basis, scan: passingOver(misfunded, act) }
}

/**
 * The same for accounts with a changed balance, so that a credit takes effect at once, however long the scan is. `changed` holds
 * their space ids, once read models show the change; this empties it.
 */
export function accountFundingPolicy(
  deps: PolicyDeps,
  misfunded: (spaceIds: readonly string[], ...page: Parameters<Find>) => ReturnType<Find>,
  changed: Set<string>,
): Sweep {
  const act = acting(deps, { policy: 'funding' }, (id, issued) => deps.commands.keepFunding(id, issued))
  const find: Find = async (limit, except) => {
    const spaceIds = [...changed]
    if (spaceIds.length === 0) return []
    const found = await misfunded(spaceIds, limit, except)
    if (found.length < limit) for (const spaceId of spaceIds) changed.delete(spaceId)
    return found
  }
  return { name: 'funding-of-accounts', scan: passingOver(find, act) }
}

const approved: ServingDecision = {
  dealsPolicyCompliance: { status: 'approved', topics: [] },
  networkPolicyCompliance: { status: 'approved', topics: [] },
  platformPolicyCompliance: { status: 'approved', topics: [] },
}

/**
 * The built-in exchanges of PLACARD_EXCHANGE_REVIEW=instant: they approve every submitted creative, and are shown as
 * `system:exchange-built-in` with their verdicts.
 */
export function builtInExchanges(
  deps: PolicyDeps,
  undecided: Find,
  pendingVerdicts: (state: CampaignState) => readonly { readonly exchange: string; readonly creativeId: string }[],
  basis: () => Promise<string>,
): Sweep {
  const verdicts = (state: CampaignState) =>
    pendingVerdicts(state).map((pending) => ({ ...pending, contentVersion: null, decision: approved }))
  const act = acting(deps, { policy: 'exchange', actor: 'exchange-built-in' }, (id, issued) =>
    deps.commands.decideExchange(id, issued, verdicts),
  )
  return { name: 'exchange-built-in', basis, scan: passingOver(undecided, act) }
}
