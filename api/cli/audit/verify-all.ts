import { pino } from 'pino'
import type { Kysely } from 'kysely'
import { createStops } from '#api/process/stops'
import { logStoresOf } from '#api/areas/audit/area'
import { createTransparencyLog } from '#commands/audit/transparency-log'
import type { Config } from '#api/config'
import { reconcile } from '#api/reconciliation/reconcile'
import { openFacts } from '#api/wiring/fact-store'
import { openFileStore } from '#api/wiring/file-store'
import type { LogTreeStore } from '#commands/audit/log-port'
import { verifyHeads } from '#commands/audit/verify-heads'
import { verifyLog, verifyTiles, type LogProgress } from '#commands/audit/verify-log'
import { faultsOfSnapshot } from '#commands/snapshot-faults'
import { fromMicros } from '#domain/kit/money'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createKysely, createPool } from '#platform/database/pool'
import { createDiskFiles } from '#platform/files/disk-files'
import { faultsOfFiles } from '#platform/files/file-faults'
import { createS3Files } from '#platform/files/s3-files'
import { createSnapshotStore, snapshotStreams } from '#platform/log/snapshot-store'
import { BUILD_LIMITS } from '#projections/projector/rebuild'
import { together } from '#projections/projector/shared-scan'
import { verify as verifyModel } from '#projections/projector/verify'
import { READ_MODELS } from '#projections/read-models'
import { ledgerChecks } from '../ledger-checks.ts'
import { onLog } from '../opened.ts'
import { openState, type Fault, type VerifyState } from './verify-state.ts'

export type VerifyAllOptions = {
  readonly from?: string | undefined
  readonly state?: string | undefined
  readonly json?: boolean | undefined
}

/** Read models follow the log within a second. */
const SETTLE_MS = 2000
/** Progress is printed, and kept, this often, milliseconds. */
const PRINT_MS = 2000
/** Attempts at comparing a read model whose live generation changes meanwhile. */
const ATTEMPTS = 3

type Tools = {
  readonly config: Config
  readonly db: Kysely<Db>
  readonly store: EventStore
  readonly url: string
  readonly state: VerifyState
}
/** Yields what differs; `counted` says how much was compared so far. */
type Check = (tools: Tools, counted: (count: number) => void) => AsyncGenerator<Fault>

/** Verifications by name, in order. */
const CHECKS: readonly (readonly [name: string, of: string, check: Check])[] = [
  ['log', 'events', log],
  ['tree', 'tiles and heads', tree],
  ['snapshots', 'streams', snapshots],
  ['read-models', 'read models', readModels],
  ['ledger', 'accounts', ledger],
  ['files', 'files', files],
]

/**
 * Verifies everything that is stored, and names whatever was changed. Exit code 0 when all is valid, 1 with faults, 3 when something could
 * not be read. Changes nothing but a state file, by which the next call goes on where an interrupted one was.
 */
