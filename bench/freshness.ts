import { setTimeout as delay } from 'node:timers/promises'
import { createStateCache } from '../commands/state-cache.ts'
import { createPostgresEventStore } from '../eventstore/postgres/postgres-event-store.ts'
import { createPool } from '../platform/database/pool.ts'
import { newId } from '../platform/ids.ts'
import { stampCampaigns } from './support/facts.ts'
import { commandsOver, issue } from './support/lives.ts'
import { median, percentile, round, say, type Figures } from './support/measure.ts'
import { startListReader, type ListReader, type Saved } from './support/list-reader.ts'
import { SPACE, startBenchProduct, WHITELABEL } from './support/product.ts'
import { withServer, type BenchServer } from './support/server.ts'

const CAMPAIGNS = 2048
const ROUNDS = 3
const SECONDS = 6
const WARMED_AT_ONCE = 64
/** One command in so many is followed into the list. */
const FOLLOWED = 100
const FOREIGN_MS = 5000

export type FreshnessOptions = { readonly perSecond?: number; readonly rounds?: number; readonly template?: string }

/**
 * From a save's acknowledgement to a list/v2 over HTTP that shows it, milliseconds: a writing process (this one) saves at a steady rate,
 * whatever its answers take, beside the whole product that projects and serves; a third process reads. Then the same at a tenth of the rate while a
 * transaction of somebody else, which has written, stays open for five seconds. Each campaign has been saved once before: writer and
 * product remember those that are being worked on. A first round is not counted: both are still being compiled in it.
 */
export const freshness = (options: FreshnessOptions = {}): Promise<Figures> =>
  withServer((server) => measureFreshness(server, options))

export async function measureFreshness(
  server: BenchServer,
  { perSecond = 2000, rounds = ROUNDS, template }: FreshnessOptions,
): Promise<Figures> {
  const database = `freshness_${process.pid}`
  try {
    const url = await server.create(database, template)
    const product = await startBenchProduct(url)
    const reader = startListReader(product)
    const pool = createPool(url, { max: 8, applicationName: 'placard-bench' })
    const store = createPostgresEventStore({ pool, url })
    const commands = commandsOver(store, createStateCache(CAMPAIGNS))
    const p99: number[] = []
    const p50: number[] = []
    const achieved: number[] = []
    const foreign: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const ids = await stampCampaigns(url, {
        spaceId: SPACE,
        whitelabelId: WHITELABEL,
        count: CAMPAIGNS,
        salt: `fresh ${round}`,
      })
      await product.ready()
      let cents = 13_000
      const save = async (n: number) => {
        cents += 1
        const budget = cents
        const id = ids[n % ids.length] ?? ''
        const outcome = await commands.update(id, issue(newId()), {
          patch: { budget: budget * 10_000 },
          newIds: [],
          expected: null,
        })
        if (outcome.kind !== 'done') throw new Error('a bench save was refused')
        return { position: outcome.position, name: `fresh ${round} #${n % ids.length}, second wave`, budget: budget / 100 }
      }
      for (let from = 0; from < CAMPAIGNS; from += WARMED_AT_ONCE)
        await Promise.all(Array.from({ length: WARMED_AT_ONCE }, (_, i) => save(from + i)))
      await product.ready()
      const busy = await follow(reader, perSecond, SECONDS * 1000, save)
      const other = await pool.connect()
      await other.query('begin; create table if not exists bench_foreign (n int); insert into bench_foreign values (1)')
      const held = await follow(reader, perSecond / 10, FOREIGN_MS, save)
      await other.query('commit')
      other.release()
      if (round === 0) continue
      p99.push(percentile(busy.latencies, 0.99))
      p50.push(percentile(busy.latencies, 0.5))
      achieved.push(busy.perSecond)
      foreign.push(Math.max(...held.latencies))
      say(
        `${round}/${rounds}: ${Math.round(busy.perSecond)} commands/s, p50 ${p50.at(-1)?.toFixed(1)} ms, p99 ${p99.at(-1)?.toFixed(1)} ms; beside a foreign transaction at most ${foreign.at(-1)?.toFixed(1)} ms`,
      )
    }
    await reader.stop()
    await store.close()
    await pool.end()
    await product.stop()
    return {
      p99_ms: round(median(p99)),
      max_ms_foreign_tx: round(Math.max(...foreign)),
      p50_ms: round(median(p50)),
      commands_per_s: Math.round(median(achieved)),
      asked_per_s: perSecond,
    }
  } finally {
    await server.drop(database)
  }
}

/** Commands by the clock; some of them are followed until the list shows them. */
async function follow(
  reader: ListReader,
  perSecond: number,
  milliseconds: number,
  save: (n: number) => Promise<Omit<Saved, 'acknowledged'>>,
): Promise<{ readonly latencies: readonly number[]; readonly perSecond: number }> {
  const latencies: number[] = []
  const running = new Set<Promise<void>>()
  const begin = performance.now()
  let sent = 0
  while (performance.now() - begin < milliseconds) {
    const due = ((performance.now() - begin) / 1000) * perSecond
    for (; sent < due; sent++) {
      const n = sent
      const one = save(n).then(async (saved) => {
        if (n % FOLLOWED !== 0) return
        const acknowledged = performance.timeOrigin + performance.now()
        latencies.push(await reader.seen({ ...saved, acknowledged }))
      })
      running.add(one)
      void one.finally(() => running.delete(one))
    }
    await delay(1)
  }
  await Promise.all(running)
  return { latencies, perSecond: sent / ((performance.now() - begin) / 1000) }
}
