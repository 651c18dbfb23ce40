import type { ServingDecision } from '../../domain/campaign/status/status.ts'
import type { CampaignState } from '../../domain/campaign/state.ts'
import type { CampaignCommands, CampaignOutcome, Issue } from './campaign-commands.ts'
import { FULL_SCAN, type Sweep } from '../sweep.ts'

/** Answers at most `limit` campaigns that a policy is to look after, without these. */
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
 * Issues a policy's command for what is found. Its id comes from the revision the campaign itself is at: processes that do the same at the
 * same time say it once, and what is due later is another command, even where the row that leads here stands still
 * ("starts and ends a campaign whose row in the list stands still").
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
 * Finds what is due, and passes over what nothing could be done about until it has been through all the rest: such campaigns may be many, and
 * would be all that is ever looked at ("reaches a campaign that is due behind any number of those it can do nothing about"). Not for
 * longer: a row may only have been behind, and others may be due at every look ("reaches a campaign that it passed over once …").
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
      // Before it is tried: what fails is passed over as well.
      vain.add(id)
      if (await act(id)) vain.delete(id)
    })
  }
}

/** Records starts, ends and local midnights: a few seconds late at most, and after any downtime exactly once. */
export function clockPolicy(deps: PolicyDeps, due: (now: string, ...page: Parameters<Find>) => ReturnType<Find>): Sweep {
  const act = acting(deps, { policy: 'clock' }, (id, issued) => deps.commands.keepClock(id, issued))
  return { name: 'clock', scan: passingOver((limit, except) => due(deps.now(), limit, except), act) }
}

/** Records funding that fell short or came back; campaigns with intent on go on by themselves. */
export function fundingPolicy(deps: PolicyDeps, misfunded: Find, basis: () => Promise<string>): Sweep {
  const act = acting(deps, { policy: 'funding' }, (id, issued) => deps.commands.keepFunding(id, issued))
  return { name: 'funding', basis, scan: passingOver(misfunded, act) }
}

/**
 * The same for the accounts whose balance changed: a credit is felt at once, whatever there is to scan. `changed` holds their space ids, once
 * read models show the change, and is emptied here.
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
 * The built-in exchanges of PLACARD_EXCHANGE_REVIEW=instant: they approve every creative they are asked about, and are named
 * `system:exchange-built-in` wherever their verdict is shown.
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
