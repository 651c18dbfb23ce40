import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TestModule } from 'vitest/node'
import { Summary } from '../scripts/test-summary.mjs'

type Ran = { readonly name: string; readonly state: 'passed' | 'failed' | 'skipped'; readonly flaky?: boolean }

afterEach(() => void vi.restoreAllMocks())

/** Output of a run of these tests, all in one file, and whether it passed. */
function summaryOf(tests: readonly Ran[], reason: 'passed' | 'failed' = 'passed') {
  const module = {
    relativeModuleId: 'domain/a.spec.ts',
    project: { name: 'unit' },
    diagnostic: () => ({ duration: 0 }),
    ok: () => reason === 'passed',
  }
  const all = tests.map(({ name, state, flaky = false }) => ({
    name,
    fullName: name,
    module,
    parent: { type: 'module' },
    result: () => ({ state }),
    diagnostic: () => ({ flaky }),
  }))
  const print = vi.spyOn(console, 'log').mockImplementation(() => {})
  const summary = new Summary()
  void summary.onTestRunEnd([{ ...module, children: { allTests: () => all } } as unknown as TestModule], [], reason)
  return { text: String(print.mock.lastCall?.[0]), passed: summary.passed }
}

const PASSED: Ran = { name: 'adds', state: 'passed' }
const retried = (count: number): Ran[] =>
  Array.from({ length: count }, (_, n) => ({ name: `slow ${n}`, state: 'passed', flaky: true }))

describe('the last lines of a run', () => {
  it('the last lines of a run count what passed, failed and was skipped, and name what failed and was skipped', () => {
    const { text, passed } = summaryOf(
      [PASSED, { name: 'halves', state: 'failed' }, { name: 'needs Go', state: 'skipped' }],
      'failed',
    )
    expect(text).toMatch(/\n1 passed, 1 failed, 1 skipped$/)
    expect(text).toContain('domain/a.spec.ts: needs Go')
    expect(text).toContain('Failed:\n  domain/a.spec.ts > halves\n')
    expect(passed).toBe(false)
  })

  it('the last lines of a run name each test that passed at its second try, of which two are accepted and three are not', () => {
    const two = summaryOf([PASSED, ...retried(2)])
    expect(two.text).toContain('domain/a.spec.ts > slow 1')
    expect(two.passed).toBe(true)
    expect(summaryOf([PASSED, ...retried(3)]).passed).toBe(false)
  })

  it('the last lines of a run say that a run failed in which no test did', () => {
    const { text, passed } = summaryOf([PASSED], 'failed')
    expect([text.endsWith('1 passed, 1 failed'), passed]).toEqual([true, false])
    expect(text).toContain('Failed:\n  domain/a.spec.ts could not run\n')
  })
})
