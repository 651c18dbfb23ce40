import { readFileSync } from 'node:fs'
import { beforeEach } from 'vitest'

/** A failure by chance would hide what these look for. Properties are known by their library: a shrink that takes too long is a fault. */
const EXACT_FILES =
  /\/(chaos|fuzz|properties|proof)\/|billing|charge|handover|invoice|kill|lease|ledger|money|payment|refill|restart|scheduled-changes|simulated-day|stripe|transparency-log/
const EXACT_TEXT = /from 'fast-check'|fact-store\.contract/
const NEVER = { count: 0, condition: /(?!)/ }
/** As vitest says it; an assertion may quote it. */
const TIMED_OUT = /^(Test|Hook) timed out in \d+ms\.\n/

const exact = new Map<string, boolean>()

/**
 * A test that ran out of time is tried once more where the project says so (vitest.config.ts), but for those that must never pass by
 * luck, and for one that failed in another way too. No test says so itself.
 */
beforeEach(({ task }) => {
  const { filepath } = task.file
  const isExact = exact.get(filepath) ?? (EXACT_FILES.test(filepath) || EXACT_TEXT.test(readFileSync(filepath, 'utf8')))
  exact.set(filepath, isExact)
  const isOfProject = typeof task.retry === 'object' && task.retry.count === 1
  const isOutOfTime = () => (task.result?.errors ?? []).every(({ message }) => TIMED_OUT.test(message))
  Object.assign(task, { retry: isExact || !isOfProject ? NEVER : { count: 1, condition: isOutOfTime } })
})
