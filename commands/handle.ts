import { setTimeout as delay } from 'node:timers/promises'
import type { Rejection } from '#domain/kit/errors'
import { reject } from '#domain/kit/errors'
import { schemaVersionOf } from '#domain/every-event'
import { checkAppendSize } from '#eventstore/append-size'
import { Away } from '#eventstore/away'
import type { Append, AppendResult, EventStore, NewEvent, Position, StoredEvent } from '#eventstore/event-store'
import { NO_TRACES, type Attributes, type Tracer } from '#eventstore/tracer'
import { GENESIS, hashOf, sealed } from '#proof/hash-chain'
import { commandIdOf, readMetadata, type CommandContext, type Metadata } from '#domain/kit/event-metadata'
import type { Loaded, StateCache } from './state-cache.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { markOf, SNAPSHOT_EVERY, type Snapshot, type Snapshots } from './snapshots.ts'

/** An event as its decider returns it. */
export type DomainEvent = { readonly type: string; readonly data: unknown }
export type EventMeta = { readonly at: string; readonly revision: number; readonly actor: string }

/** The rules of one aggregate. */
export type Decider<State, Event extends DomainEvent> = {
  /** State after the events of a stream, from its first one on or from a state before them. The result is shared and never changed. */
  readonly fold: (history: readonly StoredEvent[], before?: State) => State
  readonly evolve: (state: State, event: Event, meta: EventMeta) => State
  readonly read: (stored: StoredEvent) => Event
  /** Fields that the command of this event left unchanged, for the answer to a repeat. */
  readonly kept?: (event: Event) => readonly string[]
  /**
   * Only for a state that JSON holds: long streams are then folded from a snapshot on. Raise the version whenever the state of the
   * same events would come out differently.
   */
  readonly snapshot?: { readonly name: string; readonly version: number }
  /** Every command of it derives its id (`commandIdAt`): repeats are for its rules to find, and no ids are remembered. */
  readonly numbered?: true
}

/** Folds by evolving from the initial state. */
export const foldBy =
  <State, Event extends DomainEvent>(
    initial: State,
    evolve: Decider<State, Event>['evolve'],
    read: Decider<State, Event>['read'],
  ): Decider<State, Event>['fold'] =>
  (history, before = initial) =>
    history.reduce((state, stored) => evolve(state, read(stored), readMetadata(stored.metadata)), before)

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
      /** Version of the stream that `state` stands for. */
      readonly version: number
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
  /** Taken also from an account that has used up its bytes of the log: what stops spending, and what records money that has moved. */
  readonly unmetered?: boolean
}

export type HandlerDeps = {
  readonly store: EventStore
  /** Business time, ISO 8601 UTC. */
  readonly now: () => string
  /** Id of the n-th event of a command, the same for every attempt (fine print 17). */
  readonly eventId: (commandId: string, n: number) => string
  /** Correlation of commands that come without one: the request under way. Empty outside of requests. */
  readonly correlation?: () => string
  /** Commands are spans of it, and their events name these. */
  readonly tracer?: Tracer
  /** Without a cache every command reads its stream. */
  readonly cache?: StateCache
  /** Without snapshots every read is of the whole stream. */
  readonly snapshots?: Snapshots
  /** Events from one snapshot to the next. */
  readonly snapshotEvery?: number
  /** Bytes that the account that asks may add to the log in a day; unlimited when absent. */
  readonly quota?: WriteQuota
}

