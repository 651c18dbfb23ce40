import { may, recordedRole, type Actor, type Place } from '#domain/kit/access'
import { reject, type Rejection } from '#domain/kit/errors'
import { commandIdOf, readMetadata } from '#domain/kit/event-metadata'
import { lateRefusal, type Outcome, type ScheduledAct, type ScheduleState } from '#domain/schedule/scheduled-change'
import { streamOf } from '#domain/campaign/state'
import type { EventStore } from '#eventstore/event-store'
import type { CampaignCommands, Issue } from '../campaign/campaign-commands.ts'
import { due, FULL_SCAN, type Sweep } from '../sweep.ts'

/** A change that is due, or that a process began to carry out. */
export type DueChange = Place & {
  readonly id: string
  readonly campaignId: string
  /** User who scheduled it. */
  readonly personId: string
  readonly state: ScheduleState
  readonly version: number
  readonly act: ScheduledAct
  /** ISO 8601 UTC. */
  readonly dueAt: string
}

export type SchedulePort = {
  /** Changes that are due or were begun, in the order in which they are due. */
  readonly due: (now: string, limit: number, except: readonly string[]) => Promise<readonly DueChange[]>
  /** False for what was edited, cancelled or begun meanwhile. */
  readonly begin: (id: string, version: number, now: string) => Promise<boolean>
  /** Stores the outcome and notifies of it, in one transaction; changes nothing when the outcome is stored already. */
  readonly end: (change: DueChange, outcome: Outcome, campaignName: string, mayBeNotified: boolean) => Promise<void>
}

export type CarryOutDeps = {
  readonly port: SchedulePort
  readonly campaigns: Pick<CampaignCommands, 'scheduled' | 'load'>
  readonly store: Pick<EventStore, 'readStream'>
  /** The person with the rights that they have now in this account; null for one who may not act there. */
  readonly actorOf: (personId: string, spaceId: string) => Promise<Actor | null>
  readonly derivedId: (...parts: readonly string[]) => string
  readonly now: () => string
}

/**
 * Carries out scheduled changes (fine print 100): as the person who scheduled them, with the rights of that moment, and once each. The id
 * of the campaign's command follows from the change. A process that ends between the command and its record leaves the change begun: the
 * next one finds the command in the campaign's stream and records it.
 */
export function createCarryOut({ port, campaigns, store, actorOf, derivedId, now }: CarryOutDeps) {
  const commandOf = ({ id }: DueChange): string => derivedId('schedule', id)

  /** The revision that the change made; null when it is not in the campaign's stream. */
  async function revisionOf(change: DueChange): Promise<number | null> {
    const command = commandOf(change)
    const history = await store.readStream(streamOf(change.campaignId))
    const own = history.find(({ metadata }) => commandIdOf(metadata) === command)
    return own === undefined ? null : readMetadata(own.metadata).revision
  }

  async function attempt(change: DueChange, actor: Actor | null): Promise<Outcome> {
    const late = lateRefusal(change, now())
    if (late !== null) return refusedBy(late)
    if (actor === null || !may(actor, 'campaign.write', change)) return refusedBy(reject(3))
    const done = await campaigns.scheduled(change.campaignId, issueOf(change, actor, commandOf(change)), change.act)
    return done.kind === 'rejected' ? refusedBy(done.rejection) : { state: 'done', revision: done.revision }
  }

  /** Resolves without an effect for a change that was edited, cancelled or begun meanwhile. */
  return async function carryOut(change: DueChange): Promise<void> {
    const began = change.state === 'under_way'
    if (!began && !(await port.begin(change.id, change.version, now()))) return
    const stored = began ? await revisionOf(change) : null
    const actor = await actorOf(change.personId, change.spaceId)
    const outcome: Outcome = stored === null ? await attempt(change, actor) : { state: 'done', revision: stored }
    const { head } = await campaigns.load(change.campaignId)
    await port.end(change, outcome, head.name, actor !== null)
  }
}

const refusedBy = (rejection: Rejection): Outcome => ({ state: 'refused', rejection })

const issueOf = (change: DueChange, actor: Actor, commandId: string): Issue => ({
  mayWriteOwnerFields: false,
  context: {
    actor: actor.userId,
    role: recordedRole(actor, 'campaign.write', change),
    on_behalf_of: change.spaceId === actor.homeSpaceId ? null : change.spaceId,
    source: 'schedule',
    command_id: commandId,
    body_hash: null,
    correlation: change.id,
    causation: null,
  },
})

/** Carries out what is due: campaigns side by side, the changes of one in the order of their times, also after a downtime. */
export function scheduleSweep(deps: CarryOutDeps): Sweep {
  const carryOut = createCarryOut(deps)
  return {
    name: 'scheduled-changes',
    scan: async (except) => {
      const byCampaign = new Map<string, DueChange[]>()
      for (const change of await deps.port.due(deps.now(), FULL_SCAN, except)) {
        const before = byCampaign.get(change.campaignId)
        if (before === undefined) byCampaign.set(change.campaignId, [change])
        else before.push(change)
      }
      return due(
        [...byCampaign],
        ([campaignId]) => campaignId,
        async ([, changes]) => {
          for (const change of changes) await carryOut(change)
        },
      )
    },
  }
}
