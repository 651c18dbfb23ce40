import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import type { ReadModel } from '#projections/projector/read-model'
import { rebuild } from '#projections/projector/rebuild'
import { checkHistory, type Counted, type CountedStream, type Evidence } from './check-history.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { counting } from './counting.ts'
import { type Crew, startCrew } from './crew.ts'
import { type Entry, type LoggedEvent, mixedUpIn, openHistory, readHistory } from './history.ts'
import { everybodyReaches, type Fault, FAULTS, headOf, newHead, type Stage } from './nemesis.ts'
import { createRandom } from './random.ts'

export type ChaosOptions = {
  /** Determines the order of the faults, their victims, and what is appended to which stream; not the timing. */
  readonly seed: number
  /** Folder for clusters and histories; created when missing and kept afterwards. */
  readonly folder: string
  /** Every fault comes once, then again in another order until this many milliseconds have passed. */
  readonly forMs: number
  /** How long a foreign transaction stays open, milliseconds. */
  readonly foreignMs: number
  /** How long the database is unreachable, milliseconds. */
  readonly outageMs: number
  readonly log: (line: string) => void
}

export type ChaosResult = {
  readonly seed: number
  readonly seconds: number
  /** Attempts by outcome. */
  readonly attempts: Readonly<Record<'acknowledged' | 'refused' | 'unknown' | 'unanswered', number>>
  readonly stored: number
  readonly deliveries: number
  readonly lives: number
  readonly faults: Readonly<Record<string, number>>
  /** One line each; empty when every guarantee held. */
  readonly violations: readonly string[]
}

const REACHED_WITHIN_MS = 60_000

/**
 * Runs writers, subscribers and projectors as separate processes on one durable database under one fault after the other, then
 * checks the history.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const began = Date.now()
  const histories = path.join(options.folder, 'history')
  mkdirSync(histories, { recursive: true })
  const cluster = await startCluster(options.folder)
  try {
    const crew = await startCrew(cluster.network.url, histories, options.seed)
    try {
      const { faults, broken } = await strikeAll(options, cluster, crew, path.join(histories, 'nemesis.ndjson'))
      broken.push(...(await finish(cluster, crew)), ...crew.deaths())
      const evidence = { history: readHistory(histories), ...(await leftBehind(cluster)) }
      const violations = checkHistory(evidence).map(({ property, detail }) => `${property}: ${detail}`)
      const seconds = (Date.now() - began) / 1000
      return { seed: options.seed, seconds, ...count(evidence), faults, violations: [...broken, ...violations] }
    } finally {
      await crew.killAll()
    }
  } finally {
    await cluster.stop()
  }
}

type Struck = { readonly faults: Readonly<Record<string, number>>; readonly broken: string[] }

async function strikeAll(options: ChaosOptions, cluster: Cluster, crew: Crew, file: string): Promise<Struck> {
  const { seed, forMs, foreignMs, outageMs, log } = options
  const background: Promise<void>[] = []
  const random = createRandom(seed)
  const later = (work: Promise<void>): void => void background.push(work)
  const stage: Stage = { cluster, crew, random, history: openHistory(file), foreignMs, outageMs, later }
  const faults: Record<string, number> = {}
  const broken: string[] = []
  const began = Date.now()
  await newHead(cluster)
  do {
    for (const [name, fault] of random.shuffled(Object.entries<Fault>(FAULTS))) {
      if (faults[name] !== undefined && Date.now() > began + forMs) break
      faults[name] = (faults[name] ?? 0) + 1
      log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${name}`)
      await strike(stage, name, fault, broken)
    }
  } while (Date.now() < began + forMs)
  await Promise.all(background)
  return { faults, broken }
}

/** Runs one fault and waits until the product works again. */
async function strike(stage: Stage, name: string, fault: Fault, broken: string[]): Promise<void> {
  try {
    await fault(stage)
    await newHead(stage.cluster)
  } catch (error) {
    broken.push(`${name}: ${String(error)}`)
  }
}

/** Stops the writers, then waits until all followers reach the end. Returns the failures. */
async function finish(cluster: Cluster, crew: Crew): Promise<readonly string[]> {
  try {
    await Promise.all(crew.of('writer').map((member) => member.finish()))
    await everybodyReaches(crew, await headOf(cluster), REACHED_WITHIN_MS)
    await Promise.all([...crew.of('subscriber'), ...crew.of('projector')].map((member) => member.finish()))
    return []
  } catch (error) {
    return [`at the end: ${String(error)}`]
  }
}

async function leftBehind(cluster: Cluster): Promise<Omit<Evidence, 'history'>> {
  type Row = Omit<LoggedEvent, 'position'> & { readonly position: string; readonly data: string; readonly metadata: string }
  const rows = await cluster.query<Row>(
    `select position::text as position, stream_id as stream, version, event_id::text as id, data::text as data, metadata::text as metadata
     from es.events e order by e.position`,
  )
  const log: LoggedEvent[] = rows.map(({ position, stream, version, id, data, metadata }) => ({
    position: Number(position),
    stream,
    version,
    id,
    ...mixedUpIn({ id, data, metadata }),
  }))
  const pool = createPool(cluster.url(), { max: 4, applicationName: 'nemesis', mayNest: true })
  const store = createPostgresEventStore({ pool, url: cluster.url() })
  const db = createKysely(pool)
  const rowsOf = async ({ tables }: ReadModel) =>
    (await sql<CountedStream>`select stream, events, digest from ${sql.table(`rm_${tables[0]}`)} order by stream`.execute(db))
      .rows
  const model = counting()
  const live = await rowsOf(model)
  await rebuild(db, store, model, { mode: 'force' })
  const readModels: Counted[] = [{ name: model.name, live, rebuilt: await rowsOf(model) }]
  await store.close()
  await pool.end()
  return { log, readModels }
}

function count({ history, log }: Evidence): Pick<ChaosResult, 'attempts' | 'stored' | 'deliveries' | 'lives'> {
  const of = (kind: Entry['kind']): number => history.filter((entry) => entry.kind === kind).length
  const [acknowledged, refused, unknown] = [of('ok'), of('fail'), of('unknown')]
  return {
    attempts: { acknowledged, refused, unknown, unanswered: of('invoke') - acknowledged - refused - unknown },
    stored: log.length,
    deliveries: of('deliver'),
    lives: new Set(history.map(({ process }) => process)).size,
  }
}
