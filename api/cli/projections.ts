import { parseArgs } from 'node:util'
import type { EventStore } from '../../eventstore/event-store.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import { createClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createKysely } from '../../platform/database/pool.ts'
import { READ_MODELS } from '../../projections/read-models.ts'
import { lagOf, type Lag } from '../../projections/projector/lag.ts'
import { listParked, retryParked } from '../../projections/projector/parked.ts'
import type { ReadModel } from '../../projections/projector/read-model.ts'
import { rebuild, type Rebuilt, type RebuildOptions } from '../../projections/projector/rebuild.ts'
import { readConfig } from '../config.ts'
import { compareLog, openEventLog } from '../event-log.ts'

const USAGE = `Usage:
  npm run projections -- status                                   where every read model stands, and what is set aside
  npm run projections -- rebuild <name> [--shards n] [--force]    build it anew beside the live one, compare, and replace it
  npm run projections -- verify [name]                            build it anew and compare; nothing is replaced
  npm run projections -- retry <name>                             apply what is set aside again, stream by stream

Readers see the old rows until all new ones are there. A rebuild that comes out differently, or could not be compared, replaces
nothing, unless --force is given: nothing is compared then. The names are ${READ_MODELS.map(({ name }) => name).join(', ')}.`

type Tools = { readonly db: ReturnType<typeof createKysely<never>>; readonly store: EventStore }

/** Exit code 1 when something is set aside, differs, or could not be compared or done; 2 for a wrong call. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { shards: { type: 'string' }, force: { type: 'boolean' } },
  })
  const [command = '', name] = positionals
  const models = name === undefined ? READ_MODELS : READ_MODELS.filter((model) => model.name === name)
  const shards = values.shards === undefined ? undefined : Number(values.shards)
  const wrong =
    !['status', 'rebuild', 'verify', 'retry'].includes(command) ||
    models.length === 0 ||
    (['rebuild', 'retry'].includes(command) && name === undefined) ||
    (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= 64))
  if (wrong) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  const database = await openDatabase({ databaseUrl: config.databaseUrl ?? undefined, dataDir: config.dataDir, log: () => {} })
  const db = createKysely<never>(database.pool)
  try {
    await migrateToLatest(db)
    await compareLog(database.pool, config)
    const store = await openEventLog({ ...config, unsafeDatabase: true }, database)
    try {
      if (command === 'status') return await status({ db, store }, createClock(config.clockOffset)())
      if (command === 'retry') return await retry({ db, store }, models)
      const mode = command === 'verify' ? 'check' : values.force === true ? 'force' : 'replace'
      return await build({ db, store }, models, { mode, ...(shards === undefined ? {} : { shards }) })
    } finally {
      await store.close()
    }
  } finally {
    await database.stop()
  }
}

async function status({ db, store }: Tools, now: string): Promise<number> {
  const lags = await lagOf(db, store, READ_MODELS, now)
  const rows = lags.map((one) => [
    one.name,
    `generation ${one.generation}`,
    one.shards === 1 ? '1 shard' : `${one.shards} shards`,
    `${one.position} of ${one.head}`,
    one.seconds === 0 ? 'up to date' : `${one.seconds.toFixed(1)} s behind`,
    remarkOn(one),
  ])
  print(rows)
  const parked = await listParked(db)
  if (parked.length > 0) console.log(`\n${parked.length} set aside (npm run projections -- retry <name>):`)
  print(parked.map(({ name, stream, position, message }) => [name, stream, `from ${position}`, message]))
  return parked.length > 0 || lags.some(({ error }) => error !== null) ? 1 : 0
}

function remarkOn({ name, version, error, building }: Lag): string {
  const made = READ_MODELS.find((model) => model.name === name)?.version
  const remarks = [
    ...(version === made ? [] : [`of version ${version}, this build of the code makes ${made}`]),
    ...(error === null ? [] : [`stands still: ${error}`]),
    ...(building ? ['another is being built'] : []),
  ]
  return remarks.join('; ')
}

async function build({ db, store }: Tools, models: readonly ReadModel[], options: RebuildOptions): Promise<number> {
  const { mode = 'replace' } = options
  let failed = false
  for (const model of models) {
    const bar = progressBar(model.name)
    const began = Date.now()
    const result = await rebuild(db, store, model, { ...options, onProgress: bar.show })
    bar.end()
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    console.log(`${model.name}: ${sentence(result, model, mode)} (${seconds} s)`)
    for (const { table, missing, extra, changed } of result.differences)
      console.log(`  ${table}: ${changed} rows differ, ${missing} only in the old one, ${extra} only in the new one`)
    const { replaced, compared, differences } = result
    if (mode === 'check' ? !compared || differences.length > 0 : !replaced) failed = true
  }
  return failed ? 1 : 0
}

function sentence(result: Rebuilt, model: ReadModel, mode: RebuildOptions['mode']): string {
  const { replaced, live } = result
  const found = finding(result, model, mode)
  if (mode === 'check') return found
  if (!replaced) return `${found}; the old one stays`
  return `${found}; generation ${live?.generation} is live`
}

function finding({ compared, differences, replaced, live }: Rebuilt, model: ReadModel, mode: RebuildOptions['mode']): string {
  if (compared) return differences.length === 0 ? 'is the same, byte for byte' : 'came out differently'
  if (replaced) return mode === 'force' ? 'was not compared' : 'had no live one of this version to be compared with'
  if (live === null) return 'could not be compared: nothing is live yet'
  return live.version === model.version
    ? 'could not be compared: another one went live meanwhile, try again'
    : `could not be compared: version ${live.version} is live, this build of the code makes version ${model.version}`
}

async function retry({ db, store }: Tools, models: readonly ReadModel[]): Promise<number> {
  let failed = 0
  for (const model of models)
    for (const { stream } of await listParked(db, model.name)) {
      try {
        await retryParked(db, store, model, stream)
        console.log(`${model.name}: ${stream} goes on`)
      } catch (error) {
        failed += 1
        console.log(`${model.name}: ${stream} stays aside: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  return failed === 0 ? 0 : 1
}

/** On a terminal a bar that moves; elsewhere silence, so that logs stay readable. */
function progressBar(name: string) {
  const wide = 40
  const { stderr } = process
  return {
    show: (at: bigint, of: bigint) => {
      if (!stderr.isTTY) return
      const part = of === 0n ? 1 : Number(at) / Number(of)
      const full = Math.round(Math.min(1, part) * wide)
      stderr.write(`\r${name} [${'█'.repeat(full)}${'░'.repeat(wide - full)}] ${(part * 100).toFixed(0)} %  ${at} of ${of}`)
    },
    end: () => {
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}

/** Columns as wide as their widest cell. */
function print(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
