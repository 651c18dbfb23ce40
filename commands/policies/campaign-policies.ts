import type { CampaignState } from '../../domain/campaign/state.ts'
import type { ServingDecision } from '../../domain/campaign/status.ts'
import type { CampaignCommands, Issue } from '../campaign.ts'
import type { Sweep } from './sweep.ts'

type Swept = { readonly id: string; readonly revision: number; readonly state: CampaignState }

export type PolicyDeps = {
  readonly commands: CampaignCommands
  readonly now: () => string
  /** A command id that is the same for the same parts (fine print 17). */
  readonly commandId: (...parts: readonly string[]) => string
}

/** Most campaigns one look takes on; the rest is found by the next. */
const AT_ONCE = 200

const issue = (policy: string, id: string): Issue => ({
  mayWriteOwnerFields: false,
  context: {
    actor: `system:${policy}`,
    role: 'SYSTEM',
    on_behalf_of: null,
    source: 'policy',
    command_id: id,
    body_hash: null,
    correlation: id,
    causation: null,
  },
})

/** Records starts, ends and local midnights: a few seconds late at most, and after any downtime exactly once. */
export function clockPolicy(deps: PolicyDeps, due: (now: string, limit: number) => Promise<readonly Swept[]>): Sweep {
  return {
    name: 'clock',
    look: async () =>
      (await due(deps.now(), AT_ONCE)).map(
        ({ id, revision }) =>
          () =>
            deps.commands.keepClock(id, issue('clock', deps.commandId('clock', id, String(revision)))),
      ),
  }
}

/** Records funding that fell short or came back; campaigns with intent on go on by themselves. */
export function fundingPolicy(
  deps: PolicyDeps,
  misfunded: (limit: number) => Promise<readonly Swept[]>,
  basis: () => Promise<string>,
): Sweep {
  return {
    name: 'funding',
    basis,
    look: async () =>
      (await misfunded(AT_ONCE)).map(
        ({ id, revision }) =>
          () =>
            deps.commands.keepFunding(id, issue('funding', deps.commandId('funding', id, String(revision)))),
      ),
  }
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
  undecided: (limit: number) => Promise<readonly Swept[]>,
  pendingVerdicts: (state: CampaignState) => readonly { readonly exchange: string; readonly creativeId: string }[],
  basis: () => Promise<string>,
): Sweep {
  return {
    name: 'exchange-built-in',
    basis,
    look: async () =>
      (await undecided(AT_ONCE)).map(({ id, revision, state }) => () => {
        const verdicts = pendingVerdicts(state).map((pending) => ({ ...pending, contentVersion: null, decision: approved }))
        const commandId = deps.commandId('exchange', id, String(revision))
        return deps.commands.decideExchange(id, issue('exchange-built-in', commandId), verdicts)
      }),
  }
}
