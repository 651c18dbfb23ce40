import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely, createPool } from '#platform/database/pool'
import { rebuild } from '#projections/projector/rebuild'
import { verify } from '#projections/projector/verify'
import { someEvent } from '../support/events.ts'
import { type Cluster, kill } from './cluster.ts'
import { counting } from './counting.ts'
import type { Crew, Member, Role } from './crew.ts'
import { type History, now } from './history.ts'
import type { Random } from './random.ts'

/** The context of a fault. */
export type Stage = {
  readonly cluster: Cluster
  readonly crew: Crew
  readonly random: Random
  /** Marks events that a fault itself appends. */
  readonly history: History
  /** How long a foreign transaction stays open, milliseconds. */
  readonly foreignMs: number
  /** How long the database is unreachable, milliseconds. */
  readonly outageMs: number
  /** Ends what a fault leaves running; awaited before the run ends. */
  readonly later: (work: Promise<void>) => void
}

/** A fault resolves once it is over, and rejects when its own expectation fails. */
export type Fault = (stage: Stage) => Promise<void>

const OF_THE_PRODUCT = `application_name like 'placard-%'`
/** Timeout for a follower to pass transactions that do not write to the log. */
const STALL_MS = 10_000
/** Faults may follow each other quickly; within this time the product must work again. */
export const RECOVERED_WITHIN_MS = 30_000

export const FAULTS = {
  'a connection is terminated': terminateBackend,
  'a backend is killed': killBackend,
  'PostgreSQL is killed': ({ cluster }) => cluster.killAndRestart(),
  'a writer is killed': (stage) => replaceOne(stage, 'writer'),
  'a subscriber is killed': (stage) => replaceOne(stage, 'subscriber'),
  'a projector is killed': (stage) => replaceOne(stage, 'projector'),
  'a projector is killed between rows and commit': killBeforeCommit,
  'a projector is suspended while another continues': suspendWhileAnotherContinues,
  'the answer to an append is lost': (stage) =>
    loseAnswer(stage, stage.random.pick(['es_append_one', 'es_append_each', 'es_append_many'])),
  'the answer to a commit of rows and checkpoint is lost': (stage) => loseAnswer(stage, 'commit\0'),
  'a foreign transaction stays open': holdForeignTransaction,
  'a foreign transaction holds a position': holdPosition,
  'no connection is left': takeAllConnections,
  'the network is gone': loseNetwork,
  'a read model is rebuilt': rebuildModel,
  'all data moves to a fresh cluster': ({ cluster }) => cluster.moveToFresh(),
} satisfies Readonly<Record<string, Fault>>

/** Kills a server process that serves the product. */
async function someBackend({ cluster, random }: Stage): Promise<number> {
  for (const deadline = Date.now() + RECOVERED_WITHIN_MS; ; await delay(20)) {
    const rows = await cluster.query<{ pid: number }>(`select pid from pg_stat_activity where ${OF_THE_PRODUCT} order by pid`)
    if (rows.length > 0) return random.pick(rows).pid
    if (Date.now() > deadline) throw new Error('the product has no connection')
  }
}

async function terminateBackend(stage: Stage): Promise<void> {
  for (let times = 0; times < 5; times += 1) {
    await stage.cluster.query('select pg_terminate_backend($1)', [await someBackend(stage)])
    await delay(20)
  }
}

/** PostgreSQL treats the sudden end of one of its processes as damaged shared memory, and restarts all of them. */
async function killBackend(stage: Stage): Promise<void> {
  kill(await someBackend(stage))
  await delay(50)
  await stage.cluster.answers()
}

const replaceOne = ({ crew, random }: Stage, role: Role): Promise<void> => random.pick(crew.of(role)).replace()

async function killBeforeCommit({ crew }: Stage): Promise<void> {
  const victim = await firstToObey(crew, 'hold', 'held')
  await victim.replace()
}

/** The suspended process resumes with a page that another process has applied: its checkpoint no longer matches. */
async function suspendWhileAnotherContinues({ cluster, crew }: Stage): Promise<void> {
  const zombie = await firstToObey(crew, 'sleep', 'asleep')
  const others = crew.of('projector').filter((member) => member !== zombie)
  // Another process may have suspended itself just before the order `stay`.
  const waking = setInterval(() => others.map((other) => other.resume()), 200)
  try {
    const goal = await newHead(cluster)
    for (const other of others) other.order(`reach ${goal}`)
    await Promise.all(others.map((other) => other.says('reached', RECOVERED_WITHIN_MS)))
  } finally {
    clearInterval(waking)
    zombie.resume()
  }
  await zombie.says('refused', RECOVERED_WITHIN_MS)
}

/**
 * Usually only one projector works: sends the order to all of them, and returns the one that executed it first. During a
 * handover another may have executed it too; it continues at once.
 */
async function firstToObey(crew: Crew, order: string, line: string): Promise<Member> {
  const projectors = crew.of('projector')
  for (const member of projectors) member.order(order)
  const deadline = Date.now() + RECOVERED_WITHIN_MS
  let first = projectors.find((member) => member.said(line))
  for (; first === undefined; first = projectors.find((member) => member.said(line))) {
    if (Date.now() > deadline) throw new Error(`no projector has "${line}" to say`)
    await delay(5)
  }
  for (const member of projectors) {
    if (member === first) continue
    member.order('stay')
    member.resume()
  }
  return first
}

