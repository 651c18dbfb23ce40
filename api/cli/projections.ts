import type { Kysely } from 'kysely'
import type { EventStore } from '#eventstore/event-store'
import type { Db } from '#migrations/db'
import { createClock } from '#platform/clock'
import { READ_MODELS } from '#projections/read-models'
import { createKysely, createPool } from '#platform/database/pool'
import { lagOf, type Lag } from '#projections/projector/lag'
import { listParked, retryParked } from '#projections/projector/parked'
import { buildProgress, progressText, type BuildProgress } from '#projections/projector/build-progress'
import type { ReadModel } from '#projections/projector/read-model'
import { BUILD_LIMITS, rebuild, type BuildOptions } from '#projections/projector/rebuild'
import { together } from '#projections/projector/shared-scan'
import { verify, type Verified } from '#projections/projector/verify'
import { readConfig } from '../config.ts'
import { readArguments } from './arguments.ts'
import { onLog } from './opened.ts'
import { runTool } from './run-tool.ts'

const USAGE = `Usage:
  npm run projections -- status                      position and lag of every read model, and its parked streams
  npm run projections -- rebuild [name] [--force]    rebuild it, or all together, from the log, then replace the live rows
  npm run projections -- verify [name]               rebuild it from the log and compare it with the live rows; changes nothing
  npm run projections -- retry <name>                apply its parked streams again, one by one

Readers see the old rows until the new ones are complete. A rebuild fails when more than 100 streams cannot be applied or a newer
version is live, unless --force is given. Names: ${READ_MODELS.map(({ name }) => name).join(', ')}.`

type Tools = { readonly db: Kysely<Db>; readonly store: EventStore }

/** Least and most number of names of each command. */
const NAMES: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['status', [0, 0]],
  ['rebuild', [0, 1]],
  ['verify', [0, 1]],
  ['retry', [1, 1]],
])

/** Exit code 1 when streams are parked, rows differ, or something could not be done; 2 for a wrong call. */
async function main(): Promise<number> {
  const parsed = readArguments({ allowPositionals: true, options: { force: { type: 'boolean' } } })
  const { positionals: [command = '', ...names] = [], values = {} } = parsed ?? {}
  const allowed = NAMES.get(command)
  const models = names.length === 0 ? READ_MODELS : READ_MODELS.filter(({ name }) => names.includes(name))
  if (allowed === undefined || names.length < allowed[0] || names.length > allowed[1] || models.length === 0) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  return onLog(config, async (db, store, url) => {
    if (command === 'status') return status({ db, store }, createClock(config.clockOffset)())
    const pool = createPool(url, { max: 4, applicationName: 'placard-builds', limits: BUILD_LIMITS })
    const tools = { db: createKysely(pool), store }
    try {
      // Reads the log inside its transactions: not on the pool of the log.
      if (command === 'retry') return await retry(tools, models)
      return await buildEach(store, models, (model, log, options) =>
        command === 'verify'
          ? verifyOne({ ...tools, store: log }, model, options)
          : rebuildOne({ ...tools, store: log }, model, options, values.force === true),
      )
    } finally {
      await pool.end()
    }
  })
}

async function status({ db, store }: Tools, now: string): Promise<number> {
  const lags = await lagOf(db, store, READ_MODELS, now)
  const rows = lags.map((one) => [
    one.name,
    `generation ${one.generation}`,
    `${one.position} of ${one.head}`,
    one.seconds === 0 ? 'up to date' : `${one.seconds.toFixed(1)} s behind`,
    remarkOn(one),
  ])
  print(rows)
  const parked = await listParked(db)
  if (parked.length > 0) console.log(`\n${parked.length} parked. Apply them again with npm run projections -- retry <name>:`)
  print(parked.map(({ name, stream, position, message }) => [name, stream, `from ${position}`, message]))
  return parked.length > 0 || lags.some(({ error }) => error !== null) ? 1 : 0
}

function remarkOn({ name, version, error, built, head }: Lag): string {
  const made = READ_MODELS.find((model) => model.name === name)?.version
  const remarks = [
    ...(version === made ? [] : [`version ${version} is live, but this build makes version ${made}`]),
    ...(error === null ? [] : [`stopped: ${error}`]),
    ...(built === null ? [] : [`a new generation is being built: ${built} of ${head}`]),
  ]
  return remarks.join('; ')
}

