import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'

/**
 * What the processes of a chaos run saw, one JSON object per line and one file per process life. A line is written with one
 * system call before anything depends on it, so it outlives kill -9 of its writer.
 *
 * `at` is the machine's monotonic clock in microseconds, the same for all processes; wall time may jump. Positions are numbers
 * here: those of a test log are exact.
 */
export type Entry =
  | {
      readonly kind: 'invoke'
      readonly process: string
      /** Of this process: every attempt has its own, also one that sends the same ids again. */
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
  /** May have happened or not. So may an attempt without any answer. */
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
  /** All deliveries up to here are done; the next life goes on after it. */
  | { readonly kind: 'checkpoint'; readonly process: string; readonly position: number }

export type LoggedEvent = {
  readonly position: number
  readonly stream: string
  readonly version: number
  readonly id: string
  /** The ids that its data and its metadata tell, where they tell another one than its own. */
  readonly mixedUp?: string
}

/** Of an event as `someEvent` makes them. */
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

/** The entries of all files of a folder. A last line cut short by a kill is ignored: its effect was not visible yet. */
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
