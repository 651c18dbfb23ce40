import { createExporter } from '#commands/audit/export-log'
import { createLogHeads } from '#commands/audit/log-heads'
import { createLogTree } from '#commands/audit/log-tree'
import { verifyLog, verifyTiles } from '#commands/audit/verify-log'
import { blameOf, changesBetween, stateAt } from '#api/areas/audit/audit-calls'
import { streamOf } from '#domain/campaign/state'
import type { EventStore } from '#eventstore/event-store'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createLogHeadStore } from '#platform/audit/log-head-store'
import { createLogTreeStore } from '#platform/audit/log-tree-store'
import { createKysely, createPool } from '#platform/database/pool'
import { derivedId } from '#platform/ids'
import { GENESIS, hashOf, sealed } from '#proof/hash-chain'
import { noteSigner } from '#proof/log/signed-note'
import { newestRevision } from '#proof/replay'
import { migrateToLatest } from '#migrations/index'
import { factSet } from './support/facts.ts'
import { body, commandsOver, issue, recordLife } from './support/lives.ts'
import { percentile, round, say, timed, type Figures } from './support/measure.ts'
import { startBenchServer, type BenchServer } from './support/server.ts'

const PROOFS = 1000
/** Pages between two lines about progress. */
const PAGES = 100
/** Events whose chains are verified: those of the large set do not verify. */
const SEALED = 200_000
const REVISIONS = 1000
const READS = 100

/**
 * Builds the transparency log over the event log, times inclusion and consistency proofs at random places, exports everything, verifies
 * a log event by event, and reads a campaign with many revisions.
 */
export async function audit(count = 1_000_000, proofs = PROOFS): Promise<Figures> {
  const server = await startBenchServer()
  try {
    const ofTree = await onSet(server, await factSet(server, count), (url) => treeFigures(url, proofs))
    const ofVerify = await onSet(server, undefined, verifyFigures)
    return { ...ofTree, ...ofVerify, ...(await onSet(server, undefined, readFigures)) }
  } finally {
    await server.stop()
  }
}

async function onSet(server: BenchServer, from: string | undefined, work: (url: string) => Promise<Figures>): Promise<Figures> {
  const database = `audit_${process.pid}`
  const url = await (from === undefined ? server.create(database) : server.create(database, from))
  try {
    if (from === undefined) {
      const db = createKysely(createPool(url, { max: 1, applicationName: 'placard-bench' }))
      await migrateToLatest(db)
      await db.destroy()
    }
    return await work(url)
  } finally {
    await server.drop(database)
  }
}

function open(url: string) {
  const pool = createPool(url, { max: 4, applicationName: 'placard-bench', synchronousCommit: 'off' })
  const store = createPostgresEventStore({ pool, url })
  const db = createKysely(pool)
  const tree = createLogTreeStore(db, 'bench.invalid/log')
  const log = createLogTree({ store, tree })
  const close = async () => {
    await store.close()
    await pool.end()
  }
  return { db, store, tree, log, close }
}

type Opened = ReturnType<typeof open>

async function follow({ log, store, tree }: Pick<Opened, 'log' | 'store' | 'tree'>): Promise<void> {
  const head = await store.head()
  for (let { position, size } = await tree.state(); position < head; { position, size } = await tree.state()) {
    say(`${size} events in the tree`)
    await log.follow(PAGES)
  }
}

async function treeFigures(url: string, proofs: number): Promise<Figures> {
  const opened = open(url)
  const { log, tree } = opened
  const built = await timed(() => follow(opened))
  const { size } = await tree.state()
  const compared = await timed(async () => {
    const fault = await log.compareAll()
    if (fault !== null) throw new Error(fault)
  })
  const [included, continued]: [number[], number[]] = [[], []]
  for (let i = 0; i < proofs; i++) {
    const place = Math.floor(Math.random() * size)
    included.push(await timed(() => log.inclusion(place, size)))
    continued.push(await timed(() => log.consistency(place, size)))
  }
  const exported = await exportFigures(opened)
  await opened.close()
  return {
    events: size,
    proof_p95_ms: p95(included),
    consistency_p95_ms: p95(continued),
    follow_per_s: Math.round(size / built),
    compare_per_s: Math.round(size / compared),
    ...exported,
  }
}

