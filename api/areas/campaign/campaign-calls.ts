import type { Served } from '#api/areas/services'
import type { Identity } from '#commands/identity/identity'
import { may, reachOf, type Action } from '#domain/kit/access'
import type { Compliance, ServingDecision } from '#domain/campaign/status/status'
import { type COMPLIANCES, served } from '#domain/campaign/status/status'
import type { CampaignState } from '#domain/campaign/state'
import { EXCHANGES } from '#domain/campaign/content/options'
import { CATALOGUE } from '#domain/kit/errors'
import type { CampaignOutcome, Issue } from '#commands/campaign/campaign-commands'
import type { Position } from '#eventstore/event-store'
import { pendingVerdicts } from '#projections/campaign/list/apply'
import { undecidedAfter } from '#projections/campaign/list/queries'
import type { Call } from '#api/http/call'
import type { ReviewHolds } from '#platform/campaign/review-holds'
import { refused } from '#commands/refused'
import { doneOrRefused, dryRunOut, outcomeOut, viewerOf } from './answers.ts'
import { authorize, contextOf, issueOf, type Caller } from '#api/http/caller'
import type { Place } from '#domain/kit/access'

/** Campaigns in one page of creatives without a verdict. */
const UNDECIDED = 500

/** An exchange, or a user who decides on its behalf. */
type Decider = Pick<Call, 'identity' | 'commandId' | 'bodyHash' | 'correlation' | 'source'>

/** Facts about the submission that a decision is about. */
type Reviewed = {
  readonly moderation_start_at?: string | number | null | undefined
  readonly take_over?: boolean | null | undefined
}

type ById = { readonly caller: Caller; readonly id: string; readonly dryRun: boolean }

/** Run, pause, archive, moderation, restore and exchange decisions. */
export function createCampaignCalls(
  deps: Served<'audiences' | 'campaigns' | 'commands.campaigns' | 'db' | 'people' | 'store'>,
  holds: ReviewHolds,
) {
  const { campaigns: commands } = deps.commands

  async function simple(call: ById, action: Action, command: (id: string, issue: Issue) => Promise<CampaignOutcome>) {
    const place = await deps.campaigns.placeOf(call.id)
    authorize(call.caller.actor, action, place)
    const issue = issueOf(call.caller, place, call.dryRun, action)
    return answer(call, await command(call.id, issue))
  }

  async function answer(call: ById, outcome: CampaignOutcome) {
    const done = doneOrRefused(outcome)
    const viewer = await viewerOf(deps, call.caller.actor, done.state)
    return call.dryRun ? dryRunOut(done, viewer) : outcomeOut(done, viewer)
  }

  /** Moderators never review campaigns of their own space (access.md). */
  async function moderate(call: ById, body: Reviewed, command: (id: string, issue: Issue) => Promise<CampaignOutcome>) {
    const { actor } = call.caller
    const place = await deps.campaigns.placeOf(call.id)
    authorize(actor, 'campaign.moderate', place)
    if (place.spaceId === actor.homeSpaceId) throw refused(3)
    // Advisory (fine print 101): a hold that is over, or that others cannot see yet, loses no decision.
    const hold = body.take_over === true ? null : await holds.holdOf(call.id)
    if (hold !== null && hold.personId !== actor.userId) throw refused(143)
    const outcome = await command(call.id, issueOf(call.caller, place, call.dryRun, 'campaign.moderate'))
    const moderationStartAt = momentOf(body.moderation_start_at)
    if (outcome.kind === 'done' && !call.dryRun && moderationStartAt !== null)
      await holds.decided({ campaignId: call.id, whitelabelId: place.whitelabelId, moderationStartAt, personId: actor.userId })
    return answer(call, outcome)
  }

  async function revert(call: ById, what: (issue: Issue) => Promise<CampaignOutcome | null>) {
    const place = await deps.campaigns.placeOf(call.id)
    authorize(call.caller.actor, 'campaign.write', place)
    const issue = issueOf(call.caller, place, call.dryRun)
    const outcome = await what(issue)
    if (outcome === null) throw refused(2, [{ path: 'revision', code: 2, message: 'The campaign never had this revision' }])
    const answered = await answer(call, outcome)
    return call.dryRun ? answered : { ...answered, kept: outcome.kind === 'done' ? [...outcome.kept] : [] }
  }

  return {
    run: (call: ById) => simple(call, 'campaign.write', commands.run),
    pause: (call: ById) => simple(call, 'campaign.write', commands.pause),
    toggleArchive: (call: ById) => simple(call, 'campaign.write', commands.toggleArchive),

    approve: (
      call: ById,
      body: Reviewed & {
        readonly category_keys?: string[] | null | undefined
        readonly exchange_id?: string[] | null | undefined
      },
    ) => {
      const unknown = (body.exchange_id ?? []).filter((exchange) => !(EXCHANGES as readonly string[]).includes(exchange))
      return moderate(call, body, async (id, issue) => {
        if (unknown.length > 0)
          return {
            kind: 'rejected',
            rejection: { code: 131, faults: [{ path: 'exchange_id', code: 131, message: CATALOGUE[131].message }] },
          }
        return commands.approve(id, issue, {
          moderationStartAt: momentOf(body.moderation_start_at),
          categoryKeys: body.category_keys ?? null,
          exchangeId: body.exchange_id ?? null,
        })
      })
    },

    reject: (call: ById, body: Reviewed & { readonly comment?: string | null | undefined }) =>
      moderate(call, body, (id, issue) =>
        commands.reject(id, issue, { moderationStartAt: momentOf(body.moderation_start_at), comment: body.comment ?? '' }),
      ),

    restore: (call: ById, revision: number) => revert(call, (issue) => commands.restore(call.id, revision, issue)),
    undo: (call: ById, revision: number) => revert(call, (issue) => commands.undo(call.id, revision, issue)),

    /** One page of creatives that wait for a verdict of an exchange; an unknown exchange is 131. */
    async undecidedCreatives(caller: Decider, exchange: string, after: string) {
      const whitelabelId = whitelabelDecidedBy(caller, exchange)
      const rows = await undecidedAfter(deps.db, { whitelabelId, after, limit: UNDECIDED })
      const creatives = rows.flatMap(({ id, state }) =>
        pendingVerdicts(state)
          .filter((pending) => pending.exchange === exchange)
          .map(({ creativeId }) => ({ campaign_id: id, creative_id: creativeId })),
      )
      return { creatives, next: rows.length < UNDECIDED ? null : (rows.at(-1)?.id ?? null) }
    },

    /** One result per decision; an unknown exchange refuses the whole call (fine print 37). */
    async exchangeDecisions(caller: Decider, exchange: string, decisions: readonly ExchangeDecision[]) {
      whitelabelDecidedBy(caller, exchange)
      let position: Position = 0n
      const results = []
      for (const [n, decision] of decisions.entries()) {
        const result = await decideOne(caller, exchange, decision, n)
        if (result.position > position) position = result.position
        results.push({
          campaign_id: decision.campaign_id,
          creative_id: decision.creative_id ?? null,
          code: result.code,
          message: CATALOGUE[result.code].message,
        })
      }
      return { results, position: String(position === 0n ? await deps.store.head() : position) }
    },
  }

  async function decideOne(caller: Decider, exchange: string, decision: ExchangeDecision, n: number) {
    const id = decision.campaign_id
    const place = await deps.campaigns.placeOf(id)
    const { identity } = caller
    if (place === null || !reaches(identity, place)) return { code: 130, position: 0n } as const
    const verdict = { exchange, contentVersion: decision.content_version ?? null, decision: servingDecision(decision) }
    const verdicts = (state: CampaignState) =>
      (decision.creative_id ? [decision.creative_id] : served(state).map((creative) => creative.id)).map((creativeId) => ({
        ...verdict,
        creativeId,
      }))
    const commandId = deps.derivedId('stream', `${caller.commandId}:${n}`)
    const context =
      identity.kind === 'person'
        ? contextOf({ ...caller, commandId, actor: identity.actor }, place, 'exchange.decide')
        : ({
            actor: `system:exchange-${exchange}`,
            role: 'SERVICE',
            on_behalf_of: place.spaceId,
            source: 'api',
            command_id: commandId,
            body_hash: caller.bodyHash,
            correlation: caller.correlation,
            causation: null,
          } as const)
    const outcome = await deps.commands.campaigns.decideExchange(id, { context, mayWriteOwnerFields: false }, verdicts)
    return outcome.kind === 'done'
      ? ({ code: 0, position: outcome.position } as const)
      : { code: outcome.rejection.code, position: 0n }
  }
}

