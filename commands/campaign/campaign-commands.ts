import { decide } from '#domain/campaign/campaign'
import { apply, type Change } from '#domain/kit/json-changes'
import { refuse, type CampaignCommand, type CommandFacts, type Decision, type ExchangeVerdict } from '#domain/campaign/commands'
import { DEFAULT_CONTENT, type CampaignContent } from '#domain/campaign/content/content'
import { localDay, startOfLocalDay } from '#domain/campaign/content/dates'
import { decodeCampaignEvent, type CampaignEvent } from '#domain/campaign/events'
import { patchOf } from '#domain/campaign/saving/looking-back'
import {
  newApp,
  newTargets,
  newUses,
  NOTHING_LOOKED_UP,
  sizedAudiences,
  type References,
} from '#domain/campaign/saving/references'
import { reviewAuthors } from '#domain/campaign/review/review-authors'
import { contentForCopy, refusedOutright } from '#domain/campaign/saving/saving'
import { countryCode, shape, type CampaignPatch } from '#domain/campaign/content/shape'
import { evolve, streamOf, type CampaignState } from '#domain/campaign/state'
import type { ScheduledAct } from '#domain/schedule/scheduled-change'
import type { EventStore, StoredEvent } from '#eventstore/event-store'
import { reviewedFiles } from '#domain/campaign/review/served-content'
import type { Decider, Handle, Handled, Request } from '../handle.ts'
import { readMetadata, type CommandContext } from '#domain/kit/event-metadata'
import { fold, stateAfter } from '#proof/replay'
import type { CampaignPort } from './campaign-port.ts'

export const campaign: Decider<CampaignState, CampaignEvent> = {
  fold,
  evolve,
  read: decodeCampaignEvent,
  // A state of before a field was added lacks it.
  snapshot: { name: 'campaign', version: Object.keys(DEFAULT_CONTENT).length },
  kept: (event) => (event.type === 'CampaignUpdated' ? (event.data.kept ?? []) : []),
}

/** The caller, and whether it is a dry run. */
export type Issue = {
  readonly context: CommandContext
  /** The command's id, derived from the revision of the decision; see `handle`. */
  readonly commandIdAt?: (revision: number) => string
  readonly dryRun?: boolean
  readonly mayWriteOwnerFields: boolean
}
export type SaveRequest = {
  readonly patch: CampaignPatch
  readonly newIds: readonly string[]
  readonly expected: number | null
  /** A note for staff; updates only. */
  readonly comment?: string | null
  /** The patch as stored, where that depends on the campaign's content at the time of the decision. */
  readonly prepare?: (present: CampaignContent) => Promise<CampaignPatch>
}
/** The requested content, and its campaign and space. */
type Wanted = {
  readonly content: CampaignContent
  readonly id: string
  readonly spaceId: string
  /** Source of a replicate: its files are copied along. */
  readonly sourceSpaceId?: string
  readonly publishing: boolean
}
export type CampaignOutcome = Handled<CampaignState, CampaignEvent>
export type CampaignCommands = ReturnType<typeof createCampaignCommands>

export type CampaignCommandDeps = { readonly handle: Handle; readonly store: EventStore; readonly port: CampaignPort }

