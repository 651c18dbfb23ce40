import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FAULTS } from './nemesis.ts'
import { runChaos } from './run.ts'

const seed = Number(process.env['CHAOS_SEED'] ?? 20_260_601)

test(`loses, repeats or reorders nothing through every kind of fault (CHAOS_SEED=${seed})`, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'placard-chaos-'))
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const result = await runChaos({ seed, folder, forMs: 0, foreignMs: 12_000, outageMs: 1000, log })
  // The files of a failed run are kept for analysis.
  expect(result.violations, `${lines.join('\n')}\nhistories and data are in ${folder}`).toEqual([])
  rmSync(folder, { recursive: true, force: true })
  expect(Object.keys(result.faults).toSorted()).toEqual(Object.keys(FAULTS).toSorted())
  // A run with few events would prove little.
  expect(result.attempts.acknowledged).toBeGreaterThan(300)
  expect(result.attempts.refused).toBeGreaterThan(0)
  expect(result.deliveries).toBeGreaterThanOrEqual(2 * result.stored)
})
