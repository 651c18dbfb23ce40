import { setTimeout as delay } from 'node:timers/promises'
import type { Rejection } from '../domain/kit/errors.ts'
import { reject } from '../domain/kit/errors.ts'
import { schemaVersionOf } from '../domain/every-event.ts'
import type { Append, AppendResult, EventStore, NewEvent, Position, StoredEvent } from '../eventstore/event-store.ts'
import { GENESIS, hashOf, sealed } from '../proof/hash-chain.ts'
import { commandIdOf, readMetadata, type CommandContext, type Metadata } from '../domain/kit/event-metadata.ts'
import type { Loaded, StateCache } from './state-cache.ts'
import { createTurns } from './keyed-mutex.ts'

/** An event of a domain, as its decider makes it. */
export type DomainEvent = { readonly type: string; readonly data: unknown }
export type EventMeta = { readonly at: string; readonly revision: number; readonly actor: string }

/** One aggregate's rules, and what they need to know of the world. */
export type Decider<State, Event extends DomainEvent> = {
  /** State after the events of a stream, from its first one on. The result is shared and never changed. */
  readonly fold: (history: readonly StoredEvent[]) => State
  readonly evolve: (state: State, event: Event, meta: EventMeta) => State
  readonly read: (stored: StoredEvent) => Event
  /** What a command had to leave as it was, as one of its events tells when it is repeated. */
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
   * The command's id by the revision it is decided at, instead of the one in `context`: for commands that record what is due at that revision,
   * whoever finds it. Such a command is never looked for as a repeat: two processes that record the same meet at the append.
   */
  readonly commandIdAt?: ((revision: number) => string) | undefined
  /** Asked again after every lost race, with the state as it is then. */
  readonly decide: (state: State, now: string) => Promise<Decided<Event>>
  /** Decide and answer, store nothing. */
  readonly dryRun?: boolean
}

export type HandlerDeps = {
  readonly store: EventStore
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  /** Id of the n-th event of a command: the same for every attempt (fine print 17). */
  readonly eventId: (commandId: string, n: number) => string
  /** Absent: every command reads its stream. */
  readonly cache?: StateCache
}

/** Races with other processes that were lost for so long mean more than a few people: give up and say so. */
const PATIENCE_MS = 5000
const LONGEST_PAUSE_MS = 50
/** A stream that was appended to shows it at the next look; one more is for a store whose reads come from a copy. */
const LOOKS_FOR_REPEAT = 3

/**
 * Other processes kept writing to a stream for as long as a command may take. Nothing was stored, and the same command may be
 * sent again: this is not code 140, which is about what somebody saw before.
 */
export class StreamBusy extends Error {
  constructor(stream: string) {
    super(`${stream} was written to by others for ${PATIENCE_MS} ms`)
  }
}

/**
 * The one loop of every write: load, decide, append; again when another process was faster. Commands on one stream take turns within this
 * one: at the same time all but one of them would lose, each time anew. With a cache the stream need not be read: the append checks that
 * what was remembered is the newest. An answer that appends nothing has no such check, so it is decided again on the stream itself.
 * @throws {StreamBusy}
 */
export function createHandler(deps: HandlerDeps) {
  const inTurn = createTurns()

  /** An append that throws may have been stored all the same: what is remembered of its stream is not to be built on. */
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
    return inTurn(request.stream, () => carryOut(decider, request))
  }

  async function carryOut<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    request: Request<State, Event>,
  ): Promise<Handled<State, Event>> {
    const { stream, commandIdAt } = request
    const until = performance.now() + PATIENCE_MS
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
      if (!appends) return { ...done, position: await deps.store.head() }
      const sealedEvents = seal(stream, events, loaded, context, meta, deps.eventId)
      const result = await appendOrForget({ stream, expected: loaded.version, events: sealedEvents.events })
      // Repeated: the events of this command stand there as somebody else decided them, under another time and hash perhaps. What was
      // decided here is not what happened, and is found as a repeat at the next turn.
      if (result.kind === 'appended' && !result.replayed) {
        const { version, commands } = loaded
        // In place: whoever still holds the state before only finds one command more that has happened, and a copy would cost what the stream is long.
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
      if (result.kind === 'appended' && (replays += 1) === LOOKS_FOR_REPEAT)
        throw new Error(`events of ${context.command_id} are said to be stored and are not in ${stream}`)
      // Not in step with whoever was faster: two that always meet would take twice as long.
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
 * The answer to a command whose events stand in the stream already: it happened before, perhaps in another process that died after its
 * commit. Null for any other.
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
