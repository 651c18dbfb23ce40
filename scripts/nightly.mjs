// `npm run nightly`: the deep circle and the long forms of its checks, one after the other, with random seeds. Exit code 1 when one fails.
import { execFileSync, spawnSync } from 'node:child_process'
import { buildIfNeeded, root } from './build-if-needed.mjs'

buildIfNeeded()
/** The specs with a property, but for those that take more examples anyway. A contract's property runs in the specs of its stores. */
function withProperties() {
  const specs = execFileSync('git', ['grep', '-l', '-E', 'fc\\.assert|fact-store\\.contract', '--', '*.spec.ts', '*.spec.tsx'], {
    cwd: root,
  })
  return String(specs)
    .split('\n')
    .filter((file) => file !== '' && !file.startsWith('test/properties/'))
}

const seed = String(Date.now() % 1_000_000)
const CHECKS = [
  { name: 'the deep circle', run: ['npm', 'run', 'test:deep'] },
  { name: 'mutants', run: ['npm', 'run', 'mutants'] },
  { name: 'chaos', run: ['npm', 'run', 'chaos', '--', '--minutes', '10', '--seed', seed] },
  { name: 'fuzz', run: ['npm', 'run', 'fuzz', '--', '--requests', '20000', '--seed', seed] },
  {
    name: 'ten times the examples of every large property',
    run: ['npx', 'vitest', 'run', '--testTimeout', '600000', 'test/properties', 'test/api/money.spec.ts'],
    env: { PROPERTY_SEED: seed, PROPERTY_TIMES: '10' },
  },
  {
    name: 'other examples for all properties',
    run: ['npx', 'vitest', 'run', '--testTimeout', '120000', ...withProperties()],
    env: { PROPERTY_SEED: seed },
  },
  {
    name: 'every call while read models are up to a second late',
    run: ['npx', 'vitest', 'run', '--project', 'server'],
    env: { PROJECTION_LAG_MS: '1000', PROJECTION_LAG_SEED: seed },
  },
  {
    name: 'a whole day of simulated traffic',
    run: ['npx', 'vitest', 'run', 'test/medium/simulated-day.spec.ts'],
    env: { SIMULATED_DAY: 'whole', PROPERTY_SEED: seed },
  },
  {
    name: 'the same with facts in ClickHouse (needs TEST_CLICKHOUSE_URL, or npm install --no-save chdb@3.4.0)',
    run: ['npx', 'vitest', 'run', 'test/medium/simulated-day.spec.ts'],
    env: { SIMULATED_FACTS: 'clickhouse', PROPERTY_SEED: seed },
  },
  {
    name: 'saves of an account beside one that does its worst, for two minutes',
    run: ['npx', 'vitest', 'run', 'test/chaos/neighbours.spec.ts'],
    env: { NEIGHBOURS_SECONDS: '120' },
  },
  {
    name: "an operator's day (needs prometheus, and root to fill a disk)",
    run: ['npx', 'vitest', 'run', 'test/chaos/operators-day.spec.ts'],
    env: { OPERATORS_DAY: 'on' },
  },
  {
    name: 'creatives of every goal',
    run: ['npx', 'vitest', 'run', 'test/e2e/creatives.spec.ts'],
    env: { GOALS: 'all' },
  },
  {
    name: 'every screen of every role at 200 % zoom',
    run: ['npx', 'vitest', 'run', 'test/e2e/zoom.spec.ts'],
    env: { SCREENS: 'all' },
  },
  {
    name: 'the journeys of a day in every appearance',
    run: ['npx', 'vitest', 'run', 'test/e2e/journeys.spec.ts'],
    env: { JOURNEYS: 'all' },
  },
  { name: 'the latest release on the schema of this build', run: ['npm', 'run', 'previous'] },
  { name: 'the documentation as a site', run: ['npm', 'run', 'docs'] },
  { name: 'screens', run: ['npm', 'run', 'screens', '--', '--check'] },
]

const failed = CHECKS.filter(({ name, run: [command, ...args], env = {} }) => {
  console.log(`\n== ${name} (seed ${seed})`)
  return spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }).status !== 0
})
console.log(failed.length === 0 ? '\nAll passed.' : `\nFailed: ${failed.map(({ name }) => name).join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
