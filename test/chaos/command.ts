/**
 * `npm run chaos -- --minutes 10 --seed 7`: runs faults for that time, prints a summary, and exits with 1 when a guarantee was
 * violated.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runChaos } from './run.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } })
const seed = numberOf('--seed', values.seed ?? process.env['CHAOS_SEED'] ?? String(Date.now() % 1_000_000))
const minutes = numberOf('--minutes', values.minutes)
const folder = mkdtempSync(path.join(tmpdir(), 'placard-chaos-'))
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const row = (name: string, figure: string | number): void => say(`  ${name.padEnd(56)} ${String(figure).padStart(9)}`)

say(`seed ${seed}`)
const forMs = minutes * 60_000
const result = await runChaos({ seed, folder, forMs, foreignMs: 30_000, outageMs: 12_000, log: say })
say(`\nseed ${seed}, ${result.seconds.toFixed(0)} seconds`)
say('attempts to append')
for (const [name, figure] of Object.entries(result.attempts)) row(name, figure)
say('in all')
row('events stored', result.stored)
row('deliveries to subscribers', result.deliveries)
row('lives of writers and subscribers', result.lives)
say('faults')
for (const [name, figure] of Object.entries(result.faults)) row(name, figure)
say(`violations: ${result.violations.length}`)
for (const violation of result.violations.slice(0, 50)) say(`  ${violation}`)
// The files of a failed run are kept for analysis.
if (result.violations.length === 0) rmSync(folder, { recursive: true, force: true })
else say(`histories and data are kept in ${folder}`)
process.exitCode = result.violations.length === 0 ? 0 : 1

/** A mistyped duration must not end as a short run. */
function numberOf(option: string, text: string): number {
  const number = Number(text)
  if (text !== '' && number >= 0) return number
  console.error(`npm run chaos -- --minutes 10 --seed 7: ${option} is a number, not ${JSON.stringify(text)}`)
  process.exit(2)
}
