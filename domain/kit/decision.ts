import { reject, type Rejection } from './errors.ts'

/** Answer of a decider to a command: the events that happened, none for a command that changes nothing, or a refusal. */
export type Decision<Event> =
  | { readonly kind: 'events'; readonly events: readonly Event[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

export const happened = <const Events extends readonly unknown[]>(...events: Events): Decision<Events[number]> => ({
  kind: 'events',
  events,
})
export const rejected = (...refusal: Parameters<typeof reject>): Decision<never> => ({
  kind: 'rejected',
  rejection: reject(...refusal),
})

/** For the end of a `switch` over every type: an unknown one, of a newer version, changes nothing. */
export const unreachable = <T>(_: never, otherwise: T): T => otherwise
