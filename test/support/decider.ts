import { expect } from 'vitest'
import type { ErrorCode, Rejection } from '#domain/kit/errors'

/**
 * Specs of aggregates: `given(past).when(command).then(events | code)`, without a store. What else a decision needs (facts, the
 * time, an id) is bound in the rules.
 */
type Rules<State, Command, Event> = {
  readonly decide: (
    command: Command,
    state: State,
  ) =>
    | { readonly kind: 'events'; readonly events: readonly Event[] }
    | { readonly kind: 'rejected'; readonly rejection: Rejection }
  readonly evolve: (state: State, event: Event) => State
  readonly initial: State
}

type Given<State, Command, Event extends { readonly type: string }> = {
  readonly state: State
  readonly when: (command: Command) => When<State, Command, Event>
}

/** After a command; a refused one has no events and leaves the state as it was. */
type When<State, Command, Event extends { readonly type: string }> = Given<State, Command, Event> & {
  readonly events: readonly Event[]
  readonly refusal: Rejection | null
  /** Expects these events, whole or by type, or this code; and of a refusal all faults as `path:key`, where any is named. */
  readonly then: (
    expected: ErrorCode | readonly (Event | Event['type'])[],
    ...faults: readonly string[]
  ) => Given<State, Command, Event>
}

/** `given` takes events, commands of which each must be accepted, and lists of both. */
export function givenFor<
  State,
  Command extends { readonly type: string },
  Event extends { readonly type: string; readonly data: unknown },
>({ decide, evolve, initial }: Rules<State, Command, Event>) {
  const at = (state: State): Given<State, Command, Event> => ({
    state,
    when(command) {
      const decision = decide(command, state)
      const events = decision.kind === 'events' ? decision.events : []
      const refusal = decision.kind === 'rejected' ? decision.rejection : null
      const next = at(events.reduce((before, event) => evolve(before, event), state))
      return {
        ...next,
        events,
        refusal,
        // oxlint-disable-next-line unicorn/no-thenable -- the last word of a sentence; no test awaits it
        then(expected, ...faults) {
          const happened = events.map((event, n) =>
            Array.isArray(expected) && typeof expected[n] === 'object' ? event : event.type,
          )
          const found = refusal?.faults.map(({ path, key }) => `${path}:${key}`)
          expect([refusal?.code ?? happened, ...(faults.length > 0 ? (found ?? []) : [])], command.type).toEqual([
            expected,
            ...faults,
          ])
          return next
        },
      }
    },
  })

  return (...past: readonly (Command | Event | readonly (Command | Event)[])[]) =>
    (past.flat() as (Command | Event)[]).reduce((before, one) => {
      if ('data' in one) return at(evolve(before.state, one))
      const after = before.when(one)
      if (after.refusal !== null) throw new Error(`${one.type} is refused with ${JSON.stringify(after.refusal)}`)
      return after
    }, at(initial))
}
