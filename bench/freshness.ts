import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { createPool } from '#platform/database/pool'
import { openAdvertisers, type Advertiser } from './support/advertisers.ts'
import { readySet, stampCampaigns } from './support/facts.ts'
import { startListReader, type ListReader } from './support/list-reader.ts'
import { closedLoop } from './support/load.ts'
import { median, percentile, round, say, type Figures } from './support/measure.ts'
import { startBenchProduct, WHITELABEL } from './support/product.ts'
import { saverOverHttp, saverThroughHandler, type Saver, type Target } from './support/savers.ts'
import { withServer, type BenchServer } from './support/server.ts'

/** Accounts that save and read: calls of one account wait for each other. */
const ACCOUNTS = 64
/** Campaigns of all these accounts. At most as many as the product caches. */
const CAMPAIGNS = 1024
/** A hundred thousand other campaigns. */
const EVENTS_AROUND = 1_400_000
const ROUNDS = 3
const SECONDS = 6
const AT_ONCE = 64
/** Saves per second that are followed into the list: 64 readers that each poll once a second. */
const READS_PER_S = 64
const WANTED_PER_S = 2000
const PART_OF_CAPACITY = 0.7
const CAPACITY_SECONDS = 3
const FOREIGN_MS = 5000
/**
 * Above the final budget of the recorded life, and below the advertiser's balance; a round of saves is far smaller than the
 * distance.
 */
const FIRST_CENTS = 13_000
const CENTS_A_WAVE = 50_000

/**
 * From a save's acknowledgement to a list/v2 over HTTP that shows it, milliseconds, in three ways (fine print 33):
 *  - one-field PUTs over HTTP at a fixed rate: 2,000 a second, or 70 % of the machine's capacity with this whole load if that is
 *    less. The capacity is measured just before, with the same number of list polls: saves as fast as they are answered, until
 *    the list shows the last one;
 *  - a tenth of that, while another transaction, which has written, stays open for five seconds;
 *  - 2,000 saves a second regardless of capacity, by a process that saves through the handler, beside the product.
 * 64 accounts save and poll, the polls from a separate process. All campaigns are saved once before: writer and product then have them in their
 * caches. A first round is a warm-up for the compiler and not counted.
 */
export const freshness = (): Promise<Figures> =>
  withServer(async (server) => measureFreshness(server, await readySet(server, EVENTS_AROUND)))

async function measureFreshness(server: BenchServer, template: string): Promise<Figures> {
  const database = `freshness_${process.pid}`
  try {
    const url = await server.create(database, template)
    const product = await startBenchProduct(url)
    const reader = startListReader(product)
    const pool = createPool(url, { max: 8, applicationName: 'placard-bench' })
    const targets = await campaignsOf(url, await openAdvertisers(url, ACCOUNTS))
    await product.ready()
    const measured: Readonly<Record<string, number>>[] = []
    for (let n = 0; n <= ROUNDS; n++) {
      const from = FIRST_CENTS + 2 * n * CENTS_A_WAVE
      const puts = saverOverHttp(product, targets, from)
      await warm(puts, reader)
      const capacity = await capacityOf(puts, reader)
      const rate = Math.min(WANTED_PER_S, Math.floor(capacity * PART_OF_CAPACITY))
      const steady = await follow(puts, reader, rate, SECONDS * 1000)
      const held = await besideForeign(pool, () => follow(puts, reader, rate / 10, FOREIGN_MS))
      await puts.close()
      const one = {
        p99_ms: steady.p99,
        max_ms_foreign_tx: held.max,
        p50_ms: steady.p50,
        puts_per_s: steady.perSecond,
        reads: steady.reads,
        capacity_per_s: capacity,
        ...(await besideProduct({ pool, url }, targets, from + CENTS_A_WAVE, reader)),
      }
      say(
        `${n}/${ROUNDS}: ${Object.entries(one)
          .map(([what, value]) => `${what} ${value.toFixed(1)}`)
          .join(', ')}`,
      )
      if (n > 0) measured.push(one)
    }
    await reader.stop()
    await pool.end()
    await product.stop()
    const [first = {}] = measured
    return Object.fromEntries(
      Object.keys(first).map((what) => {
        const values = measured.map((one) => one[what] ?? Number.NaN)
        if (what.endsWith('_ms') || what.includes('_ms_'))
          return [what, round(what.startsWith('max') ? Math.max(...values) : median(values))]
        return [what, Math.round(median(values))]
      }),
    )
  } finally {
    await server.drop(database)
  }
}