async function loseAnswer({ cluster }: Stage, text: string): Promise<void> {
  const before = cluster.network.lost()
  cluster.network.loseAnswerTo(text)
  const deadline = Date.now() + RECOVERED_WITHIN_MS
  while (cluster.network.lost() === before) {
    if (Date.now() > deadline) throw new Error(`no request held ${JSON.stringify(text)}`)
    await delay(5)
  }
}

/** Simulates a report or a batch of delivery facts: it writes, but not to the log, so followers must not wait for it. */
async function holdForeignTransaction({ cluster, crew, foreignMs, later }: Stage): Promise<void> {
  await everybodyReaches(crew, await newHead(cluster), RECOVERED_WITHIN_MS)
  const client = await connect(cluster)
  await client.query('begin')
  await client.query('select pg_current_xact_id()')
  later(delay(foreignMs).then(() => end(client, 'commit')))
  // While the transaction is still open.
  await everybodyReaches(crew, await newHead(cluster), Math.min(STALL_MS, foreignMs * 0.8))
}

/** A slow writer: others commit higher positions before its event is committed or rolled back. */
async function holdPosition({ cluster, random, history }: Stage): Promise<void> {
  const client = await connect(cluster)
  const [process, stream, id] = [`slow-${randomUUID()}`, `slow-${randomUUID()}`, randomUUID()]
  const ending = random.pick(['commit', 'rollback'])
  history.write({ kind: 'invoke', process, op: 1, at: now(), stream, expected: 0, ids: [id] })
  await client.query('begin')
  const { data, metadata } = someEvent({ id })
  const { rows } = await client.query<{ position: string }>(
    `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
     values ($1, 1, $2, 'Slow', 1, $3, $4) returning position::text as position`,
    [stream, id, data, metadata],
  )
  await newHead(cluster)
  await delay(500)
  await client.query(ending)
  if (ending === 'commit') {
    history.write({ kind: 'ok', process, op: 1, at: now(), version: 1, position: Number(rows[0]?.position) })
  } else {
    history.write({ kind: 'fail', process, op: 1, at: now() })
  }
  await client.end()
}

/** Cuts the connections of the product while all others are in use, so that it cannot reconnect for a while. */
async function takeAllConnections(stage: Stage): Promise<void> {
  const taken: Client[] = []
  const refusals = { count: 0 }
  const takeAll = async (): Promise<void> => {
    try {
      for (;;) taken.push(await connect(stage.cluster))
    } catch {
      refusals.count += 1
    }
  }
  await takeAll()
  const [first] = taken
  for (let round = 0; round < 10; round += 1) {
    // Over an existing connection, since no other is available.
    await first?.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OF_THE_PRODUCT}`)
    await takeAll()
    await delay(50)
  }
  await Promise.all(taken.map((client) => end(client, 'select 1')))
  if (refusals.count === 0) throw new Error('there was always a connection left')
}

/** An outage longer than the retries of an append, whose outcome is then reported as unknown. */
async function loseNetwork({ cluster, outageMs }: Stage): Promise<void> {
  cluster.network.moveTo(null)
  await delay(outageMs)
  cluster.network.moveTo(cluster.url())
}

/** Rebuilds the read model while a projector is killed. Rows equal to the log prove that no event was applied twice or lost. */
async function rebuildModel({ cluster, crew, random }: Stage): Promise<void> {
  const pool = createPool(cluster.url(), { max: 4, applicationName: 'nemesis', mayNest: true })
  const store = createPostgresEventStore({ pool, url: cluster.url() })
  const db = createKysely(pool)
  try {
    const verified = await verify(db, store, counting())
    const [{ replaced }] = await Promise.all([rebuild(db, store, counting()), random.pick(crew.of('projector')).replace()])
    if (!replaced) throw new Error('the read model was not replaced')
    if (verified.kind !== 'compared' || verified.differences.length > 0)
      throw new Error(`the read model differs from the log: ${JSON.stringify(verified)}`)
  } finally {
    await store.close()
    await pool.end()
  }
  await everybodyReaches(crew, await newHead(cluster), RECOVERED_WITHIN_MS)
}

/** Subscribers and projectors, including standby processes. */
export async function everybodyReaches(crew: Crew, position: number, within: number): Promise<void> {
  const followers = [...crew.of('subscriber'), ...crew.of('projector')]
  for (const follower of followers) follower.order(`reach ${position}`)
  await Promise.all(followers.map((follower) => follower.says('reached', within)))
}

async function connect({ url }: Cluster): Promise<Client> {
  const client = new Client({ connectionString: url(), application_name: 'nemesis' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Another fault may have cut this connection, which ends its transaction. */
async function end(client: Client, statement: string): Promise<void> {
  await client.query(statement).catch(() => {})
  await client.end().catch(() => {})
}

export async function headOf({ query }: Cluster): Promise<number> {
  const [row] = await query<{ head: string }>('select coalesce(max(position), 0)::text as head from es.events')
  return Number(row?.head)
}

/** Waits until the writers have made progress, and returns the head of the log. */
export async function newHead(cluster: Cluster, within = RECOVERED_WITHIN_MS): Promise<number> {
  const before = await headOf(cluster)
  const deadline = Date.now() + within
  for (;;) {
    const head = await headOf(cluster)
    if (head > before + 20) return head
    if (Date.now() > deadline) throw new Error(`no process has appended anything for ${within} ms`)
    await delay(20)
  }
}
