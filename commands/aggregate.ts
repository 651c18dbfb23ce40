import type { CommandContext } from '#domain/kit/event-metadata'
import type { StoredEvent } from '#eventstore/event-store'
import { foldBy, type Decided, type Decider, type DomainEvent, type Handle } from './handle.ts'

/** The rules of an aggregate, as its page in the domain states them. */
export type Rules<State, Event extends DomainEvent, Command> = {
  readonly initial: State
  readonly evolve: Decider<State, Event>['evolve']
  readonly decode: (stored: StoredEvent) => Event
  readonly decide: (command: Command, state: State) => Decided<Event>
  readonly streamOf: (id: string) => string
  /** For records of what has happened elsewhere, which no quota refuses. */
  readonly unmetered?: true
}

/** Commands of an aggregate, each decided on the stream of its id. */
export function createCommands<State, Event extends DomainEvent, Command>(
  handle: Handle,
  { initial, evolve, decode, decide, streamOf, unmetered }: Rules<State, Event, Command>,
) {
  const decider: Decider<State, Event> = { fold: foldBy(initial, evolve, decode), evolve, read: decode }
  return {
    execute: (id: string, context: CommandContext, command: Command) =>
      handle(decider, {
        stream: streamOf(id),
        context,
        ...(unmetered === undefined ? {} : { unmetered }),
        decide: async (state) => decide(command, state),
      }),
  }
}
