import { reject, type ErrorCode, type Fault, type Rejection } from '#domain/kit/errors'

/** A refusal for the caller: the only kind of error whose text may leave the server. */
export class Refused extends Error {
  readonly rejection: Rejection
  /** Further fields of the answer's `data`. */
  readonly data: object
  constructor(rejection: Rejection, data: object = {}) {
    super(`refused with ${rejection.code}`)
    this.name = 'Refused'
    this.rejection = rejection
    this.data = data
  }
}

export const refused = (code: ErrorCode, faults: readonly Fault[] = [], message?: string): Refused =>
  new Refused(reject(code, faults, message))

type Rejected = { readonly kind: 'rejected'; readonly rejection: Rejection }

/** The outcome of a command; throws its rejection for the caller. */
export function accepted<Outcome extends { readonly kind: string }>(outcome: Outcome | Rejected): Exclude<Outcome, Rejected> {
  if (isRejected(outcome)) throw new Refused(outcome.rejection)
  return outcome as Exclude<Outcome, Rejected>
}
const isRejected = (outcome: { readonly kind: string }): outcome is Rejected => outcome.kind === 'rejected'

/** Staff at an address that is in none of the networks of their white-label (fine print 81). */
export const outsideNetworks = (): Refused => new Refused(reject(3), { outside_networks: true })

/** A range that begins after the end of the file: 416, code 2. */
export class RangeBeyond extends Error {
  readonly statusCode = 416
  readonly code = 'RANGE_BEYOND'
}

/** The limit is exceeded: 429 with Retry-After. */
export class TooMany extends Error {
  /** Seconds until there is room again. */
  readonly seconds: number
  constructor(seconds: number) {
    super('a limit is reached')
    this.name = 'TooMany'
    this.seconds = seconds
  }
}
