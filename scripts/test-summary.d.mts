import type { Reporter } from 'vitest/node'

/** The last lines of a run of the tests. */
export class Summary implements Reporter {
  readonly passed: boolean
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']>
}