export async function verifyAll(config: Config, { from, state: file, json = false }: VerifyAllOptions): Promise<number> {
  const state = await openState(file, BigInt(from ?? 0))
  const say = (value: object, text: string) => process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text}\n`)
  for (const fault of state.faults()) say({ fault }, textOf(fault))
  let unread = false
  await onLog(config, async (db, store, url) => {
    for (const [name, of, check] of CHECKS) {
      if (state.isDone(name)) continue
      const began = Date.now()
      let [count, printed, found] = [0, began, 0]
      const counted = (so: number) => {
        count = so
        if (Date.now() - printed < PRINT_MS) return
        printed = Date.now()
        process.stderr.write(`${name}: ${count} ${of}\n`)
      }
      try {
        for await (const fault of check({ config, db, store, url, state }, counted)) {
          found += 1
          await state.found(fault)
          say({ fault }, textOf(fault))
        }
        await state.done(name)
        const seconds = (Date.now() - began) / 1000
        say(
          { checked: { check: name, count, faults: found, seconds } },
          `${name}: ${count} ${of}, ${found} faults (${seconds.toFixed(1)} s)`,
        )
      } catch (error) {
        unread = true
        const message = error instanceof Error ? error.message : String(error)
        process.stderr.write(`${name} could not be read: ${message}\n`)
        say({ unread: { check: name, message } }, `${name}: could not be read`)
      }
    }
  })
  const faults = state.faultCount()
  say(
    { valid: faults === 0 && !unread, faults },
    faults === 0 ? (unread ? 'not everything could be read' : 'valid') : `${faults} faults`,
  )
  if (!unread) await state.remove()
  return faults > 0 ? 1 : unread ? 3 : 0
}

const textOf = ({ check, message }: Fault): string => `${check}: ${message}`

/** Every event against the one before it in its stream, and against its leaf. */
async function* log({ config, db, store, state }: Tools, counted: (count: number) => void): AsyncGenerator<Fault> {
  const { position, events } = state.at()
  const onPage = async (progress: LogProgress) => {
    const all = { position: progress.position, events: events + progress.events }
    await state.goOn(all)
    counted(all.events)
  }
  yield* verifyLog({ store, tree: logStoresOf({ config, db }).tree, onPage }, position)
}

/** The tiles against each other, and every signed head against the tree. */
async function* tree({ config, db, store }: Tools, counted: (count: number) => void): AsyncGenerator<Fault> {
  const stores = logStoresOf({ config, db })
  const { log: treeOf } = createTransparencyLog({ config, store }, stores)
  const witnesses = config.transparency.witnesses.map(({ key }) => key)
  let count = 0
  const counting: Pick<LogTreeStore, 'state' | 'tiles'> = {
    ...stores.tree,
    tiles: async (addresses) => {
      counted((count += addresses.length))
      return stores.tree.tiles(addresses)
    },
  }
  yield* verifyTiles(counting)
  yield* verifyHeads({ heads: stores.heads, tree: stores.tree, log: treeOf, witnesses })
}

/** Every snapshot against the events that it stands for. */
async function* snapshots({ db, store }: Tools, counted: (count: number) => void): AsyncGenerator<Fault> {
  const deps = { snapshots: createSnapshotStore(db), store }
  let count = 0
  for (let after = ''; ;) {
    const streams = await snapshotStreams(db, after, 500)
    for (const stream of streams) {
      after = stream
      for (const message of await faultsOfSnapshot(deps, stream))
        yield { check: 'snapshots', stream, message: `${stream}: ${message}` }
      counted((count += 1))
    }
    if (streams.length < 500) return
  }
}

/** Every row of every read model against one that is built from the log beside it. */
async function* readModels({ store, url }: Tools, counted: (count: number) => void): AsyncGenerator<Fault> {
  const pool = createPool(url, { max: 4, applicationName: 'placard-verify', limits: BUILD_LIMITS })
  const unread: string[] = []
  let count = 0
  try {
    const db = createKysely(pool)
    const found = await together(store, READ_MODELS, async (model, shared) => {
      let verified = await verifyModel(db, shared, model)
      for (let attempt = 1; attempt < ATTEMPTS && verified.kind === 'changed'; attempt++)
        verified = await verifyModel(db, store, model)
      counted((count += 1))
      if (verified.kind !== 'compared') {
        unread.push(model.name)
        return []
      }
      return verified.differences.flatMap(({ table, rows, missing, extra, changed }): readonly Fault[] => [
        ...rows.map(({ key, kind, columns }) => ({
          check: 'read-models',
          model: model.name,
          table: `rm_${table}`,
          key: [...key],
          columns: [...columns],
          message: `rm_${table} ${key.join(' ')} ${SAYS[kind]}${kind === 'changed' ? ` in ${columns.join(', ')}` : ''}`,
        })),
        ...(missing + extra + changed > rows.length
          ? [
              {
                check: 'read-models',
                model: model.name,
                table: `rm_${table}`,
                message: `rm_${table}: ${missing + extra + changed} rows differ`,
              },
            ]
          : []),
      ])
    })
    yield* found.flat()
  } finally {
    await pool.end()
  }
  if (unread.length > 0) throw new Error(`${unread.join(', ')}: no live rows of this version to compare`)
}

const SAYS = {
  'only-live': 'is not in the log',
  'only-log': 'is missing',
  changed: 'is not what the log says',
} as const

/** The ledger of every account against charges, delivered facts, screens and invoices. */
async function* ledger({ config, db, store }: Tools, counted: (count: number) => void): AsyncGenerator<Fault> {
  const stops = createStops()
  try {
    const { facts } = await openFacts(config, { db, stops, logger: pino({ level: 'silent' }) })
    let count = 0
    for await (const { differences } of reconcile(
      { db, store, checks: ledgerChecks(db, store, facts), settleMs: SETTLE_MS },
      null,
    )) {
      counted((count += 1))
      for (const { space_id, check, id, ledger: own, against, other } of differences)
        yield {
          check: 'ledger',
          space_id,
          id,
          message: `${space_id}: ${check} ${id}: ${fromMicros(own)}, but ${fromMicros(other)} in ${against}`,
        }
    }
  } finally {
    await stops.run()
  }
}

/** Stored files against their hashes. */
async function* files({ config, db }: Tools, counted: (count: number) => void): AsyncGenerator<Fault> {
  const stops = createStops()
  try {
    const adapters = { folder: createDiskFiles, s3: createS3Files }
    const { blobs } = await openFileStore(config, { adapters, logger: pino({ level: 'silent' }), stops })
    let count = 0
    for await (const { file, sha256, message } of faultsOfFiles(db, blobs, () => counted((count += 1))))
      yield { check: 'files', file, sha256, message }
  } finally {
    await stops.run()
  }
}
