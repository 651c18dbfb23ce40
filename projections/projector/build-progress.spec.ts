import { expect, test } from 'vitest'
import { buildProgress, progressText } from './build-progress.ts'

test.each([
  ['after half the log in ten seconds', 50n, 100n, 10_000, '50 %, about 10 s left'],
  ['for a long rebuild, in minutes', 10n, 100n, 120_000, '10 %, about 18 min left'],
  ['without an estimate at the beginning', 1n, 100n, 200, '1 %'],
  ['of an empty log', 0n, 0n, 2000, '100 %, about 0 s left'],
])('shows progress %s', (_, at, of, elapsed, text) => {
  expect(progressText(buildProgress(at, of, 1_000_000, 1_000_000 + elapsed))).toBe(text)
})
