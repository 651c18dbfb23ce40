import { readFileSync } from 'node:fs'
import { beforeAll, type RunnerTask, type RunnerTestFile } from 'vitest'

/** A failure by chance would hide what these look for. Properties are known by their library: a shrink that takes too long is a fault. */
const EXACT_FILES = /\/(chaos|properties|proof)\/|kill|lease|ledger|money|invoice|payment|refill|charge|simulated-day/
const EXACT_TEXT = /from 'fast-check'|fact-store\.contract/

/** A test that ran out of time is tried once more (vitest.config.ts), but for those that must never pass by luck. */
// eslint-disable-next-line no-empty-pattern -- vitest wants a pattern for the fixtures, of which none is needed.
beforeAll(({}, file) => {
  const { filepath } = file as RunnerTestFile
  if (EXACT_FILES.test(filepath) || EXACT_TEXT.test(readFileSync(filepath, 'utf8'))) neverAgain(file)
})

function neverAgain(task: RunnerTask): void {
  task.retry = 0
  if (task.type === 'suite') for (const one of task.tasks) neverAgain(one)
}
