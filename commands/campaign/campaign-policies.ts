import { systemContext } from '#domain/kit/event-metadata'
import type { ServingDecision } from '#domain/campaign/status/status'
import type { CampaignState } from '#domain/campaign/state'
import type { CampaignCommands, CampaignOutcome, Issue } from './campaign-commands.ts'
import { due, FULL_SCAN, type Sweep } from '../sweep.ts'

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
  context: systemContext(policy, ''),
})

/**
 * Issues a policy's command for the campaigns found. Its id comes from the campaign's own revision: concurrent processes that
 * record the same fact use the same id, and a later fact is another command, even when the campaign's row in the list does not
 * move ("starts and ends a campaign whose list row is stale").
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
 * fill every scan ("reaches a due campaign behind any number of campaigns that it cannot change"). They are not skipped
 * longer: their rows may only be behind, and others may be due at every scan ("retries a skipped campaign …").
 */
function passingOver(find: Find, act: (id: string) => Promise<boolean>): Sweep['scan'] {
  const skipped = new Set<string>()
  let wasThrough = false
  return async (except) => {
    if (wasThrough) skipped.clear()
    wasThrough = false
    let found = await find(FULL_SCAN, [...skipped, ...except])
    if (found.length === 0 && skipped.size > 0) {
      skipped.clear()
      found = await find(FULL_SCAN, except)
    }
    wasThrough = found.length < FULL_SCAN
    return due(
      found,
      ({ id }) => id,
      async ({ id }) => {
        // Marked before the attempt, so that a failing campaign is skipped as well.
        skipped.add(id)
        if (await act(id)) skipped.delete(id)
      },
    )
  }
}

/** Records starts, ends and local midnights: a few seconds late at most, and exactly once after any downtime. */
export function clockPolicy(deps: PolicyDeps, dueAt: (now: string, ...page: Parameters<Find>) => ReturnType<Find>): Sweep {
  const act = acting(deps, { policy: 'clock' }, (id, issued) => deps.commands.keepClock(id, issued))
  return { name: 'clock', scan: passingOver((limit, except) => dueAt(deps.now(), limit, except), act) }
}

/** Finds campaigns whose facts of money are due: all of them, or only those that were charged a short while ago. */
export type FindMoney = (
  only: { readonly chargedWithin: number | null; readonly spaceIds: readonly string[] | null },
  ...page: Parameters<Find>
) => ReturnType<Find>

/** Seconds. A charge is scanned for in every round of this time, so that a failed command is repeated. */
const RECENT_SECONDS = 60
const ALL = { chargedWithin: null, spaceIds: null }
const RECENTLY_CHARGED = { chargedWithin: RECENT_SECONDS, spaceIds: null }

/**
 * Records insufficient or restored funding; campaigns with intent on resume automatically. Charges are scanned for in every round;
 * all campaigns only when the read models changed, because that takes time in proportion to them.
 */
export function fundingPolicies(deps: PolicyDeps, find: FindMoney, basis: () => Promise<string>): readonly Sweep[] {
  const act = acting(deps, { policy: 'funding' }, (id, issued) => deps.commands.keepFunding(id, issued))
  return [
    { name: 'funding', basis, scan: passingOver((...page) => find(ALL, ...page), act) },
    { name: 'funding-of-charged', scan: passingOver((...page) => find(RECENTLY_CHARGED, ...page), act) },
  ]
}

/** Records budgets that are reached, of the day or in total, and those that a larger budget opened again. */
export function spendPolicies(deps: PolicyDeps, find: FindMoney, basis: () => Promise<string>): readonly Sweep[] {
  const act = acting(deps, { policy: 'spend' }, (id, issued) => deps.commands.keepSpend(id, issued))
  return [
    { name: 'spend', basis, scan: passingOver((...page) => find(ALL, ...page), act) },
    { name: 'spend-of-charged', scan: passingOver((...page) => find(RECENTLY_CHARGED, ...page), act) },
  ]
}

/**
 * The same for accounts with a changed balance, so that a credit takes effect at once, however long the scan is. `changed` holds
 * their space ids, once read models show the change; this empties it.
 */
export function accountFundingPolicy(deps: PolicyDeps, misfunded: FindMoney, changed: Set<string>): Sweep {
  const act = acting(deps, { policy: 'funding' }, (id, issued) => deps.commands.keepFunding(id, issued))
  const find: Find = async (limit, except) => {
    const spaceIds = [...changed]
    if (spaceIds.length === 0) return []
    const found = await misfunded({ chargedWithin: null, spaceIds }, limit, except)
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
 * Verdicts of one command, about a kilobyte each: a campaign may have 1,000 creatives on several exchanges, and an append has a largest
 * size. The next rounds find the others.
 */
const VERDICTS_AT_ONCE = 500

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
    pendingVerdicts(state)
      .slice(0, VERDICTS_AT_ONCE)
      .map((pending) => ({ ...pending, contentVersion: null, decision: approved }))
  const act = acting(deps, { policy: 'exchange', actor: 'exchange-built-in' }, (id, issued) =>
    deps.commands.decideExchange(id, issued, verdicts),
  )
  return { name: 'exchange-built-in', basis, scan: passingOver(undecided, act) }
}