/** The white-label that a caller decides in for this exchange; null is every one. Refuses other exchanges (3) and unknown ones (131). */
function whitelabelDecidedBy({ identity }: Pick<Decider, 'identity'>, exchange: string): string | null {
  const credential = identity.kind === 'service' ? identity.credential : null
  // An exchange's credential can decide for that exchange only.
  if (credential !== null && credential.exchange !== exchange) throw refused(3)
  if (!(EXCHANGES as readonly string[]).includes(exchange)) throw refused(131)
  if (identity.kind === 'person') return reachOf(identity.actor, 'exchange.decide') === 'all' ? null : identity.actor.whitelabelId
  return credential?.whitelabelId ?? null
}

/** Campaigns out of reach are not found: a credential reaches its white-label, the installation's service token reaches all. */
function reaches(identity: Identity, place: Place): boolean {
  if (identity.kind === 'person') return may(identity.actor, 'exchange.decide', place)
  return identity.kind === 'service' && (identity.credential === null || identity.credential.whitelabelId === place.whitelabelId)
}

type SentCompliance = {
  readonly status: Compliance['status'] | 'pending_review'
  readonly topics?: readonly (string | { readonly policyTopic: string })[] | null | undefined
}
export type ExchangeDecision = {
  readonly campaign_id: string
  readonly creative_id?: string | null | undefined
  readonly content_version?: number | null | undefined
} & { readonly [K in (typeof COMPLIANCES)[number]]: SentCompliance }

const topicOf = (topic: string | { readonly policyTopic: string }): { policyTopic: string } =>
  typeof topic === 'string' ? { policyTopic: topic } : { policyTopic: topic.policyTopic }

const compliance = ({ status, topics }: SentCompliance): Compliance => ({
  status: status === 'pending_review' ? 'pending' : status,
  topics: (topics ?? []).map(topicOf),
})
const servingDecision = (decision: ExchangeDecision): ServingDecision => ({
  dealsPolicyCompliance: compliance(decision.dealsPolicyCompliance),
  networkPolicyCompliance: compliance(decision.networkPolicyCompliance),
  platformPolicyCompliance: compliance(decision.platformPolicyCompliance),
})

/** An instant as sent; an unreadable one matches no submission (fine print 36). */
const momentOf = (value: string | number | null | undefined): string | null => {
  if (value === null || value === undefined) return null
  const time = typeof value === 'number' ? value : Date.parse(value)
  return Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : null
}
