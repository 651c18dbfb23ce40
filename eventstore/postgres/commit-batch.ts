import { DatabaseError, type Pool } from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import type { Append, AppendResult } from '../event-store.ts'
import { appendAll, isTorn, readBack } from './append-statements.ts'
import { isConnectionLoss } from './connection-loss.ts'
import type { Outcome } from './group-commit.ts'

/** Since the first failure. Long enough for a server restart; after that the outcome is reported as unknown. */
const RETRY_FOR_MS = 10_000
const RETRY_MS = [10, 25, 50, 100, 250] as const

/**
 * Stores a batch and returns one outcome per append, in order. An error of one append never affects another; one of the server
 * affects all.
 */
export async function commitBatch(pool: Pool, batch: readonly Append[]): Promise<readonly Outcome[]> {
  const attempts = await storeBatch(pool, batch)
  return Promise.all(attempts.map(async (attempt) => settle(pool, attempt)))
}

/** `result` is null when the stream had another version. */
type Attempt = { readonly append: Append } & ({ readonly result: AppendResult | null } | { readonly error: unknown })

async function storeBatch(pool: Pool, batch: readonly Append[]): Promise<readonly Attempt[]> {
  try {
    const results = await retrying(() => appendAll(pool, batch))
    return batch.map((append, index) => ({ append, result: results[index] ?? null }))
  } catch (error) {
    if (batch.length > 1 && maySpareOthers(error)) return storeEach(pool, batch)
    return batch.map((append) => (isTorn(error) ? { append, result: null } : { append, error }))
  }
}

/** SQLSTATEs of lock timeouts, cancelled statements, exhausted resources and system errors. */
const OF_NO_APPEND = /^(53|55P03|57|58)/

/**
 * Whether a single append may have failed the whole batch. Errors of the server would hit each append again, and take as long
 * each time ("a locked table delays a batch for the timeout of one append, and stores nothing of it").
 */
const maySpareOthers = (error: unknown): boolean =>
  !isConnectionLoss(error) && !(error instanceof DatabaseError && OF_NO_APPEND.test(error.code ?? ''))

async function storeEach(pool: Pool, batch: readonly Append[]): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = []
  for (const append of batch) attempts.push(...(await storeBatch(pool, [append])))
  return attempts
}

async function settle(pool: Pool, attempt: Attempt): Promise<Outcome> {
  if ('error' in attempt) return { error: attempt.error }
  if (attempt.result !== null) return { result: attempt.result }
  try {
    return { result: await retrying(() => readBack(pool, attempt.append)) }
  } catch (error) {
    return { error }
  }
}

/**
 * After a lost connection it is unknown whether the events are stored. Retrying with the same ids cannot store them twice: either
 * they go in now, or the version is taken and reading back finds the same ids ("an append whose answer was lost is stored once").
 */
async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  let deadline = Infinity
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (failures === 0) deadline = Date.now() + RETRY_FOR_MS
      if (!isConnectionLoss(error) || Date.now() > deadline) throw error
      await delay(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)])
    }
  }
}
