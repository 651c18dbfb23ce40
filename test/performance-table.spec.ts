import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { savedResults } from '#bench/support/results'
import { PAGE, performancePage, README, withTable } from '#bench/table'

it('README and performance page contain only figures printed by a bench', () => {
  const results = savedResults()
  const readme = readFileSync(README, 'utf8')
  expect(withTable(readme, results)).toBe(readme)
  expect(performancePage(results)).toBe(readFileSync(PAGE, 'utf8'))
})