/** Campaign commands over the shared loop; each gathers only the facts that its decision needs. */
export function createCampaignCommands({ handle: run, store, port }: CampaignCommandDeps) {
  /** Claims of audiences that this process has to release. */
  const claiming = new Set<string>()
  const claimOf = (id: string, { context }: Issue): string => `${id} ${context.command_id}`

  /** The shared loop; files of a newly approved version are opened after its commit, or by housekeeping after a crash. */
  async function handle(decider: typeof campaign, request: Request<CampaignState, CampaignEvent>): Promise<CampaignOutcome> {
    const done = await run(decider, request)
    if (done.kind === 'done' && request.dryRun !== true && done.before.approved !== done.state.approved)
      await port.reviewFiles(reviewedFiles(done.state)).catch(() => undefined)
    return done
  }

  /** Facts for a decision about `state` at `now`; `wanted` is the content if every rule agreed. */
  async function factsFor(state: CampaignState, now: string, wanted: Wanted | null): Promise<CommandFacts> {
    const spaceId = wanted?.spaceId ?? state.space_id
    const content = wanted?.content ?? state.head
    const account = await port.account(spaceId)
    const spend = await port.spendOf(wanted?.id ?? state.id, localDay(now, content.timezone_offset_seconds ?? 0))
    const renamed =
      wanted !== null && wanted.content.name !== '' && wanted.content.name !== (state.revision === 0 ? null : state.head.name)
    const reserved =
      !renamed || (await port.reserveName({ spaceId, campaignId: wanted.id, name: wanted.content.name, claim: false }))
    return {
      now,
      available: account?.available ?? 0,
      suspended: account?.suspended ?? false,
      spentToday: spend.today,
      spentTotal: spend.total,
      // The budget was reached in that hour, which may not have ended yet.
      ...(spend.billedUntil === null ? {} : { totalSpentAt: spend.billedUntil < now ? spend.billedUntil : now }),
      baseBid: account?.baseBid ?? port.baseBid(account?.currency ?? 'USD'),
      maxMargin: account?.maxMargin ?? port.maxMargin,
      nameTaken: !reserved,
      countryOffset: content.country === null ? null : port.countryOffset(content.country),
      references: wanted === null ? NOTHING_LOOKED_UP : await lookedUp(state, wanted),
    }
  }

  /** References in the wanted content that the present content does not have. */
  async function lookedUp(state: CampaignState, { content, spaceId, sourceSpaceId, publishing }: Wanted): Promise<References> {
    // Published content must be usable as a whole, including parts saved long ago (fine print 41).
    const ids = [...new Set(newUses(publishing ? DEFAULT_CONTENT : state.head, content).map(({ id }) => id))]
    const targets = newTargets(state.head, content)
    const sized = sizedAudiences(state, content, publishing)
    const app = newApp(state.head, content)
    const files =
      ids.length === 0
        ? NOTHING_LOOKED_UP.files
        : await port.files(ids, sourceSpaceId === undefined ? [spaceId] : [spaceId, sourceSpaceId])
    return {
      files,
      missingFiles: new Set(ids.filter((id) => !files.has(id))),
      unknownTargets: targets === null ? NOTHING_LOOKED_UP.unknownTargets : await port.unknownTargets(targets, spaceId),
      smallAudiences: sized.length > 0 && (await port.smallAudiences(spaceId, sized)),
      appKnown: app === null || port.appKnown(app.platform, app.bundleId),
    }
  }

  const offsetOf = (patch: CampaignPatch, base: CampaignContent): number | null => {
    const country = typeof patch.country === 'string' ? countryCode(patch.country) : base.country
    return country === null ? null : port.countryOffset(country)
  }

  const zoneOfCopy = (patch: CampaignPatch, { head }: CampaignState): number => {
    const moved = typeof patch.country === 'string' && countryCode(patch.country) !== head.country
    return (moved ? offsetOf(patch, head) : head.timezone_offset_seconds) ?? 0
  }

  /** The requested content before any rule is checked: determines which name to reserve and which files to check. */
  function wantedContent(base: CampaignContent, request: SaveRequest, issue: Issue, now: string): CampaignContent {
    const context = {
      mayWriteOwnerFields: issue.mayWriteOwnerFields,
      countryOffset: offsetOf(request.patch, base),
      newIds: request.newIds,
      now,
    }
    return shape(base, request.patch, context).content
  }

  /** Runs a command whose facts depend only on the campaign, unless its state refuses it. */
  function plain(
    id: string,
    issue: Issue,
    make: (state: CampaignState) => CampaignCommand,
    refused: (state: CampaignState) => Decision | null = () => null,
    { unmetered = false } = {},
  ): Promise<CampaignOutcome> {
    return handle(campaign, {
      stream: streamOf(id),
      context: issue.context,
      commandIdAt: issue.commandIdAt,
      dryRun: issue.dryRun === true,
      unmetered,
      decide: async (state, now) => refused(state) ?? decide(make(state), state, await factsFor(state, now, null)),
    })
  }

  function saving(
    id: string,
    issue: Issue,
    request: SaveRequest,
    make: (patch: CampaignPatch) => CampaignCommand | Promise<CampaignCommand>,
    target: (state: CampaignState) => CampaignPatch = () => request.patch,
  ): Promise<CampaignOutcome> {
    const outcome = handle(campaign, {
      stream: streamOf(id),
      context: issue.context,
      dryRun: issue.dryRun === true,
      decide: async (state, now): Promise<Decision> => {
        const outright = refusedOutright(request, state)
        if (outright !== null) return outright
        const patch = request.prepare === undefined ? target(state) : await request.prepare(state.head)
        // Shaping costs as much as deciding: skip the second pass for a save without a new name or file.
        const content = ASKED_ABOUT.some((key) => key in patch)
          ? wantedContent(state.head, { ...request, patch }, issue, now)
          : state.head
        const command = await make(patch)
        const publishing = command.type === 'PublishCampaign'
        return named(issue, { content, id, spaceId: state.space_id, publishing }, state, now, command)
      },
    })
    return released(id, issue, outcome)
  }

  /**
   * Decides with read-only checks of name and files; claims them only if the save is accepted, so a refused save claims nothing.
   */
  async function named(
    issue: Issue,
    wanted: Wanted,
    state: CampaignState,
    now: string,
    command: CampaignCommand,
  ): Promise<Decision> {
    const facts = await factsFor(state, now, wanted)
    const decision = decide(command, state, facts)
    const { content, id: campaignId, spaceId } = wanted
    const renamed = state.revision === 0 || content.name !== state.head.name
    if (decision.kind === 'rejected' || decision.events.length === 0 || issue.dryRun === true) return decision
    const nameTaken = renamed && !(await port.reserveName({ spaceId, campaignId, name: content.name, claim: true }))
    const files = [...new Set(newUses(state.head, content).map(({ id }) => id))]
    // A file that was purged after the check is missing by now.
    const filesGone = files.length > 0 && !(await port.claimFiles(files))
    const audiences = newTargets(state.head, content)?.segment_audiences ?? []
    // One that is being deleted is unknown by now.
    const audiencesGone = audiences.length > 0 && !(await claimed(campaignId, issue, spaceId, audiences))
    if (!nameTaken && !filesGone && !audiencesGone) return decision
    const references = filesGone ? await lookedUp(state, wanted) : facts.references
    const gone = audiencesGone ? ['targeting.segment_audiences'] : []
    const unknownTargets = new Set([...references.unknownTargets, ...gone])
    return decide(command, state, { ...facts, nameTaken, references: { ...references, unknownTargets } })
  }

  const claimed = (id: string, issue: Issue, spaceId: string, audiences: readonly string[]): Promise<boolean> => {
    claiming.add(claimOf(id, issue))
    return port.claimAudiences(spaceId, audiences, claimOf(id, issue))
  }

  /** Audiences of a save whose outcome is unknown stay claimed for a while: it may still be stored. */
  async function released<Outcome>(id: string, issue: Issue, outcome: Promise<Outcome>): Promise<Outcome> {
    const claim = claimOf(id, issue)
    try {
      const done = await outcome
      if (claiming.has(claim)) await port.releaseAudiences(claim).catch(() => undefined)
      return done
    } finally {
      claiming.delete(claim)
    }
  }

  const authorsOf = async (id: string): Promise<ReadonlySet<string>> =>
    reviewAuthors(
      (await store.readStream(streamOf(id))).map((stored) => ({
        event: decodeCampaignEvent(stored),
        actor: readMetadata(stored.metadata).actor,
      })),
    )

  const update = (id: string, issue: Issue, request: SaveRequest): Promise<CampaignOutcome> =>
    saving(id, issue, request, (patch) => ({
      type: 'UpdateCampaign',
      ...saved(issue, request, patch),
      comment: request.comment ?? null,
    }))

  const load = async (id: string): Promise<CampaignState> => fold(await store.readStream(streamOf(id)))

  return {
    create(
      issue: Issue,
      request: Omit<SaveRequest, 'expected'> & {
        readonly id: string
        readonly spaceId: string
        readonly whitelabelId: string
        readonly publish: boolean
        readonly source: CampaignState | null
      },
    ): Promise<CampaignOutcome> {
      const { id, spaceId, source } = request
      const outcome = handle(campaign, {
        stream: streamOf(id),
        context: issue.context,
        dryRun: issue.dryRun === true,
        decide: async (state, now) => {
          const base = source === null ? DEFAULT_CONTENT : copyOf(source, now, zoneOfCopy(request.patch, source))
          // Another copy of the same campaign may take an automatic name between the check and the claim: try the next one.
          for (let tries = 0; ; tries++) {
            const patch: CampaignPatch =
              source === null ? { name: '', ...request.patch } : await copyNamed(request.patch, source, spaceId, id)
            const decision = await attempt(patch)
            const automatic = source !== null && patch.name !== request.patch.name
            if (!automatic || tries === NAME_TRIES || !isNameTaken(decision)) return decision
          }

          function attempt(patch: CampaignPatch): Promise<Decision> {
            const content = wantedContent(base, { ...request, patch, expected: null }, issue, now)
            const command: CampaignCommand = {
              type: 'CreateCampaign',
              id,
              spaceId,
              whitelabelId: request.whitelabelId,
              replicatedFrom: source === null ? null : { id: source.id, revision: source.revision },
              base,
              publish: request.publish,
              patch,
              newIds: request.newIds,
              mayWriteOwnerFields: issue.mayWriteOwnerFields,
            }
            const from = source === null ? {} : { sourceSpaceId: source.space_id }
            return named(issue, { content, id, spaceId, publishing: request.publish, ...from }, state, now, command)
          }
        },
      })
      return released(id, issue, outcome)
    },

    update,

    publish: (id: string, issue: Issue, request: SaveRequest) =>
      saving(id, issue, request, (patch) => ({ type: 'PublishCampaign', ...saved(issue, request, patch) })),

    run: (id: string, issue: Issue) => plain(id, issue, () => ({ type: 'RunCampaign' })),
    pause: (id: string, issue: Issue) => plain(id, issue, () => ({ type: 'PauseCampaign' }), undefined, { unmetered: true }),
    toggleArchive: (id: string, issue: Issue) => plain(id, issue, () => ({ type: 'ToggleArchive' })),

    /** Carries out a scheduled change as by hand; but an archived campaign stays archived: 134 (fine print 100). */
    scheduled: (id: string, issue: Issue, act: ScheduledAct): Promise<CampaignOutcome> =>
      act.kind === 'save'
        ? update(id, issue, { patch: act.fields, newIds: [], expected: null })
        : plain(id, issue, () => ({ type: COMMAND_OF[act.kind] }), refusedOfArchived),

    approve: (
      id: string,
      issue: Issue,
      verdict: {
        readonly moderationStartAt: string | null
        readonly categoryKeys: readonly string[] | null
        readonly exchangeId: readonly string[] | null
      },
    ) =>
      handle(campaign, {
        stream: streamOf(id),
        context: issue.context,
        dryRun: issue.dryRun === true,
        decide: async (state, now) => {
          const ownWork = !(await port.ownApproval(state.whitelabel_id)) && (await authorsOf(id)).has(issue.context.actor)
          return decide({ type: 'ApproveCampaign', ...verdict, ownWork }, state, await factsFor(state, now, null))
        },
      }),

    reject: (id: string, issue: Issue, verdict: { readonly moderationStartAt: string | null; readonly comment: string }) =>
      plain(id, issue, () => ({ type: 'RejectCampaign', ...verdict }), undefined, { unmetered: true }),

    /** Verdict of a second moderator on the approval of a revision (fine print 104). */
    secondLook: (
      id: string,
      issue: Issue,
      verdict: { readonly approval: number; readonly agrees: boolean; readonly comment: string },
    ) => plain(id, issue, () => ({ type: 'TakeSecondLook', moderatorId: issue.context.actor, ...verdict })),

    /** Adds `verdicts` to the campaign in its state at decision time. */
    decideExchange: (id: string, issue: Issue, verdicts: (state: CampaignState) => readonly ExchangeVerdict[]) =>
      plain(id, issue, (state) => ({ type: 'DecideExchange', verdicts: verdicts(state) })),

    keepClock: (id: string, issue: Issue) => plain(id, issue, () => ({ type: 'KeepClock' })),
    keepSpend: (id: string, issue: Issue) => plain(id, issue, () => ({ type: 'KeepSpend' })),
    keepFunding: (id: string, issue: Issue) => plain(id, issue, () => ({ type: 'KeepFunding' })),

    /** Restores the content of a revision; null when the campaign never had that revision. */
    async restore(id: string, revision: number, issue: Issue): Promise<CampaignOutcome | null> {
      const history = await store.readStream(streamOf(id))
      const then = stateAfter(history, revision)
      if (then.revision !== revision) return null
      const patch = patchOf(then.head)
      const base = {
        restored: revision,
        content: then.head,
        newIds: [],
        mayWriteOwnerFields: issue.mayWriteOwnerFields,
        expected: null,
      }
      return saving(id, issue, { patch, newIds: [], expected: null }, () => ({ type: 'RestoreRevision', ...base }))
    },

    /** Reverts the changes of one revision; null when the campaign never had that revision. */
    async undo(id: string, revision: number, issue: Issue): Promise<CampaignOutcome | null> {
      const commits = async () => contentChanges(await store.readStream(streamOf(id)))
      const own = (await commits()).find((commit) => commit.revision === revision)
      if (own === undefined) return null
      // Read again for each decision: a concurrent save may have changed the same field
      // ("an undo is refused with 140 when this process saves the same field during it").
      const command = async (): Promise<CampaignCommand> => ({
        type: 'UndoRevision',
        undone: revision,
        changes: own.changes,
        later: (await commits()).filter((commit) => commit.revision > revision),
        newIds: [],
        mayWriteOwnerFields: issue.mayWriteOwnerFields,
      })
      const backwards = own.changes.map(({ path, from, to }) => ({ path, from: to, to: from })).reverse()
      return saving(id, issue, { patch: {}, newIds: [], expected: null }, command, (state) =>
        patchOf(apply(state.head, backwards)),
      )
    },

    load,
  }

  /** A copy's name: the one from the caller, or the source's with the first free " - Copy". */
  async function copyNamed(
    patch: CampaignPatch,
    source: CampaignState,
    spaceId: string,
    campaignId: string,
  ): Promise<CampaignPatch> {
    if (typeof patch.name === 'string' && patch.name.trim() !== '') return patch
    for (let n = 1; n <= 100; n++) {
      const name = `${source.head.name} - Copy${n === 1 ? '' : ` ${n}`}`
      if (await port.reserveName({ spaceId, campaignId, name, claim: false })) return { ...patch, name }
    }
    return patch
  }
}