/** Runs the work for all read models together, with their progress; returns the exit code. */
async function buildEach(
  store: EventStore,
  models: readonly ReadModel[],
  work: (
    model: ReadModel,
    store: EventStore,
    options: BuildOptions,
  ) => Promise<{ readonly isDone: boolean; readonly lines: readonly string[] }>,
): Promise<number> {
  const bar = progressBar(models)
  const results = await together(store, models, async (model, log) => {
    const began = Date.now()
    try {
      const onProgress = (at: bigint, of: bigint) => bar.show(model.name, buildProgress(at, of, began))
      const { isDone, lines } = await work(model, log, { onProgress }).finally(() => bar.end(model.name))
      const [finding, ...details] = lines
      console.log(`${model.name}: ${finding} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
      for (const line of details) console.log(`  ${line}`)
      return isDone
    } catch (error) {
      console.log(`${model.name}: could not be built: ${messageOf(error)}`)
      return false
    }
  })
  return results.every((isDone) => isDone) ? 0 : 1
}

async function rebuildOne({ db, store }: Tools, model: ReadModel, options: BuildOptions, force: boolean) {
  const { replaced, live, parked } = await rebuild(db, store, model, { ...options, mode: force ? 'force' : 'replace' })
  const lines = [
    replaced ? `generation ${live?.generation} is live` : `was not replaced: ${otherVersion(live?.version, model)}`,
    ...(parked.length > 0 ? [`${parked.length} parked. Apply them again with npm run projections -- retry ${model.name}:`] : []),
    ...parked.map(({ stream, message }) => `${stream}  ${message}`),
  ]
  return { isDone: replaced && parked.length === 0, lines }
}

async function verifyOne({ db, store }: Tools, model: ReadModel, options: BuildOptions) {
  const verified = await verify(db, store, model, options)
  const isDone = verified.kind === 'compared' && verified.differences.length === 0
  return { isDone, lines: findingOf(verified, model) }
}

function findingOf(verified: Verified, model: ReadModel): readonly string[] {
  if (verified.kind === 'none-live') return ['could not be compared: no generation is live yet']
  if (verified.kind === 'other-version') return [`could not be compared: ${otherVersion(verified.version, model)}`]
  if (verified.kind === 'changed') return ['could not be compared: the live generation changed during the comparison; try again']
  if (verified.differences.length === 0) return ['matches the log']
  const differences = verified.differences.map(
    ({ table, missing, extra, changed }) =>
      `${table}: ${changed} rows differ, ${missing} only in the live one, ${extra} only in the new one`,
  )
  return ['differs from the log', ...differences]
}

const otherVersion = (version: number | undefined, model: ReadModel): string =>
  `version ${version} is live, but this build makes version ${model.version}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function retry({ db, store }: Tools, models: readonly ReadModel[]): Promise<number> {
  let failed = 0
  for (const model of models)
    for (const { stream } of await listParked(db, model.name)) {
      try {
        await retryParked(db, store, model, stream)
        console.log(`${model.name}: ${stream} is no longer parked`)
      } catch (error) {
        failed += 1
        console.log(`${model.name}: ${stream} stays parked: ${messageOf(error)}`)
      }
    }
  return failed === 0 ? 0 : 1
}

/** Characters of the bar. */
const WIDE = 40
/** How often progress is printed where there is no terminal. */
const PRINT_MS = 10_000

/** The build that is furthest behind, as a bar on a terminal and as a line every ten seconds elsewhere. */
function progressBar(models: readonly ReadModel[]) {
  const { stderr } = process
  const running = new Map<string, BuildProgress>(models.map(({ name }) => [name, { percent: 0, secondsLeft: null }]))
  let printed = Date.now()
  return {
    show: (name: string, progress: BuildProgress) => {
      running.set(name, progress)
      const [last, behind] = [...running].reduce((a, b) => (b[1].percent < a[1].percent ? b : a))
      if (stderr.isTTY) {
        const full = Math.round((behind.percent / 100) * WIDE)
        stderr.write(`\r\x1b[K${last} [${'█'.repeat(full)}${'░'.repeat(WIDE - full)}] ${progressText(behind)}`)
      } else if (Date.now() - printed >= PRINT_MS) {
        printed = Date.now()
        stderr.write(`${last}: ${progressText(behind)}\n`)
      }
    },
    end: (name: string) => {
      running.delete(name)
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}

/** Prints columns as wide as their widest cell. */
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

void runTool(main)
