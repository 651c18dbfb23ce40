import { setTimeout as delay } from 'node:timers/promises'
import type { Rejection } from '#domain/kit/errors'
import { reject } from '#domain/kit/errors'
import { schemaVersionOf } from '#domain/every-event'
import { checkAppendSize } from '#eventstore/append-size'
import { Away } from '#eventstore/away'
import type { Append, AppendResult, EventStore, NewEvent, Position, StoredEvent } from '#eventstore/event-store'
import { GENESIS, hashOf, sealed } from '#proof/hash-chain'
import { commandIdOf, readMetadata, type CommandContext, type Metadata } from '#domain/kit/event-metadata'
import type { Loaded, StateCache } from './state-cache.ts'
import { createKeyedMutex } from './keyed-mutex.ts'

/** An event as its decider returns it. */
export type DomainEvent = { readonly type: string; readonly data: unknown }
export type EventMeta = { readonly at: string; readonly revision: number; readonly actor: string }

/** The rules of one aggregate. */
export type Decider<State, Event extends DomainEvent> = {
  /** State after the events of a stream, from its first one on. The result is shared and never changed. */
  readonly fold: (history: readonly StoredEvent[]) => State
  readonly evolve: (state: State, event: Event, meta: EventMeta) => State
  readonly read: (stored: StoredEvent) => Event
  /** What the command of this event left unchanged, for the answer to a repeat. */
  readonly kept?: (event: Event) => readonly string[]
}

/** Folds by evolving from the initial state. */
export const foldBy =
  <State, Event extends DomainEvent>(
    initial: State,
    evolve: Decider<State, Event>['evolve'],
    read: Decider<State, Event>['read'],
  ): Decider<State, Event>['fold'] =>
  (history) =>
    history.reduce((state, stored) => evolve(state, read(stored), readMetadata(stored.metadata)), initial)

export type Decided<Event> =
  | { readonly kind: 'events'; readonly events: readonly Event[]; readonly kept?: readonly string[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export type Handled<State, Event> =
  | {
      readonly kind: 'done'
      readonly before: State
      readonly state: State
      readonly events: readonly Event[]
      readonly position: Position
      readonly revision: number
      readonly kept: readonly string[]
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export type Request<State, Event> = {
  readonly stream: string
  readonly context: CommandContext
  /**
   * Derives the command id from the revision, instead of `context`: for commands that record what is due at that revision. They
   * are never looked up as repeats: when two processes record the same, one of them loses the append.
   */
  readonly commandIdAt?: ((revision: number) => string) | undefined
  /** Called again after every lost race, with the new state. */
  readonly decide: (state: State, now: string) => Promise<Decided<Event>>
  /** Decides and returns the result, stores nothing. */
  readonly dryRun?: boolean
}

export type HandlerDeps = {
  readonly store: EventStore
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  /** Id of the n-th event of a command, the same for every attempt (fine print 17). */
  readonly eventId: (commandId: string, n: number) => string
  /** Without a cache every command reads its stream. */
  readonly cache?: StateCache
}

/** After losing races to other processes for this long, a command fails. */
const RETRY_FOR_MS = 5000
const LONGEST_PAUSE_MS = 50
/** A repeat is found by the next read; the other attempts are for stores that read from a replica. */
const READS_FOR_REPEAT = 3

/**
 * Other processes kept writing to the stream for as long as a command may take. Nothing was stored, and the command may be sent
 * again. This is not code 140, which reports a stale edit.
 */
export class StreamBusy extends Error {
  constructor(stream: string) {
    super(`${stream} was written to by others for ${RETRY_FOR_MS} ms`)
  }
}

/**
 * The one loop of every write:
 * 1. load the state, from the cache or by reading and folding the stream;
 * 2. answer a repeated command from the stream;
 * 3. decide; a decision that appends nothing is never based on the cache, because no append would check it;
 * 4. append at the expected version; when another process was faster, forget the state and start again.
 * A keyed mutex serialises commands on one stream within this process: otherwise all but one would lose every race.
 * @throws {StreamBusy}
 * @throws {AppendTooLarge}
 * @throws {Away} when the log is away for longer than a command waits
 */
export function createHandler(deps: HandlerDeps) {
  const serialised = createKeyedMutex()
  /** Of the last command that waited for the log without a result. */
  let lastAway: Away | null = null

  /** An append that throws may have been stored nevertheless: the cached state must not be used again. */
  async function appendOrForget(append: Append): Promise<AppendResult> {
    try {
      return await deps.store.append(append)
    } catch (error) {
      deps.cache?.forget(append.stream)
      throw error
    }
  }

  return function handle<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    request: Request<State, Event>,
  ): Promise<Handled<State, Event>> {
    const before = lastAway
    return serialised(request.stream, async () => {
      // Those that queued meanwhile have waited as well: each would wait for the whole time again.
      if (lastAway !== null && lastAway !== before) throw lastAway
      try {
        return await carryOut(decider, request)
      } catch (error) {
        if (error instanceof Away) lastAway = error
        throw error
      }
    })
  }

  async function carryOut<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    request: Request<State, Event>,
  ): Promise<Handled<State, Event>> {
    const { stream, commandIdAt } = request
    const until = performance.now() + RETRY_FOR_MS
    let known = deps.cache?.get<State>(stream)
    if (commandIdAt === undefined && known?.commands.has(request.context.command_id) === true) known = undefined
    let replays = 0
    for (let lost = 0; ;) {
      const remembered = known !== undefined
      const history = known === undefined ? await deps.store.readStream(stream) : []
      const repeat = commandIdAt === undefined ? repeatIn(decider, history, request.context) : null
      if (repeat !== null) return repeat
      const loaded: Loaded<State> = known ?? load(decider, history, deps.cache !== undefined)
      known = undefined
      const commandId = commandIdAt?.(loaded.revision)
      const context =
        commandId === undefined ? request.context : { ...request.context, command_id: commandId, correlation: commandId }
      const now = laterOf(deps.now(), loaded.at)
      const decided = await request.decide(loaded.state, now)
      const appends = decided.kind === 'events' && decided.events.length > 0 && request.dryRun !== true
      if (remembered && !appends) continue
      if (decided.kind === 'rejected') return decided
      const revision = loaded.revision + (decided.events.length > 0 ? 1 : 0)
      const meta = { at: now, revision, actor: context.actor }
      const state = decided.events.reduce((current, event) => decider.evolve(current, event, meta), loaded.state)
      const { events, kept = [] } = decided
      const done = { kind: 'done', before: loaded.state, state, events, revision, kept } as const
      const sealedEvents = seal(stream, events, loaded, context, meta, deps.eventId)
      // Also for a dry run.
      checkAppendSize(stream, sealedEvents.events)
      if (!appends) return { ...done, position: await deps.store.head() }
      const result = await appendOrForget({ stream, expected: loaded.version, events: sealedEvents.events })
      // Replayed: another attempt stored the events of this command, perhaps with another time and hash. The next iteration finds
      // and answers the repeat.
      if (result.kind === 'appended' && !result.replayed) {
        const { version, commands } = loaded
        // Copying is O(stream length), so this mutates in place.
        commands.add(context.command_id)
        const bytes = loaded.bytes + lengthOf(sealedEvents.events)
        deps.cache?.set(stream, {
          state,
          version: version + events.length,
          revision,
          at: now,
          hash: sealedEvents.hash,
          bytes,
          commands,
        })
        return { ...done, position: result.position }
      }
      deps.cache?.forget(stream)
      if (result.kind === 'conflict' && performance.now() > until) throw new StreamBusy(stream)
      if (result.kind === 'appended' && (replays += 1) === READS_FOR_REPEAT)
        throw new Error(`events of ${context.command_id} were reported as stored, but are not in ${stream}`)
      // A random pause, so that two competing processes do not stay in step.
      if (lost > 0) await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 2 ** lost))
      lost += 1
    }
  }
}

