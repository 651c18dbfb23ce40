import { append } from './append.ts'
import { command } from './command.ts'
import { freshness } from './freshness.ts'
import { growth } from './growth.ts'
import { lines } from './lines.ts'
import { rebuild } from './rebuild.ts'
import { reports, REPORTS_HELP } from './reports.ts'
import { save } from './save.ts'
import type { Figures } from './support/measure.ts'
import { savedResults, saveResult } from './support/results.ts'
import { writeTables } from './table.ts'
import { web } from './web.ts'

/** `npm run bench -- <name> [--json]`: prints the figures of the README. */
const BENCHES: Readonly<Record<string, () => Figures | Promise<Figures>>> = {
  append,
  command,
  freshness,
  growth,
  lines,
  rebuild,
  reports,
  save,
  web,
}

const args = process.argv.slice(2)
const name = args.find((arg) => !arg.startsWith('--')) ?? ''
if (name === 'reports' && args.includes('--help')) {
  console.log(REPORTS_HELP)
  process.exit(0)
}
if (name === 'table') {
  writeTables(savedResults())
  process.exit(0)
}
const bench = BENCHES[name]
if (bench === undefined) {
  console.error(
    `npm run bench -- <name> [--json] [--save], where name is one of ${Object.keys(BENCHES).join(', ')}; npm run bench -- table writes what was saved into README.md`,
  )
  process.exit(1)
}
const figures = await bench()
/** With its options: runs of other sizes stand beside each other. */
const run = [name, ...args.filter((arg) => arg !== name && arg !== '--json' && arg !== '--save')].join(' ')
if (args.includes('--save')) saveResult(run, figures)
if (args.includes('--json')) console.log(JSON.stringify({ bench: run, figures }))
else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(28)} ${value}`)
process.exit(0)