/** One of each account in turn. */
async function campaignsOf(url: string, advertisers: readonly Advertiser[]): Promise<readonly Target[]> {
  const targets: Target[][] = []
  for (const [n, { spaceId, token }] of advertisers.entries()) {
    const salt = `fresh ${n}`
    const ids = await stampCampaigns(url, { spaceId, whitelabelId: WHITELABEL, count: CAMPAIGNS / ACCOUNTS, salt })
    targets.push(ids.map((id, i) => ({ id, name: `${salt} #${i}, second wave`, token })))
  }
  return Array.from({ length: CAMPAIGNS / ACCOUNTS }, (_, i) => targets.flatMap((own) => own[i] ?? [])).flat()
}

const now = (): number => performance.timeOrigin + performance.now()

async function warm({ save }: Saver, reader: ListReader): Promise<void> {
  let last = await save()
  for (let done = 1; done < CAMPAIGNS; done += AT_ONCE)
    for (const saved of await Promise.all(Array.from({ length: AT_ONCE }, save))) if (saved.position > last.position) last = saved
  await reader.seen({ ...last, acknowledged: now() })
}

/** Saves a second: as fast as 64 callers are answered while readers poll the list, until it shows the last save. */
async function capacityOf({ save }: Saver, reader: ListReader): Promise<number> {
  const begin = performance.now()
  let last = await save()
  const polls: Promise<number>[] = []
  const rate = await closedLoop(AT_ONCE, CAPACITY_SECONDS, async () => {
    const saved = await save()
    if (saved.position > last.position) last = saved
    const due = ((performance.now() - begin) / 1000) * READS_PER_S
    if (polls.length < due) polls.push(reader.seen({ ...saved, acknowledged: now() }))
  })
  const loop = (performance.now() - begin) / 1000
  await Promise.all([...polls, reader.seen({ ...last, acknowledged: now() })])
  return (rate * loop) / ((performance.now() - begin) / 1000)
}

async function besideForeign<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const other = await pool.connect()
  await other.query('begin; create table if not exists bench_foreign (n int); insert into bench_foreign values (1)')
  const result = await work()
  await other.query('commit')
  other.release()
  return result
}

async function besideProduct(
  database: { readonly pool: Pool; readonly url: string },
  targets: readonly Target[],
  fromCents: number,
  reader: ListReader,
) {
  const saver = saverThroughHandler(database, targets, fromCents)
  await warm(saver, reader)
  const { p99, p50, perSecond } = await follow(saver, reader, WANTED_PER_S, SECONDS * 1000)
  await saver.close()
  return { p99_ms_2000: p99, p50_ms_2000: p50, commands_per_s_2000: perSecond }
}

/** Saves at a fixed rate; some of them are followed until the list shows them. */
async function follow({ save }: Saver, reader: ListReader, perSecond: number, milliseconds: number) {
  const latencies: number[] = []
  const running = new Set<Promise<void>>()
  const every = Math.max(1, Math.round(perSecond / READS_PER_S))
  const begin = performance.now()
  let sent = 0
  while (performance.now() - begin < milliseconds) {
    const due = ((performance.now() - begin) / 1000) * perSecond
    for (; sent < due; sent++) {
      const n = sent
      const one = save().then(async (saved) => {
        if (n % every === 0) latencies.push(await reader.seen({ ...saved, acknowledged: now() }))
      })
      running.add(one)
      void one.finally(() => running.delete(one))
    }
    await delay(1)
  }
  await Promise.all(running)
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    max: Math.max(...latencies),
    reads: latencies.length,
    perSecond: sent / ((performance.now() - begin) / 1000),
  }
}
