import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { CampaignCommands } from '#commands/campaign/campaign-commands'
import { createStateCache } from '#commands/state-cache'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { openAdvertisers } from './support/advertisers.ts'
import { stampCampaigns } from './support/facts.ts'
import { commandsOver, issue, recordLife } from './support/lives.ts'
import { closedLoop } from './support/load.ts'
import { median, round, say, type Figures } from './support/measure.ts'
import { preparePgbench } from './support/pgbench.ts'
import { SPACE, startBenchProduct, WHITELABEL } from './support/product.ts'
import { withServer, type BenchServer } from './support/server.ts'

const run = promisify(execFile)
const CALLERS = 64
const PAIRS = 5
const SECONDS = 3
/** New campaigns per arm of each pair: saves make a stream longer, and longer streams cost more. */
const CAMPAIGNS = 4096
/** Of each of the accounts that save over HTTP: fewer in all than the product's cache holds. */
const SERVED = 8
/** Above the final budget of the recorded life. */
const FIRST_CENTS = 13_000

/**
 * One-field saves of campaigns with history (14 events): over HTTP against the whole product, compared with the handler alone on
 * its own database, and that with pgbench. Over HTTP each caller is an account of its own, since calls of one account wait for each
 * other. The HTTP load comes from a separate process on the same machine and uses part of its
 * CPU. The product caches states, so HTTP is compared with a caching handler, and pgbench with one without a cache. Both caching
 * arms save each campaign once before measuring. A first round of all is a warm-up for the compiler and not counted.
 */
export const command = (): Promise<Figures> => withServer(measureCommands)

async function measureCommands(server: BenchServer): Promise<Figures> {
  const names = [`command_product_${process.pid}`, `command_handler_${process.pid}`] as const
  try {
    const [withProduct, alone] = [await server.create(names[0]), await server.create(names[1])]
    const product = await startBenchProduct(withProduct)
    const advertisers = await openAdvertisers(withProduct, CALLERS)
    const handling = await handlersOn(alone)
    const pgbench = await preparePgbench(alone, await bytesOfSave())
    const rates = { http: [] as number[], cached: [] as number[], handler: [] as number[], pgbench: [] as number[] }
    for (let pair = 0; pair <= PAIRS; pair++) {
      const fresh = (url: string, arm: string) =>
        stampCampaigns(url, { spaceId: SPACE, whitelabelId: WHITELABEL, count: CAMPAIGNS, salt: `${arm} ${pair}` })
      rates.pgbench.push(await pgbench.insertsPerSecond(CALLERS, SECONDS))
      rates.handler.push(await closedLoop(CALLERS, SECONDS, saver(handling.reading, await fresh(alone, 'handler'))))
      const remembered = await fresh(alone, 'cached')
      await touch(handling.remembering, remembered)
      rates.cached.push(await closedLoop(CALLERS, SECONDS, saver(handling.remembering, remembered)))
      const accounts: Loaded[] = []
      for (const [n, { spaceId, token }] of advertisers.entries()) {
        const stamped = { spaceId, whitelabelId: WHITELABEL, count: SERVED, salt: `http ${pair} ${n}` }
        accounts.push({ token, ids: await stampCampaigns(withProduct, stamped) })
      }
      await product.ready()
      rates.http.push(await putsPerSecond(product.port, accounts))
      const last = Object.entries(rates).map(([arm, all]) => `${arm} ${Math.round(all.at(-1) ?? 0)}/s`)
      say(`${pair}/${PAIRS}: ${last.join(', ')}`)
      if (pair === 0) for (const all of Object.values(rates)) all.pop()
    }
    await pgbench.close()
    await product.stop()
    await handling.close()
    const over = (a: readonly number[], b: readonly number[]) => round(median(a.map((rate, i) => rate / (b[i] ?? 1))))
    return {
      http_over_handler: over(rates.http, rates.cached),
      handler_over_pgbench: over(rates.handler, rates.pgbench),
      cached_handler_over_pgbench: over(rates.cached, rates.pgbench),
      http_per_s: Math.round(median(rates.http)),
      handler_per_s: Math.round(median(rates.handler)),
      cached_handler_per_s: Math.round(median(rates.cached)),
      pgbench_per_s: Math.round(median(rates.pgbench)),
    }
  } finally {
    for (const name of names) await server.drop(name)
  }
}

/** The events of the last save of the recorded life, a budget change. */
async function bytesOfSave(): Promise<number> {
  const newest = (await recordLife()).at(-1)
  if (newest === undefined) throw new Error('nothing was recorded')
  return newest.data.length + newest.metadata.length
}

async function handlersOn(url: string) {
  const pool = createPool(url, { max: 20, applicationName: 'placard-bench', mayNest: true })
  await migrateToLatest(createKysely(pool))
  const store = createPostgresEventStore({ pool, url })
  return {
    reading: commandsOver(store),
    remembering: commandsOver(store, createStateCache(2 ** 30)),
    close: async () => {
      await store.close()
      await pool.end()
    },
  }
}

/** One save of each, to fill the cache. */
async function touch(commands: CampaignCommands, ids: readonly string[]): Promise<void> {
  const save = saver(commands, ids, 500_000)
  for (let from = 0; from < ids.length; from += CALLERS)
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => save(caller)))
}

/** Each caller saves its own campaigns in turn, each time with a new budget. */
function saver(commands: CampaignCommands, ids: readonly string[], from = FIRST_CENTS): (caller: number) => Promise<void> {
  const saves = new Map<number, number>()
  let cents = from
  return async (caller) => {
    const n = saves.get(caller) ?? 0
    saves.set(caller, n + 1)
    cents += 1
    const id = ids[(caller + CALLERS * n) % ids.length] ?? ''
    const outcome = await commands.update(id, issue(newId()), { patch: { budget: cents * 10_000 }, newIds: [], expected: null })
    if (outcome.kind !== 'done' || outcome.events.length === 0) throw new Error('a bench save was refused or changed nothing')
  }
}

/** What one account saves. */
type Loaded = { readonly token: string; readonly ids: readonly string[] }

async function putsPerSecond(port: number, accounts: readonly Loaded[]): Promise<number> {
  const orders = JSON.stringify({ port, accounts, seconds: SECONDS, from: FIRST_CENTS })
  const script = fileURLToPath(new URL('support/http-load.ts', import.meta.url))
  const running = run(process.execPath, ['--import', 'tsx', script])
  running.child.stdin?.end(orders)
  const { stdout } = await running
  const { perSecond }: { perSecond: number } = JSON.parse(stdout)
  return perSecond
}