export type WriteQuota = {
  /** @throws {TooMany} when the account that asks has used up its share */
  readonly check: () => Promise<void>
  readonly spent: (amount: number) => void
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
 * 0. refuse an account that has used up its bytes of the log;
 * 1. load the state, from the cache or by reading and folding the stream;
 * 2. answer a repeated command from the stream;
 * 3. decide; a decision that appends nothing is never based on the cache, because no append would check it;
 * 4. append at the expected version; when another process was faster, forget the state and start again.
 * A keyed mutex serialises commands on one stream within this process: otherwise all but one would lose every race.
 * @throws {StreamBusy}
 * @throws {AppendTooLarge}
 * @throws {TooMany}
 * @throws {Away} when the log is away for longer than a command waits
 */
export function createHandler(deps: HandlerDeps) {
  const serialised = createKeyedMutex()
  const { tracer = NO_TRACES } = deps
  /** Error of the last command that waited for the log without a result. */
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
    const { stream, dryRun = false } = request
    const name = `command ${stream.slice(0, stream.indexOf('-'))}`
    return tracer.span({ name, attributes: { 'placard.stream': stream, 'placard.dry_run': dryRun } }, (note) =>
      serialised(stream, async () => {
        // Those that queued meanwhile have waited as well: each would wait for the whole time again.
        if (lastAway !== null && lastAway !== before) throw lastAway
        try {
          return await carryOut(decider, request, note)
        } catch (error) {
          if (error instanceof Away) lastAway = error
          throw error
        }
      }),
    )
  }

  /** The state of a stream: from its snapshot on where it has one, and the answer to a command that it has already. */
  async function load<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    { stream, context, commandIdAt }: Request<State, Event>,
    mayRepeat: (commands: ReadonlySet<string>) => boolean,
  ): Promise<Loaded<State> | Handled<State, Event>> {
    const found = await fromSnapshot(decider, stream)
    if (found !== null && !mayRepeat(found.commands)) return keep(decider, stream, found)
    const history = await deps.store.readStream(stream)
    const repeat = commandIdAt === undefined ? repeatIn(decider, history, context) : null
    return repeat ?? keep(decider, stream, advanced(decider, NOTHING, decider.fold([]), history))
  }

  /** Null for a stream without a snapshot, or with one that does not stand for its events: another log was restored. */
  async function fromSnapshot<State, Event extends DomainEvent>(decider: Decider<State, Event>, stream: string) {
    if (decider.snapshot === undefined || deps.snapshots === undefined) return null
    const snapshot = await deps.snapshots.find(stream, shapeOf(decider.snapshot))
    if (snapshot === null) return null
    const [last, ...newer] = await deps.store.readStream(stream, snapshot.version - 1)
    if (last?.version !== snapshot.version || readMetadata(last.metadata).hash !== snapshot.hash) return null
    return advanced(decider, loadedFrom(snapshot), snapshot.state as State, newer)
  }

  /** Saves a snapshot of a stream that has grown by enough since the last one. One that cannot be saved costs time, nothing else. */
  async function keep<State, Event extends DomainEvent>(
    { snapshot }: Decider<State, Event>,
    stream: string,
    loaded: Loaded<State>,
  ): Promise<Loaded<State>> {
    if (
      snapshot === undefined ||
      deps.snapshots === undefined ||
      loaded.version - loaded.saved < (deps.snapshotEvery ?? SNAPSHOT_EVERY)
    )
      return loaded
    const { at, commands, hash, revision, state, version } = loaded
    const saved: Snapshot = { stream, shape: shapeOf(snapshot), version, hash, at, revision, state, commands: [...commands] }
    await deps.snapshots.save(saved).catch(() => undefined)
    return { ...loaded, ...loadedFrom(saved) }
  }

  async function carryOut<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    request: Request<State, Event>,
    note: (attributes: Attributes) => void,
  ): Promise<Handled<State, Event>> {
    const { stream, commandIdAt } = request
    const quota = request.unmetered === true || request.dryRun === true ? undefined : deps.quota
    await quota?.check()
    const until = performance.now() + RETRY_FOR_MS
    const mark = commandIdAt === undefined ? markOf(request.context.command_id) : null
    const mayRepeat = (commands: ReadonlySet<string>) => mark !== null && commands.has(mark)
    let known = deps.cache?.get<State>(stream)
    if (known !== undefined && mayRepeat(known.commands)) known = undefined
    let replays = 0
    for (let lost = 0; ;) {
      const remembered = known !== undefined
      const loaded: Loaded<State> | Repeat<State, Event> = known ?? (await load(decider, request, mayRepeat))
      if ('kind' in loaded) return loaded
      known = undefined
      const commandId = commandIdAt?.(loaded.revision)
      const context =
        commandId === undefined
          ? correlated(request.context, deps.correlation)
          : { ...request.context, command_id: commandId, correlation: commandId }
      const now = laterOf(deps.now(), loaded.at)
      note({ 'placard.attempts': lost + 1 })
      const decided = await request.decide(loaded.state, now)
      const appends = decided.kind === 'events' && decided.events.length > 0 && request.dryRun !== true
      if (remembered && !appends) continue
      if (decided.kind === 'rejected') {
        note({ 'placard.rejected': decided.rejection.code })
        return decided
      }
      const revision = loaded.revision + (decided.events.length > 0 ? 1 : 0)
      const meta = { at: now, revision, actor: context.actor }
      const state = decided.events.reduce((current, event) => decider.evolve(current, event, meta), loaded.state)
      const { events, kept = [] } = decided
      const version = loaded.version + events.length
      const done = { kind: 'done', before: loaded.state, state, events, version, revision, kept } as const
      note({ 'placard.events': events.map(({ type }) => type) })
      const sealedEvents = seal(stream, events, loaded, traced(context, tracer), meta, deps.eventId)
      // Also for a dry run.
      checkAppendSize(stream, sealedEvents.events)
      if (!appends) return { ...done, position: await deps.store.head() }
      const result = await appendOrForget({ stream, expected: loaded.version, events: sealedEvents.events })
      // Replayed: another attempt stored the events of this command, perhaps with another time and hash. The next iteration finds
      // and answers the repeat.
      if (result.kind === 'appended' && !result.replayed) {
        const { commands } = loaded
        // Copying is O(stream length), so this mutates in place.
        if (decider.numbered !== true) commands.add(mark ?? markOf(context.command_id))
        const added = lengthOf(sealedEvents.events)
        quota?.spent(added)
        const bytes = loaded.bytes + added
        const after = { state, version, revision, at: now, hash: sealedEvents.hash, bytes, commands, saved: loaded.saved }
        deps.cache?.set(stream, await keep(decider, stream, after))
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

type Repeat<State, Event> = Handled<State, Event>

type Place = Omit<Loaded<unknown>, 'state'>

/** Before the first event. */
const NOTHING: Place = { version: 0, saved: 0, revision: 0, at: '', hash: GENESIS, bytes: 0, commands: new Set() }

/** The name of a snapshot's shape. */
export const shapeOf = ({ name, version }: { readonly name: string; readonly version: number }): string => `${name}/${version}`

const loadedFrom = ({ version, revision, at, hash, state, commands }: Snapshot): Place => ({
  version,
  saved: version,
  revision,
  at,
  hash,
  bytes: JSON.stringify(state).length + commands.join().length,
  commands: new Set(commands),
})

/** Before these events, and after them. */
function advanced<State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  before: Place,
  state: State,
  events: readonly StoredEvent[],
): Loaded<State> {
  const newest = events.at(-1)
  const { at, hash = before.hash, revision } = newest === undefined ? before : readMetadata(newest.metadata)
  return {
    state: events.length === 0 ? state : decider.fold(events, state),
    version: before.version + events.length,
    saved: before.saved,
    revision,
    at,
    hash,
    bytes: before.bytes + lengthOf(events),
    commands:
      decider.numbered === true
        ? before.commands
        : new Set([...before.commands, ...events.map(({ metadata }) => markOf(commandIdOf(metadata)))]),
  }
}

const lengthOf = (events: readonly { readonly data: string; readonly metadata: string }[]): number =>
  events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0)

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
    version: last.version,
    revision,
    position: last.position,
    kept: events.flatMap((event) => decider.kept?.(event) ?? []),
  }
}

/** The events of a command as they are stored, each with the hash of the one before. */
export function seal(
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

/** Work of the product while it answers a request, such as finishing a payment, belongs to that request. */
const correlated = (context: CommandContext, now: HandlerDeps['correlation']): CommandContext =>
  context.correlation === '' && now !== undefined ? { ...context, correlation: now() } : context

/** Work that follows from the events, in this process or another, continues the trace of the command. */
function traced(context: CommandContext, { current }: Tracer): CommandContext {
  const trace = current()
  return trace === undefined ? context : { ...context, trace }
}

const laterOf = (a: string, b: string): string => (a > b ? a : b)