const COMMAND_OF = { run: 'RunCampaign', pause: 'PauseCampaign', archive: 'ToggleArchive' } as const
const refusedOfArchived = (state: CampaignState): Decision | null => (state.archived ? refuse(134) : null)

const saved = ({ mayWriteOwnerFields }: Issue, { newIds, expected }: SaveRequest, patch: CampaignPatch) => ({
  patch,
  newIds,
  expected,
  mayWriteOwnerFields,
})

/** Copies of one campaign that compete for the same automatic names. */
const NAME_TRIES = 100
const isNameTaken = (decision: Decision): boolean =>
  decision.kind === 'rejected' && decision.rejection.faults.some(({ code }) => code === 1312)

/** `zone` is the copy's time zone: its local date may differ from the source's. */
const copyOf = (source: CampaignState, now: string, zone: number): CampaignContent =>
  contentForCopy(source.head, startOfLocalDay(now, zone))

/** Content changes of every commit, oldest first. */
function contentChanges(
  history: readonly StoredEvent[],
): readonly { readonly revision: number; readonly changes: readonly Change[] }[] {
  const byRevision = new Map<number, Change[]>()
  for (const stored of history) {
    const { revision } = readMetadata(stored.metadata)
    const event = decodeCampaignEvent(stored)
    const changes = event.type === 'CampaignUpdated' || event.type === 'CampaignApproved' ? event.data.changes : []
    byRevision.set(revision, [...(byRevision.get(revision) ?? []), ...changes])
  }
  return [...byRevision].map(([revision, changes]) => ({ revision, changes }))
}

/** Keys of a save that require looking up references. */
const ASKED_ABOUT = [
  'name',
  'country',
  'visuals',
  'dynamic_ad',
  'native_ad',
  'video_ad',
  'audio_ads',
  'targeting',
  'bidding_strategy',
] as const