/** Exports the whole log, and watches the memory of the process from a warm start on. */
async function exportFigures({ db, log, store, tree }: Opened): Promise<Figures> {
  const headStore = createLogHeadStore(db, { makeSigner: noteSigner, given: [] })
  const { signNow } = createLogHeads({ store, tree, log, heads: headStore, witnesses: [] })
  const exporter = createExporter({
    store,
    tree,
    log,
    signNow,
    heads: headStore,
    reveal: async (value) => value,
    now: () => new Date().toISOString(),
  })
  const filters = { white_label: null, space: null, actor: null, types: null, from: null, to: null }
  const run = async (limit: number | null): Promise<{ readonly bytes: number; readonly most: number }> => {
    let [bytes, most] = [0, 0]
    for await (const part of exporter({ after: 0n, upTo: null, limit, filters, personal: false })) {
      bytes += part.length
      most = Math.max(most, process.memoryUsage.rss())
    }
    return { bytes, most }
  }
  const { most: before } = await run(50_000)
  let found = { bytes: 0, most: 0 }
  const seconds = await timed(async () => (found = await run(null)))
  const { size } = await tree.state()
  return {
    export_per_s: Math.round(size / seconds),
    export_mb: Math.round(found.bytes / 1e6),
    export_rss_growth_mb: Math.round((found.most - before) / 1024 / 1024),
  }
}

/** Verifies a log whose chains are whole: events of the sizes that campaigns have, in streams of fifty. */
async function verifyFigures(url: string): Promise<Figures> {
  const opened = open(url)
  await appendSealed(opened.store, SEALED)
  await follow(opened)
  const deps = { store: opened.store, tree: opened.tree }
  const faults: string[] = []
  const verified = await timed(async () => {
    for await (const { message } of verifyLog(deps, 0n)) faults.push(message)
    for await (const { message } of verifyTiles(opened.tree)) faults.push(message)
  })
  if (faults.length > 0) throw new Error(faults[0])
  await opened.close()
  return { verify_events_per_s: Math.round(SEALED / verified) }
}

async function appendSealed(store: EventStore, count: number): Promise<void> {
  const life = await recordLife()
  const each = 50
  for (let first = 0; first < count; first += each * 40) {
    say(`${first} events stored`)
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => {
        const stream = `campaign-${derivedId('sealed', String(first), String(n))}`
        let hash = GENESIS
        const events = Array.from({ length: each }, (__, i) => {
          const { type, data, metadata, schemaVersion } = life[i % life.length] ?? {
            type: '',
            data: '',
            metadata: '',
            schemaVersion: 1,
          }
          const id = derivedId(stream, String(i))
          const text = metadata
            .replace(/,"hash":"[0-9a-f]{64}"\}$/, '}')
            .replace(/"previous_hash":"[0-9a-f]{64}"/, `"previous_hash":"${hash}"`)
          hash = hashOf(hash, { stream, version: i + 1, id, type, schemaVersion, data }, text)
          return { id, type, schemaVersion, data, metadata: sealed(text, hash) }
        })
        return store.append({ stream, expected: 0, events })
      }),
    )
  }
}

/** State at a revision, difference and blame of a campaign with a thousand revisions: from the store to the answer. */
async function readFigures(url: string): Promise<Figures> {
  const { store, close } = open(url)
  const commands = commandsOver(store)
  const id = derivedId('long campaign')
  const content = body('A long campaign')
  await commands.create(issue(derivedId('create')), {
    id,
    spaceId: derivedId('space'),
    whitelabelId: 'dsp',
    publish: false,
    source: null,
    patch: content,
    newIds: [],
  })
  for (let i = 1; i < REVISIONS; i++)
    await commands.update(id, issue(derivedId('update', String(i))), {
      patch: { name: `A long campaign ${i}`, budget: 50_000_000 + i },
      newIds: [],
      expected: null,
    })
  const read = () => store.readStream(streamOf(id))
  if (newestRevision(await read()) !== REVISIONS) throw new Error('the campaign has not all of its revisions')
  const [at, differed, blamed]: [number[], number[], number[]] = [[], [], []]
  const any = () => 1 + Math.floor(Math.random() * REVISIONS)
  for (let i = -10; i < READS; i++) {
    const times = [
      await timed(async () => stateAt(await read(), any())),
      await timed(async () => changesBetween(await read(), any(), any())),
      await timed(async () => blameOf(await read(), true)),
    ]
    // The first reads warm up the compiler.
    if (i < 0) continue
    at.push(times[0] ?? 0)
    differed.push(times[1] ?? 0)
    blamed.push(times[2] ?? 0)
  }
  await close()
  return { revisions: REVISIONS, at_p95_ms: p95(at), diff_p95_ms: p95(differed), blame_p95_ms: p95(blamed) }
}

const p95 = (seconds: readonly number[]): number => round(percentile(seconds, 0.95) * 1000)
