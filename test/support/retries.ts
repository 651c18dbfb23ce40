import { readFileSync } from 'node:fs'
import { beforeEach } from 'vitest'

/** A failure by chance would hide what these look for. Properties are known by their library: a shrink that takes too long is a fault. */
const EXACT_FILES = /\/(chaos|properties|proof)\/|kill|lease|ledger|money|invoice|payment|refill|charge|simulated-day/
const EXACT_TEXT = /from 'fast-check'|fact-store\.contract/
const NEVER = { count: 0, condition: /(?!)/ }

const exact = new Map<string, boolean>()

/** A test that ran out of time is tried once more (vitest.config.ts), but for those that must never pass by luck. */
beforeEach(({ task }) => {
  const { filepath } = task.file
  const isExact = exact.get(filepath) ?? (EXACT_FILES.test(filepath) || EXACT_TEXT.test(readFileSync(filepath, 'utf8')))
  exact.set(filepath, isExact)
  if (isExact) Object.assign(task, { retry: NEVER })
})
