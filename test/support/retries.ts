import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { beforeAll, type RunnerTask, type RunnerTestFile } from 'vitest'
import { root } from './product-process.ts'

/** A failure by chance would hide what these look for. Properties are known by their library: a shrink that takes too long is a fault. */
const EXACT_FILES = /^(test\/(chaos|properties)|proof)\/|kill|lease|ledger|money|invoice|payment|refill|charge|simulated-day/
const EXACT_TEXT = /from 'fast-check'|fact-store\.contract/

/** A test that ran out of time is tried once more (vitest.config.ts), but for those that must never pass by luck. */
beforeAll(({}, file) => {
  const { filepath } = file as RunnerTestFile
  if (isExact(relative(root, filepath), readFileSync(filepath, 'utf8'))) neverAgain(file)
})

export const isExact = (path: string, text: string): boolean => EXACT_FILES.test(path) || EXACT_TEXT.test(text)

function neverAgain(task: RunnerTask): void {
  task.retry = 0
  if (task.type === 'suite') for (const one of task.tasks) neverAgain(one)
}
