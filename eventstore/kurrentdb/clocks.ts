import { RETRY_FOR_MS } from '../retry.ts'

/** Every duration of the adapter. Tests shorten them. */
export type KurrentClocks = {
  /** Limit of one call, at the server and at the client, which gets a little longer. */
  readonly deadlineMs: number
  readonly graceMs: number
  /** A connection is asked this often whether it still answers, and given up this long after. */
  readonly keepAliveIntervalMs: number
  readonly keepAliveTimeoutMs: number
  /** Timeout of one gossip request. */
  readonly gossipTimeoutSeconds: number
  /** Limit of a call with all its retries. */
  readonly retryForMs: number
  /** Limit of a ping: shorter than the deadline, so that a connection that never opens is given up sooner. */
  readonly pingMs: number
  /** Limit of the start. */
  readonly startMs: number
}

/** A frozen server is given up after three seconds. */
export const CLOCKS: KurrentClocks = {
  deadlineMs: 5000,
  graceMs: 1000,
  keepAliveIntervalMs: 1000,
  keepAliveTimeoutMs: 2000,
  gossipTimeoutSeconds: 1,
  retryForMs: RETRY_FOR_MS,
  pingMs: 1900,
  startMs: 5000,
}
