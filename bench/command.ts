import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { CampaignCommands } from '../commands/campaign.ts'
import { createPostgresEventStore } from '../eventstore/postgres/postgres-event-store.ts'
import { migrateToLatest } from '../migrations/index.ts'
import { createKysely, createPool } from '../platform/database/pool.ts'
import { derivedId, newId } from '../platform/ids.ts'
import { body, commandsOver, issue } from './support/lives.ts'
import { closedLoop } from './support/load.ts'
import { median, round, say, type Figures } from './support/measure.ts'
import { preparePgbench } from './support/pgbench.ts'
import { SPACE, startBenchProduct } from './support/product.ts'
import { startBenchServer } from './support/server.ts'

const run = promisify(execFile)
const CALLERS = 64
const CAMPAIGNS = 2048
const PAIRS = 5
const SECONDS = 3

/**
 * One-field saves of campaigns: over HTTP, with the whole product behind it, against the handler alone on a database of its own, and that
 * against pgbench. The load over HTTP comes from a process of its own on the same machine, and takes its part of it.
 */
export async function command(): Promise<Figures> {
  const server = await startBenchServer()
  const names = [`command_product_${process.pid}`, `command_handler_${process.pid}`] as const
  try {
    const [withProduct, alone] = [await server.create(names[0]), await server.create(names[1])]
    const product = await startBenchProduct(withProduct)
    const served = await campaignsIn(withProduct)
    const handled = await campaignsIn(alone)
    const pgbench = await preparePgbench(alone, 1100)
    const http: number[] = []
    const handler: number[] = []
    const limit: number[] = []
    for (let pair = 0; pair < PAIRS; pair++) {
      limit.push(await pgbench.insertsPerSecond(CALLERS, SECONDS))
      handler.push(await closedLoop(CALLERS, SECONDS, saver(handled.commands, handled.ids)))
      http.push(await putsPerSecond(product, served.ids))
      const last = [http, handler, limit].map((rates) => Math.round(rates.at(-1) ?? 0))
      say(`${pair + 1}/${PAIRS}: HTTP ${last[0]}/s, handler ${last[1]}/s, pgbench ${last[2]}/s`)
    }
    await pgbench.close()
    await product.stop()
    await served.close()
    await handled.close()
    return {
      http_over_handler: round(median(http.map((rate, i) => rate / (handler[i] ?? 1)))),
      handler_over_pgbench: round(median(handler.map((rate, i) => rate / (limit[i] ?? 1)))),
      http_per_s: Math.round(median(http)),
      handler_per_s: Math.round(median(handler)),
      pgbench_per_s: Math.round(median(limit)),
    }
  } finally {
    for (const name of names) await server.drop(name)
    await server.stop()
  }
}

async function campaignsIn(url: string) {
  const pool = createPool(url, { max: 20, applicationName: 'placard-bench' })
  await migrateToLatest(createKysely(pool))
  const store = createPostgresEventStore({ pool, url })
  const commands = commandsOver(store)
  const ids = Array.from({ length: CAMPAIGNS }, (_, i) => derivedId('bench', url, String(i)))
  for (let from = 0; from < CAMPAIGNS; from += 128)
    await Promise.all(
      ids.slice(from, from + 128).map(async (id, i) => {
        const outcome = await commands.create(issue(newId()), {
          id,
          spaceId: SPACE,
          whitelabelId: 'dsp',
          publish: false,
          source: null,
          newIds: [],
          patch: body(`Campaign ${from + i}`),
        })
        if (outcome.kind !== 'done') throw new Error('a bench campaign was refused')
      }),
    )
  return {
    ids,
    commands,
    close: async () => {
      await store.close()
      await pool.end()
    },
  }
}

function saver(commands: CampaignCommands, ids: readonly string[]): (caller: number) => Promise<void> {
  let n = 0
  return async (caller) => {
    n += 1
    const own = caller + CALLERS * (n % Math.floor(ids.length / CALLERS))
    const patch = { budget: (10 + (n % 90_000)) * 1_000_000 }
    const outcome = await commands.update(ids[own] ?? '', issue(newId()), { patch, newIds: [], expected: null })
    if (outcome.kind !== 'done') throw new Error('a bench save was refused')
  }
}

async function putsPerSecond(
  { port, token }: { readonly port: number; readonly token: string },
  ids: readonly string[],
): Promise<number> {
  const orders = JSON.stringify({ port, token, connections: CALLERS, seconds: SECONDS, ids })
  const script = fileURLToPath(new URL('support/http-load.ts', import.meta.url))
  const { stdout } = await run(process.execPath, ['--import', 'tsx', script, orders], { maxBuffer: 1e8 })
  const { perSecond, failures }: { perSecond: number; failures: number } = JSON.parse(stdout)
  if (failures > 0) throw new Error(`${failures} saves over HTTP were refused`)
  return perSecond
}