export type Handle = ReturnType<typeof createHandler>

const lengthOf = (events: readonly { readonly data: string; readonly metadata: string }[]): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)

function load<State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  history: readonly StoredEvent[],
  withCommands: boolean,
): Loaded<State> {
  const newest = history.at(-1)
  const last = newest === undefined ? null : readMetadata(newest.metadata)
  return {
    state: decider.fold(history),
    version: history.length,
    revision: last?.revision ?? 0,
    at: last?.at ?? '',
    hash: last?.hash ?? GENESIS,
    bytes: lengthOf(history),
    commands: new Set(withCommands ? history.map(({ metadata }) => commandIdOf(metadata)) : []),
  }
}

/**
 * The answer to a command whose events are stored already, perhaps by a process that died after its commit. Null for any other.
 */
function repeatIn<State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  history: readonly StoredEvent[],
  { command_id, body_hash }: CommandContext,
): Handled<State, Event> | null {
  const own = history.filter(({ metadata }) => metadata.includes(command_id) && commandIdOf(metadata) === command_id)
  const [first, last] = [own[0], own.at(-1)]
  if (first === undefined || last === undefined) return null
  const { body_hash: stored, revision } = readMetadata(last.metadata)
  if (stored !== body_hash) return { kind: 'rejected', rejection: reject(141) }
  const events = own.map(decider.read)
  return {
    kind: 'done',
    before: decider.fold(history.slice(0, first.version - 1)),
    state: decider.fold(history.slice(0, last.version)),
    events,
    revision,
    position: last.position,
    kept: events.flatMap((event) => decider.kept?.(event) ?? []),
  }
}

function seal(
  stream: string,
  events: readonly DomainEvent[],
  loaded: { readonly version: number; readonly hash: string },
  context: CommandContext,
  meta: EventMeta,
  eventId: HandlerDeps['eventId'],
): { readonly events: readonly NewEvent[]; readonly hash: string } {
  let previous = loaded.hash
  const chained = events.map((event, index) => {
    const id = eventId(context.command_id, index)
    const data = JSON.stringify(event.data)
    const place = { at: meta.at, revision: meta.revision, index, of: events.length }
    const metadata: Metadata = { ...context, ...place, previous_hash: previous }
    const text = JSON.stringify(metadata)
    const { type } = event
    const schemaVersion = schemaVersionOf(type)
    const hash = hashOf(previous, { stream, version: loaded.version + index + 1, id, type, schemaVersion, data }, text)
    previous = hash
    return { id, type, schemaVersion, data, metadata: sealed(text, hash) }
  })
  return { events: chained, hash: previous }
}

const laterOf = (a: string, b: string): string => (a > b ? a : b)
