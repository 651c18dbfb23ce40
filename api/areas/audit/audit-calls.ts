import { diff, type Change, type Json } from '#domain/kit/json-changes'
import { streamOf, type CampaignState } from '#domain/campaign/state'
import { statusOf } from '#domain/campaign/status/status'
import { readMetadata, type Metadata } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import { foldWhile, NO_REVISION, replay, statesAfter } from '#proof/replay'
import { accepted, Refused } from '#commands/refused'
import { viewerAt } from '../campaign/answers.ts'
import { authorize, type Caller } from '#api/http/caller'
import type { Served } from '#api/areas/services'
import { createVerifyCall } from './verify-call.ts'
import { changesOut, contentOut, reasonsOut, seesOwnerFields } from '../campaign/wire.ts'

/** The auditor's reads: the only calls that read the log itself. */
export function createAuditCalls(deps: Served<'campaigns' | 'db' | 'people' | 'store'>) {
  async function seesOwner(caller: Caller, id: string, action: 'log.read' | 'log.verify') {
    const place = await deps.campaigns.placeOf(id)
    authorize(caller.actor, action, place)
    return seesOwnerFields(caller.actor, place)
  }
  async function history(caller: Caller, id: string) {
    const owner = await seesOwner(caller, id, 'log.read')
    return { events: await deps.store.readStream(streamOf(id)), owner }
  }

  return {
    async events(caller: Caller, id: string, from: number | undefined, limit: number | undefined) {
      await seesOwner(caller, id, 'log.verify')
      const events = await deps.store.readStream(streamOf(id), Math.max(1, from ?? 1) - 1, limit ?? 100)
      return events.map(eventOut)
    },

    async at(caller: Caller, id: string, revision: number | undefined, time: string | undefined) {
      const { events, owner } = await history(caller, id)
      const state = stateAt(events, revision, time)
      // Reasons from the schedule grid apply to the requested instant (fine print 15).
      const instant = revision !== undefined ? state.at : (time ?? deps.now())
      const viewer = await viewerAt(deps.people, caller.actor, state, instant, null)
      return {
        revision: state.revision,
        at: state.at,
        state: contentOut(state.head, owner),
        status_key: statusOf(state),
        status_reasons: reasonsOut(state, viewer),
      }
    },

    async diff(caller: Caller, id: string, from: number, to: number) {
      const { events, owner } = await history(caller, id)
      const changes = changesBetween(events, from, to)
      return { from, to, changes: [...changesOut(changes, owner)] }
    },

    async blame(caller: Caller, id: string, revision?: number) {
      const { events, owner } = await history(caller, id)
      const until = revision === undefined ? events : events.filter(({ metadata }) => readMetadata(metadata).revision <= revision)
      return blameOf(until, owner)
    },

    verify: createVerifyCall(deps),
  }
}

export function eventOut(stored: StoredEvent) {
  const metadata: Metadata & { readonly hash?: string } = readMetadata(stored.metadata)
  return {
    position: String(stored.position),
    version: stored.version,
    event_id: stored.id,
    type: stored.type,
    schema_version: stored.schemaVersion,
    data: stored.data,
    metadata: stored.metadata,
    hash: metadata.hash ?? '',
    previous_hash: metadata.previous_hash,
  }
}

/** The state after a revision, or at an instant of business time (fine print 24). */
export function stateAt(events: readonly StoredEvent[], revision?: number, time?: string): CampaignState {
  const replayed = accepted(
    replay(events, { ...(revision === undefined ? {} : { revision }), ...(time === undefined ? {} : { time }) }),
  )
  return replayed.state
}

/** Changes of the content between two revisions. Refuses one that does not exist. */
export function changesBetween(events: readonly StoredEvent[], from: number, to: number): readonly Change[] {
  const states = statesAfter(events, from, to)
  if (states === null) throw new Refused(NO_REVISION)
  return diff(states.one.head, states.other.head)
}

type By = { readonly since: string; readonly revision: number; readonly actor: string; readonly command_id: string }

/** Per field: its value, its author, and the time and command that set it. */
export function blameOf(events: readonly StoredEvent[], owner: boolean) {
  const touched = new Map<string, By>()
  const authors: { first: By | null } = { first: null }
  const { head } = foldWhile(
    events,
    () => true,
    undefined,
    ({ data }, { at, revision, actor, command_id }) => {
      const by = { since: at, revision, actor, command_id }
      authors.first ??= by
      if ('changes' in data) for (const { path } of data.changes) touched.set(path, by)
    },
  )
  const fields = contentOut(head, owner)
  const paths = new Map<string, Json>()
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, leaf] of Object.entries(value)) paths.set(`${key}.${inner}`, leaf)
    else paths.set(key, value)
  }
  return [...paths].flatMap(([path, value]) => {
    const latest = [...touched]
      .filter(
        ([changed]) =>
          changed === path || changed.startsWith(`${path}.`) || changed.startsWith(`${path}[`) || path.startsWith(`${changed}.`),
      )
      .map(([, by]) => by)
      .reduce<By | null>((newest, by) => (newest === null || by.revision > newest.revision ? by : newest), authors.first)
    return latest === null ? [] : [{ path, value, ...latest }]
  })
}
