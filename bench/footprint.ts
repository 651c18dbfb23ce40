import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from 'pg'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { appender } from './append.ts'
import { readySet } from './support/facts.ts'
import { closedLoop } from './support/load.ts'
import { median, say, type Figures } from './support/measure.ts'
import { startBenchProduct } from './support/product.ts'
import { withServer, type BenchServer } from './support/server.ts'

const ROUNDS = 5
const SECONDS = 3
const CALLERS = 16
/** Idle time before the product's memory is read. */
const IDLE_MS = 10_000
const MB = 1024

/**
 * The product's costs besides time: write-ahead log per event beyond its stored bytes, and memory including PostgreSQL's. Memory
 * is read on a newly started server, with read models built by an earlier process.
 */
export async function footprint(count = 1_000_000): Promise<Figures> {
  const idle = await memory()
  const full = await memory(count)
  const wal = await withServer((server) => walPerEvent(server))
  return {
    wal_bytes_overhead: Math.round(median(wal)),
    rss_mb_idle: idle.whole,
    rss_mb_1m: full.whole,
    wal_bytes_overhead_worst: Math.round(Math.max(...wal)),
    rss_mb_idle_node: idle.node,
    rss_mb_1m_node: full.node,
    events: count,
  }
}

/**
 * Bytes of write-ahead log per append minus the bytes of its data and metadata, over several rounds with sixteen callers. Each
 * round writes for a while after a checkpoint before measuring: by then most full-page images, which follow every checkpoint, are
 * written. Those that fall into the round are counted.
 */
export async function walPerEvent(server: BenchServer, template?: string): Promise<readonly number[]> {
  const database = `footprint_wal_${process.pid}`
  const url = await server.create(database, template)
  try {
    const pool = createPool(url, { max: 4, applicationName: 'placard-bench', mayNest: true })
    await migrateToLatest(createKysely(pool))
    const store = createPostgresEventStore({ pool, url })
    const overheads: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await pool.query('checkpoint')
      await closedLoop(CALLERS, SECONDS, appender(store))
      const first = await store.head()
      const from = await walPosition(pool)
      await closedLoop(CALLERS, SECONDS, appender(store))
      // Before the scan below, which may write on its own.
      const to = await walPosition(pool)
      const { events, stored } = await storedAfter(pool, first)
      overheads.push((to.bytes - from.bytes - stored) / events)
      say(
        `${round + 1}/${ROUNDS}: ${Math.round(overheads.at(-1) ?? 0)} bytes of WAL beyond the stored ones, ${events} events, ${to.images - from.images} page images`,
      )
    }
    await store.close()
    await pool.end()
    return overheads
  } finally {
    await server.drop(database)
  }
}

async function walPosition(pool: Pool): Promise<{ readonly bytes: number; readonly images: number }> {
  const { rows } = await pool.query<{ bytes: string; images: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes, wal_fpi::text as images from pg_stat_wal",
  )
  return { bytes: Number(rows[0]?.bytes), images: Number(rows[0]?.images) }
}

async function storedAfter(pool: Pool, position: bigint): Promise<{ readonly events: number; readonly stored: number }> {
  const { rows } = await pool.query<{ events: string; stored: string }>(
    `select count(*)::text as events, coalesce(sum(octet_length(data::text) + octet_length(metadata::text)), 0)::text as stored
     from es.events where position > $1`,
    [position.toString()],
  )
  return { events: Number(rows[0]?.events), stored: Number(rows[0]?.stored) }
}

/** Megabytes of the idle product, including PostgreSQL. Memory shared by processes is counted once. */
export async function memory(count?: number): Promise<{ readonly whole: number; readonly node: number }> {
  const prepared = count === undefined ? undefined : await withServer((server) => readySet(server, count))
  return withServer(async (server) => {
    const database = `footprint_${process.pid}`
    const url = await server.create(database, prepared)
    const product = await startBenchProduct(url)
    try {
      await product.ready()
      await delay(IDLE_MS)
      const node = proportional(product.pid)
      const whole = node + postgresProcesses().reduce((sum, pid) => sum + proportional(pid), 0)
      say(`${prepared ?? 'the demo'}: Node ${Math.round(node / MB)} MB, with PostgreSQL ${Math.round(whole / MB)} MB`)
      return { whole: Math.round(whole / MB), node: Math.round(node / MB) }
    } finally {
      await product.stop()
      await server.drop(database)
    }
  })
}

/** Kilobytes of a process, shared memory divided among its users (Linux; 0 when it has just ended). */
function proportional(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The bench's postmaster and its children. */
function postgresProcesses(): readonly number[] {
  const of = (pid: string): { readonly parent: number; readonly command: string } | null => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return { parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), command }
    } catch {
      return null
    }
  }
  const processes = readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? of(name) : null
    return found === null ? [] : [{ pid: Number(name), ...found }]
  })
  const postmasters = new Set(
    processes.filter(({ command }) => command.includes('postgres') && command.includes('placard-bench')).map(({ pid }) => pid),
  )
  return processes.filter(({ pid, parent }) => postmasters.has(pid) || postmasters.has(parent)).map(({ pid }) => pid)
}
