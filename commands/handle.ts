import type { Rejection } from '../domain/errors.ts'
import { reject } from '../domain/errors.ts'
import { schemaVersionOf } from '../domain/every-event.ts'
import type { EventStore, NewEvent, Position, StoredEvent } from '../eventstore/event-store.ts'
import { GENESIS, hashOf, sealed } from './hash-chain.ts'
import { readMetadata, type CommandContext, type Metadata } from './metadata.ts'

/** An event of a domain, as its decider makes it. */
export type DomainEvent = { readonly type: string; readonly data: unknown }
export type EventMeta = { readonly at: string; readonly revision: number; readonly actor: string }

/** One aggregate's rules, and what they need to know of the world. */
export type Decider<State, Event extends DomainEvent> = {
  readonly initial: State
  readonly evolve: (state: State, event: Event, meta: EventMeta) => State
  readonly read: (stored: StoredEvent) => Event
}

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
}

/** A race lost this often in a row means something other than two people: give up and say so. */
const ATTEMPTS = 10

/** The one loop of every write: load, decide, append; again when somebody else was faster. */
export function createHandler(deps: HandlerDeps) {
  return async function handle<State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    request: Request<State, Event>,
  ): Promise<Handled<State, Event>> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const loaded = load(decider, await deps.store.readStream(request.stream), request.context)
      if (loaded.repeat) return repeated(loaded, request.context)
      const now = laterOf(deps.now(), loaded.at)
      const decided = await request.decide(loaded.state, now)
      if (decided.kind === 'rejected') return decided
      const revision = loaded.revision + (decided.events.length > 0 ? 1 : 0)
      const meta = { at: now, revision, actor: request.context.actor }
      const state = decided.events.reduce((current, event) => decider.evolve(current, event, meta), loaded.state)
      const done = {
        kind: 'done',
        before: loaded.state,
        state,
        events: decided.events,
        revision,
        kept: decided.kept ?? [],
      } as const
      if (decided.events.length === 0 || request.dryRun === true) return { ...done, position: await deps.store.head() }
      const events = seal(request.stream, decided.events, loaded, request.context, meta, deps.eventId)
      const result = await deps.store.append({ stream: request.stream, expected: loaded.version, events })
      if (result.kind === 'appended') return { ...done, position: result.position }
    }
    return { kind: 'rejected', rejection: reject(140, []) }
  }
}

export type Handle = ReturnType<typeof createHandler>

type Loaded<State, Event> = {
  readonly state: State
  readonly version: number
  readonly revision: number
  readonly at: string
  readonly hash: string
  /** Set when this command's events already stand in the stream. */
  readonly repeat: null | {
    readonly before: State
    readonly state: State
    readonly events: readonly Event[]
    readonly revision: number
    readonly position: Position
    readonly bodyHash: string | null
  }
}

function load<State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  stored: readonly StoredEvent[],
  context: CommandContext,
): Loaded<State, Event> {
  let state = decider.initial
  let last: (Metadata & { readonly hash?: string }) | null = null
  let repeat = null as Loaded<State, Event>['repeat']
  for (const one of stored) {
    const metadata = readMetadata(one.metadata)
    const event = decider.read(one)
    const before = state
    state = decider.evolve(state, event, { at: metadata.at, revision: metadata.revision, actor: metadata.actor })
    last = metadata
    if (metadata.command_id === context.command_id)
      repeat = {
        before: repeat?.before ?? before,
        state,
        events: [...(repeat?.events ?? []), event],
        revision: metadata.revision,
        position: one.position,
        bodyHash: metadata.body_hash,
      }
  }
  return {
    state,
    version: stored.length,
    revision: last?.revision ?? 0,
    at: last?.at ?? '',
    hash: last?.hash ?? GENESIS,
    repeat,
  }
}

/** The command happened before, perhaps in another process that died after its commit: its first answer, once more. */
function repeated<State, Event>({ repeat }: Loaded<State, Event>, context: CommandContext): Handled<State, Event> {
  if (repeat === null) throw new Error('not a repeat')
  if (repeat.bodyHash !== context.body_hash) return { kind: 'rejected', rejection: reject(141) }
  const { before, state, events, revision, position } = repeat
  return { kind: 'done', before, state, events, revision, position, kept: [] }
}

function seal(
  stream: string,
  events: readonly DomainEvent[],
  loaded: { readonly version: number; readonly hash: string },
  context: CommandContext,
  meta: EventMeta,
  eventId: HandlerDeps['eventId'],
): readonly NewEvent[] {
  let previous = loaded.hash
  return events.map((event, index) => {
    const id = eventId(context.command_id, index)
    const data = JSON.stringify(event.data)
    const metadata: Metadata = { ...context, at: meta.at, revision: meta.revision, index, previous_hash: previous }
    const text = JSON.stringify(metadata)
    const { type } = event
    const schemaVersion = schemaVersionOf(type)
    const hash = hashOf(previous, { stream, version: loaded.version + index + 1, id, type, schemaVersion, data }, text)
    previous = hash
    return { id, type, schemaVersion, data, metadata: sealed(text, hash) }
  })
}

const laterOf = (a: string, b: string): string => (a > b ? a : b)
