import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * The observations of the processes in a chaos run: one JSON object per line, one file per process life. A line is written with
 * one system call before anything depends on it, so it survives SIGKILL of its writer.
 *
 * `at` is the monotonic clock of the machine in microseconds, the same for all processes; wall time may jump. Positions are
 * numbers here, exact for the size of a test log.
 */
export type Entry =
  | {
      readonly kind: 'invoke'
      readonly process: string
      /** Unique per attempt in this process, also for a retry with the same ids. */
      readonly op: number
      readonly at: number
      readonly stream: string
      readonly expected: number
      readonly ids: readonly string[]
    }
  /** Appended: version and position of the last event. */
  | {
      readonly kind: 'ok'
      readonly process: string
      readonly op: number
      readonly at: number
      readonly version: number
      readonly position: number
    }
  /** Refused: the stream had another version. */
  | { readonly kind: 'fail'; readonly process: string; readonly op: number; readonly at: number }
  /** Unknown, like any attempt without an answer. */
  | { readonly kind: 'unknown'; readonly process: string; readonly op: number; readonly at: number; readonly error: string }
  /** A subscriber starts after this position. */
  | {
      readonly kind: 'follow'
      readonly process: string
      readonly at: number
      readonly subscriber: string
      readonly after: number
    }
  | ({ readonly kind: 'deliver'; readonly process: string } & LoggedEvent)
  /** All deliveries up to here are done; the next life continues after it. */
  | { readonly kind: 'checkpoint'; readonly process: string; readonly position: number }

export type LoggedEvent = {
  readonly position: number
  readonly stream: string
  readonly version: number
  readonly id: string
  /** The ids in its data and metadata, when they differ from its own. */
  readonly mixedUp?: string
}

/** For events of `someEvent`. */
export function mixedUpIn({ id, data, metadata }: { readonly id: string; readonly data: string; readonly metadata: string }): {
  readonly mixedUp?: string
} {
  return data.includes(id) && metadata.includes(id) ? {} : { mixedUp: `${data} ${metadata}` }
}

export const now = (): number => Number(process.hrtime.bigint() / 1000n)

export type History = { readonly write: (...entries: readonly Entry[]) => void }

export function openHistory(file: string): History {
  const descriptor = openSync(file, 'a')
  return { write: (...entries) => void writeSync(descriptor, entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')) }
}

/** Entries of all files of a folder. Ignores a last line truncated by a kill: its effect was not visible yet. */
export const readHistory = (folder: string): Entry[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .flatMap((name) => parseEntries(readFileSync(path.join(folder, name), 'utf8')))

export const parseEntries = (text: string): Entry[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry)
