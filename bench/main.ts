import { append } from './append.ts'
import { command } from './command.ts'
import { footprint } from './footprint.ts'
import { freshness } from './freshness.ts'
import { growth } from './growth.ts'
import { peers } from './peers.ts'
import { policies } from './policies.ts'
import { rebuild } from './rebuild.ts'
import { replay } from './replay.ts'
import { reports } from './reports.ts'
import { save } from './save.ts'
import type { Figures } from './support/measure.ts'
import { savedResults, saveResult } from './support/results.ts'
import { writeTables } from './table.ts'
import { web } from './web.ts'

const args = process.argv.slice(2)
/** The value after `--name`, or in `--name=value`; undefined without one. */
const optionOf = (name: string): string | undefined =>
  args.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ??
  (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)

/** `npm run bench -- <name> [--json]`: prints the figures of the README. */
const BENCHES: Readonly<Record<string, () => Promise<Figures>>> = {
  append,
  command: () => command(),
  footprint: () => footprint(),
  freshness,
  growth,
  peers,
  policies,
  replay: () => replay(),
  reports: () => reports({ rows: Number(optionOf('rows') ?? 5_000_000) }),
  rebuild: () => rebuild(),
  save: () => save(),
  web: () => web(),
}

const name = args.find((arg, n) => !arg.startsWith('--') && !['--rows', '--store'].includes(args[n - 1] ?? '')) ?? ''
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
if (args.includes('--save')) saveResult(name, figures)
if (args.includes('--json')) console.log(JSON.stringify({ bench: name, figures }))
else for (const [figure, value] of Object.entries(figures)) console.log(`${figure.padEnd(28)} ${value}`)
process.exit(0)
