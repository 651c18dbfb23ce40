import type { Append, AppendResult } from '../event-store.ts'

/** Concurrent batches: one commits while the other forms; more gained nothing when measured. */
export const LANES = 2
const MAX_EVENTS = 256
const MAX_BYTES = 1_000_000

export type Outcome = { readonly result: AppendResult } | { readonly error: unknown }

type Waiting = {
  readonly append: Append
  readonly bytes: number
  readonly resolve: (result: AppendResult) => void
  readonly reject: (error: unknown) => void
}

export type GroupCommit = {
  append(append: Append): Promise<AppendResult>
  /** Resolves when every queued append has its result. */
  drained(): Promise<void>
}

/**
 * Concurrent appends share one statement and one flush to disk, and each gets its own result. No append waits for others: a batch
 * is whatever queued up while the one before it was written.
 */
export function createGroupCommit(commit: (batch: readonly Append[]) => Promise<readonly Outcome[]>): GroupCommit {
  let queue: Waiting[] = []
  const busy = new Set<string>()
  let lanes = 0
  let whenIdle: (() => void)[] = []

  const runLane = async (): Promise<void> => {
    // One microtask, so that appends started together share a batch.
    await Promise.resolve()
    for (;;) {
      const { batch, rest } = takeBatch(queue, busy)
      if (batch.length === 0) return endLane()
      queue = rest
      for (const { append } of batch) busy.add(append.stream)
      answer(batch, await outcomesOf(commit, batch))
      for (const { append } of batch) busy.delete(append.stream)
    }
  }

  const startLane = (): void => {
    if (lanes >= LANES) return
    lanes += 1
    void runLane()
  }

  // Synchronously after the last check of the queue: a later append must find the lane gone and start it.
  const endLane = (): void => {
    lanes -= 1
    if (lanes > 0) return
    for (const resolve of whenIdle) resolve()
    whenIdle = []
  }

  return {
    append: (append) =>
      new Promise((resolve, reject) => {
        queue.push({ append, bytes: bytesOf(append), resolve, reject })
        startLane()
      }),
    drained: () => new Promise((resolve) => (lanes === 0 ? resolve() : whenIdle.push(resolve))),
  }
}

/**
 * In order of arrival, but at most one append per stream in flight: a second one would only wait for the row lock of the first.
 * Sorted by stream, so that all writers lock in the same order.
 */
function takeBatch(queue: readonly Waiting[], busy: ReadonlySet<string>): { batch: Waiting[]; rest: Waiting[] } {
  const batch: Waiting[] = []
  const rest: Waiting[] = []
  const streams = new Set(busy)
  let events = 0
  let bytes = 0
  for (const [index, waiting] of queue.entries()) {
    const { append } = waiting
    if (streams.has(append.stream)) {
      rest.push(waiting)
      continue
    }
    events += append.events.length
    bytes += waiting.bytes
    if (batch.length > 0 && (events > MAX_EVENTS || bytes > MAX_BYTES)) {
      rest.push(...queue.slice(index))
      break
    }
    batch.push(waiting)
    streams.add(append.stream)
  }
  batch.sort((a, b) => (a.append.stream < b.append.stream ? -1 : 1))
  return { batch, rest }
}

async function outcomesOf(
  commit: (batch: readonly Append[]) => Promise<readonly Outcome[]>,
  batch: readonly Waiting[],
): Promise<readonly Outcome[]> {
  try {
    return await commit(batch.map(({ append }) => append))
  } catch (error) {
    return batch.map(() => ({ error }))
  }
}

function answer(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index] ?? { error: new Error('an append got no answer') }
    if ('error' in outcome) reject(outcome.error)
    else resolve(outcome.result)
  }
}

const bytesOf = ({ events }: Append): number =>
  events.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(data) + Buffer.byteLength(metadata), 0)
