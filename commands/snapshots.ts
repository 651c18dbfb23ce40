import { createHash } from 'node:crypto'

/** The state of a stream after one of its events: a short cut of its fold, thrown away at will. */
export type Snapshot = {
  readonly stream: string
  /** Name and version of the state's shape, of its decider. */
  readonly shape: string
  /** The event that it stands for: version, hash, business time, and the number of commands up to it. */
  readonly version: number
  readonly hash: string
  readonly at: string
  readonly revision: number
  readonly state: unknown
  /** Marks of the commands up to the event: a repeat is answered from the whole stream. */
  readonly commands: readonly string[]
}

/** Kept beside the log, one per stream. */
export type Snapshots = {
  /** Null for a stream without one of this shape. */
  readonly find: (stream: string, shape: string) => Promise<Snapshot | null>
  /** Replaces an older one of the stream. */
  readonly save: (snapshot: Snapshot) => Promise<void>
}

/** A stream gets a snapshot after this many events, and a new one after as many again. */
export const SNAPSHOT_EVERY = 500

/** Recognises a command id in eleven characters. Another id with the same mark costs a reading of the whole stream, nothing else. */
export const markOf = (commandId: string): string =>
  createHash('sha256').update(commandId).digest().subarray(0, 8).toString('base64url')
