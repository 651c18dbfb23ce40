import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client, type QueryResultRow } from 'pg'
import { migrateToLatest } from '#migrations/index'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { createKysely, createPool } from '#platform/database/pool'
import { type LossyProxy, startLossyProxy } from '../support/lossy-proxy.ts'
import { counting } from './counting.ts'

/** Few, so that a fault can use all of them. Durability is as shipped: fsync on. */
const SETTINGS = { max_connections: '50', shared_buffers: '32MB' }
const BACK_WITHIN_MS = 30_000

/** A durable PostgreSQL behind a proxy whose address stays the same over all restarts. */
export type Cluster = {
  /** The URL for processes under test. */
  readonly network: LossyProxy
  /** The URL of the server itself, bypassing the proxy; changes with every restart. */
  readonly url: () => string
  /** One statement on its own connection. */
  readonly query: <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  /** Resolves once the server accepts connections again. */
  readonly answers: () => Promise<void>
  /** Kills all processes with SIGKILL and starts again on the same data folder. */
  readonly killAndRestart: () => Promise<void>
  /** Moves all data into a new, empty cluster, as a restored dump: with other transaction numbers and files. */
  readonly moveToFresh: () => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startCluster(folder: string): Promise<Cluster> {
  let clusters = 1
  const folderOf = (cluster: number): string => path.join(folder, `cluster-${cluster}`)
  let server = await startEmbeddedPostgres({ dir: folderOf(clusters), settings: SETTINGS })
  await migrate(server)
  const network = await startLossyProxy(server.url)

  const query = <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> =>
    queryOnce<Row>(server.url, text, values)

  const answers = async (): Promise<void> => {
    for (const deadline = Date.now() + BACK_WITHIN_MS; ; await delay(20)) {
      try {
        await query('select 1')
        return
      } catch (error) {
        if (Date.now() > deadline) throw error
      }
    }
  }

  const killAndRestart = async (): Promise<void> => {
    const backends = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
    for (const pid of [server.pid, ...backends.trim().split(/\s+/).map(Number)]) kill(pid)
    const killed = server
    server = await startEmbeddedPostgres({ dir: folderOf(clusters), settings: SETTINGS })
    network.moveTo(server.url)
    // The killed process was counted as a user of the folder; the new start is another user.
    await killed.stop()
  }

  const moveToFresh = async (): Promise<void> => {
    // A dump is a snapshot and would lose later writes, so writers are disconnected during the dump.
    network.moveTo(null)
    await query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where backend_type = 'client backend'
      and pid <> pg_backend_pid()`)
    const [from, to] = [folderOf(clusters), folderOf(clusters + 1)]
    mkdirSync(to, { mode: 0o700 })
    // The password stays the same: clients know no other.
    copyFileSync(path.join(from, 'secret'), path.join(to, 'secret'))
    const fresh = await startEmbeddedPostgres({ dir: to, settings: SETTINGS })
    try {
      await migrate(fresh)
      await copyData(server, fresh, path.join(from, 'data'), path.join(to, 'data'))
    } catch (error) {
      await fresh.stop()
      network.moveTo(server.url)
      throw error
    }
    await server.stop()
    rmSync(from, { recursive: true, force: true })
    clusters += 1
    server = fresh
    network.moveTo(server.url)
  }

  return {
    network,
    url: () => server.url,
    query,
    answers,
    killAndRestart,
    moveToFresh,
    stop: async () => {
      await network.close()
      await server.stop()
    },
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It had already ended.
  }
}

async function queryOnce<Row extends QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url, application_name: 'nemesis' })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end().catch(() => {})
  }
}

async function migrate({ url }: EmbeddedPostgres): Promise<void> {
  const db = createKysely(createPool(url, { max: 1, applicationName: 'nemesis' }))
  await migrateToLatest(db)
  await db.destroy()
}

/**
 * Does the work of pg_dump and psql: COPY of every table and the value of the sequence. The embedded server has no pg_dump, and
 * a pg_dump of another major version refuses the server.
 */
async function copyData(from: EmbeddedPostgres, to: EmbeddedPostgres, fromFolder: string, toFolder: string): Promise<void> {
  const generations = await queryOnce<{ name: string; generation: number; tables: string[]; status: string }>(
    from.url,
    `select name, generation, tables, status from es.subscriptions where name = 'chaos'`,
  )
  const db = createKysely(createPool(to.url, { max: 1, applicationName: 'nemesis' }))
  for (const { tables, status } of generations)
    for (const table of tables) {
      await counting().create(db, { chaos: table })
      if (status === 'live') await sql`create view rm_chaos as select * from ${sql.table(table)}`.execute(db)
    }
  await db.destroy()
  const { uid, gid } = statSync(toFolder)
  for (const table of ['es.events', 'es.subscriptions', ...generations.flatMap(({ tables }) => tables)]) {
    const [source, target] = [fromFolder, toFolder].map((folder) => path.join(folder, `${table}.copy`))
    if (source === undefined || target === undefined) continue
    await queryOnce(from.url, `copy ${table} to '${source}'`)
    copyFileSync(source, target)
    chownSync(target, uid, gid)
    await queryOnce(to.url, `copy ${table} from '${target}'`)
  }
  const sequence = `pg_get_serial_sequence('es.events', 'position')`
  const [state] = await queryOnce<{ last_value: string; is_called: boolean }>(
    from.url,
    'select last_value, is_called from es.events_position_seq',
  )
  await queryOnce(to.url, `select setval(${sequence}, $1, $2)`, [state?.last_value, state?.is_called])
}
