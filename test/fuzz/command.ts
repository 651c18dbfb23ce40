/**
 * `npm run fuzz -- --requests 20000 --seed 7`: starts a product, prints a table of its answers, and exits with 1 for any fault.
 * `--calls campaign.` limits the run to calls whose id begins so; `--only 12` repeats one request of a seed.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { signIn, type Session } from '../support/product.ts'
import { fuzz } from './fuzz.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    calls: { type: 'string' },
  },
})
const seed = Number(values.seed ?? process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const only = values.only === undefined ? undefined : Number(values.only)
const say = (line: string): void => void process.stdout.write(`${line}\n`)

const folder = await mkdtemp(path.join(tmpdir(), 'placard-fuzz-'))
const server = await startEmbeddedPostgres({ dir: path.join(folder, 'postgres'), settings: { fsync: 'off' } })
const dataDir = path.join(folder, 'data')
const running = await startProduct(
  readConfig({
    DATABASE_URL: server.url,
    PLACARD_DATA_DIR: dataDir,
    PLACARD_DEMO: 'on',
    PLACARD_UNSAFE_DATABASE: 'on',
    PLACARD_EXCHANGE_REVIEW: 'external',
    PORT: '0',
    LOG_LEVEL: 'error',
  }),
)
const base = running.address ?? ''
const client = new Client({ connectionString: server.url })
await client.connect()
const sessions = new Map<string, Promise<Session>>()
const product = {
  base,
  dataDir,
  as: (email: string) => {
    const session = sessions.get(email) ?? signIn(base, email)
    sessions.set(email, session)
    return session
  },
  query: async <Row extends object>(text: string, parameters: readonly unknown[]) =>
    (await client.query<Row>(text, [...parameters])).rows,
}

try {
  const began = Date.now()
  const requests = only === undefined ? Number(values.requests) : only + 1
  const result = await fuzz({ product, requests, seed, only, calls: values.calls, onFault: ({ text }) => say(`\n${text}`) })
  say(`\nseed ${seed}, ${result.requests} requests, ${((Date.now() - began) / 1000).toFixed(0)} seconds`)
  const statuses = Object.keys(result.byStatus)
  say(`${''.padEnd(28)}${statuses.map((status) => status.padStart(6)).join('')}`)
  for (const [id, counts] of [...Object.entries(result.byOperation), ['all', result.byStatus] as const])
    say(`${id.padEnd(28)}${statuses.map((status) => String(counts[Number(status)] ?? '').padStart(6)).join('')}`)
  say(`faults: ${result.faults.length}`)
  process.exitCode = result.faults.length === 0 ? 0 : 1
} finally {
  await client.end()
  await running.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
