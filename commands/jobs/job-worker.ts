import { setTimeout as delay } from 'node:timers/promises'
import { Away } from '#eventstore/away'
import { NO_TRACES, type Tracer } from '#eventstore/tracer'
import type { Sweep } from '../sweep.ts'
import { JobGivenUp, pauseAfter, traceOfJob, type Job, type JobOutcome, type JobStore, type WorkedKind } from './job.ts'

/** How long a stop waits for the tries under way. Those that it leaves are taken again after their lease. */
const STOP_MS = 5000

export type JobWorkerDeps = {
  readonly store: JobStore
  readonly kinds: readonly WorkedKind[]
  /** A try that failed: it is repeated. */
  readonly onError: (error: unknown, job: Job) => void
  readonly onDead: (job: Job, reason: string) => void
  /** Tries are spans, in the trace of what queued the job. */
  readonly tracer?: Tracer
}

/**
 * Carries out due jobs, each kind within its own bound: a slow or failing kind delays no other. A scan only starts them. A job that ends
 * makes room for the next one at once while more are due.
 */
export function createJobWorker({
  store,
  kinds,
  onError,
  onDead,
  tracer = NO_TRACES,
}: JobWorkerDeps): Sweep & { readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  const slots = kinds.map((kind) => ({ ...kind, running: new Map<Job, Promise<void>>(), hasMore: false }))
  type Slot = (typeof slots)[number]
  let filling: Promise<void> | null = null

  const renewals = slots.map((slot) =>
    setInterval(() => {
      // After a failure the next renewal is in time: a lease lasts for three.
      if (slot.running.size > 0) void store.renew([...slot.running.keys()], slot.leaseSeconds).catch(() => undefined)
    }, slot.leaseSeconds * 333).unref(),
  )

  /** One at a time: two would take more than there is room for. */
  const fill = (): Promise<void> => (filling ??= takeDue().finally(() => (filling = null)))

  async function takeDue(): Promise<void> {
    if (stopping.signal.aborted) return
    const wanted = slots
      .map((slot) => ({ slot, most: slot.isPaused?.() === true ? 0 : slot.atOnce - slot.running.size }))
      .filter(({ most }) => most > 0)
    if (wanted.length === 0) return
    const jobs = await store.take(wanted.map(({ slot, most }) => ({ kind: slot.kind, most, leaseSeconds: slot.leaseSeconds })))
    for (const { slot, most } of wanted) {
      const taken = jobs.filter(({ kind }) => kind === slot.kind)
      slot.hasMore = taken.length === most
      for (const job of taken) start(slot, job)
    }
  }

  function start(slot: Slot, job: Job): void {
    const ended = attempt(slot, job)
      // The lease ends by itself.
      .catch((error: unknown) => onError(error, job))
      .finally(() => {
        slot.running.delete(job)
        // The next scan reports what fails.
        if (slot.hasMore) void fill().catch(() => undefined)
      })
    slot.running.set(job, ended)
  }

  async function attempt(slot: Slot, job: Job): Promise<void> {
    const outcome = await run(slot, job).catch((error: unknown) => failed(slot, job, error))
    switch (outcome.kind) {
      case 'done':
        return store.remove(job)
      case 'again':
        return store.postpone(job, outcome.afterMs, null)
      case 'retry':
        return store.postpone(job, outcome.afterMs, outcome.reason)
      case 'dead':
        await store.bury(job, outcome.reason)
        onDead(job, outcome.reason)
    }
  }

  const run = ({ run: carryOut }: Slot, job: Job): Promise<JobOutcome> =>
    tracer.span(
      {
        name: `job ${job.kind}`,
        kind: 'consumer',
        parent: traceOfJob(job),
        attributes: { 'placard.job': job.key, 'placard.attempts': job.tries },
      },
      async (note) => {
        const outcome = await carryOut(job, stopping.signal)
        note({ 'placard.outcome': outcome.kind })
        return outcome
      },
    )

  function failed({ tries, backoff, leastPause }: Slot, job: Job, error: unknown): JobOutcome {
    if (stopping.signal.aborted) return { kind: 'again', afterMs: 0 }
    const reason = error instanceof Error ? error.message : String(error)
    // An absence says nothing about the job.
    const isLast = tries !== null && job.tries >= tries && !(error instanceof Away)
    if (isLast || error instanceof JobGivenUp) return { kind: 'dead', reason }
    onError(error, job)
    return { kind: 'retry', afterMs: Math.max(pauseAfter(backoff, job.tries), leastPause?.(error) ?? 0), reason }
  }

  return {
    name: 'jobs',
    scan: async () => {
      await fill()
      return []
    },
    async stop() {
      stopping.abort()
      await filling?.catch(() => undefined)
      const running = slots.flatMap((slot) => [...slot.running.values()])
      await Promise.race([Promise.all(running), delay(STOP_MS, undefined, { ref: false })])
      for (const renewal of renewals) clearInterval(renewal)
    },
  }
}
