/**
 * Durable jobs: work that a transaction causes and that a process carries out later, at least once. A job names the row of its subject
 * by its key; when it runs next, how often it was tried and who works on it is kept in `app.jobs` alone.
 */

/** Ids, instants and names that an operator may read. No personal data: an erasure removes it from the subject's own rows. */
export type JobPayload = Readonly<Record<string, string>>

export type Job = {
  readonly kind: string
  /** Unique among the jobs of its kind. */
  readonly key: string
  readonly payload: unknown
  /** This try included. Starts again at one after `again`, and when an operator retries the job. */
  readonly tries: number
  /** Seconds since it was queued, or since an operator retried it. */
  readonly age: number
}

/**
 * The name of a kind and the form of its payload. A build that changes the fields raises the version and reads the earlier ones too:
 * jobs of the build before it may wait.
 */
export type JobKind<Field extends string> = {
  readonly name: string
  readonly write: (payload: Readonly<Record<Field, string>>) => JobPayload
  /** @throws {JobGivenUp} when another build wrote it in a form that this one does not know. */
  readonly read: (job: Job) => Readonly<Record<Field, string>>
}

export const jobKind = <const Field extends string>(name: string, version: number, fields: readonly Field[]): JobKind<Field> => ({
  name,
  write: (payload) => ({ ...payload, v: String(version) }),
  read: ({ payload }) => {
    if (!isPayload(payload, [...fields, 'v']) || payload.v !== String(version))
      throw new JobGivenUp('its payload has a form that this build does not know')
    return payload
  },
})

/** The payload of a job that continues the trace of what queues it. Kinds do not see the field. */
export const withTrace = (payload: JobPayload, trace: string | undefined): JobPayload =>
  trace === undefined ? payload : { ...payload, trace }

/** `traceparent` of the span that queued a job; undefined when it was not recorded. */
export const traceOfJob = ({ payload }: Pick<Job, 'payload'>): string | undefined =>
  isPayload(payload, ['trace']) ? payload.trace : undefined

function isPayload<Field extends string>(payload: unknown, fields: readonly Field[]): payload is Readonly<Record<Field, string>> {
  if (typeof payload !== 'object' || payload === null) return false
  const entries = new Map<string, unknown>(Object.entries(payload))
  return fields.every((field) => typeof entries.get(field) === 'string')
}

export type JobOutcome =
  /** The job is removed. */
  | { readonly kind: 'done' }
  /** Nothing failed, and there is more to do then. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** Failed for now, for a reason that needs no line in the log. */
  | { readonly kind: 'retry'; readonly afterMs: number; readonly reason: string }
  /** A retry is of no use: the job stays dead until an operator retries it. */
  | { readonly kind: 'dead'; readonly reason: string }

export const DONE: JobOutcome = { kind: 'done' }

/** Thrown by a try after which others are of no use. */
export class JobGivenUp extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'JobGivenUp'
  }
}

/** Pauses between tries, milliseconds: they double from the first to the longest. */
export type Backoff = { readonly firstMs: number; readonly longestMs: number }

/** The pause after so many failed tries. Jobs that failed together are spread out. */
export const pauseAfter = ({ firstMs, longestMs }: Backoff, tries: number, random: () => number = Math.random): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(tries - 1, 30)) * (0.75 + random() / 2)

/** How jobs of one kind are worked on. */
export type JobPolicy = {
  /** Jobs that a process works on at once: a flood of one kind takes nothing from the others. */
  readonly atOnce: number
  /** A job is dead after so many failed tries; with null its runner alone gives it up. */
  readonly tries: number | null
  readonly backoff: Backoff
  /** A job whose process died is taken again after this. Its process renews the lease while it lives. */
  readonly leaseSeconds: number
}

export type JobRunner = {
  /** Carries a job out. Repeats must be harmless. A throw is a failed try; the signal aborts when the process stops. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<JobOutcome>
  /** While true no job is taken: what all of them need is away. */
  readonly isPaused?: () => boolean
  /** The shortest pause after this error, milliseconds. */
  readonly leastPause?: (error: unknown) => number
}

export type WorkedKind = JobPolicy & JobRunner & { readonly kind: string }

/** The table of jobs, as one worker sees it. After a job's lease has ended and another worker took it, writes about it do nothing. */
export type JobStore = {
  /** Leases due jobs, of each kind those that are due longest. No two workers get the same one. */
  readonly take: (
    wanted: readonly { readonly kind: string; readonly most: number; readonly leaseSeconds: number }[],
  ) => Promise<readonly Job[]>
  readonly renew: (jobs: readonly Job[], leaseSeconds: number) => Promise<void>
  readonly remove: (job: Job) => Promise<void>
  /** Ends the lease; due again after the pause. A reason counts as a failed try, null starts counting again. */
  readonly postpone: (job: Job, afterMs: number, reason: string | null) => Promise<void>
  readonly bury: (job: Job, reason: string) => Promise<void>
}
