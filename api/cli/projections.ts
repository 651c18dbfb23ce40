import type { Kysely } from 'kysely'
import type { EventStore } from '../../eventstore/event-store.ts'
import { createClock } from '../../platform/clock.ts'
import { READ_MODELS } from '../../projections/read-models.ts'
import { lagOf, type Lag } from '../../projections/projector/lag.ts'
import { listParked, retryParked } from '../../projections/projector/parked.ts'
import type { ReadModel } from '../../projections/projector/read-model.ts'
import { rebuild, type Rebuilt, type RebuildOptions } from '../../projections/projector/rebuild.ts'
import { readConfig } from '../config.ts'
import { readArguments } from './arguments.ts'
import { onLog } from './opened.ts'

const USAGE = `Usage:
  npm run projections -- status                                   where every read model stands, and what is set aside
  npm run projections -- rebuild <name> [--shards n] [--force]    build it anew beside the live one, compare, and replace it
  npm run projections -- verify [name]                            build it anew and compare; nothing is replaced
  npm run projections -- retry <name>                             apply what is set aside again, stream by stream

Readers see the old rows until all new ones are there. A rebuild that comes out differently, or could not be compared, replaces
nothing, unless --force is given: nothing is compared then. The names are ${READ_MODELS.map(({ name }) => name).join(', ')}.`

type Tools = { readonly db: Kysely<never>; readonly store: EventStore }

/** How many names each command takes, at least and at most. */
const NAMES: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ['status', [0, 0]],
  ['rebuild', [1, 1]],
  ['verify', [0, 1]],
  ['retry', [1, 1]],
])

/** Exit code 1 when something is set aside, differs, or could not be compared or done; 2 for a wrong call. */
async function main(): Promise<number> {
  const said = readArguments({
    allowPositionals: true,
    options: { shards: { type: 'string' }, force: { type: 'boolean' } },
  })
  const { positionals: [command = '', ...names] = [], values = {} } = said ?? {}
  const taken = NAMES.get(command)
  const models = names.length === 0 ? READ_MODELS : READ_MODELS.filter(({ name }) => names.includes(name))
  const shards = values.shards === undefined ? undefined : Number(values.shards)
  const wrong =
    taken === undefined ||
    names.length < taken[0] ||
    names.length > taken[1] ||
    models.length === 0 ||
    (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= 64))
  if (wrong) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  return onLog(config, (db, store) => {
    if (command === 'status') return status({ db, store }, createClock(config.clockOffset)())
    if (command === 'retry') return retry({ db, store }, models)
    const mode = command === 'verify' ? 'check' : values.force === true ? 'force' : 'replace'
    return build({ db, store }, models, { mode, ...(shards === undefined ? {} : { shards }) })
  })
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

async function build(tools: Tools, models: readonly ReadModel[], options: RebuildOptions): Promise<number> {
  let isDone = true
  for (const model of models) {
    try {
      isDone = (await buildOne(tools, model, options)) && isDone
    } catch (error) {
      isDone = false
      console.log(`${model.name}: could not be built: ${messageOf(error)}`)
    }
  }
  return isDone ? 0 : 1
}

/** Whether it came out as it was to. */
async function buildOne({ db, store }: Tools, model: ReadModel, options: RebuildOptions): Promise<boolean> {
  const { mode = 'replace' } = options
  const bar = progressBar(model.name)
  const began = Date.now()
  const result = await rebuild(db, store, model, { ...options, onProgress: bar.show }).finally(bar.end)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(`${model.name}: ${sentence(result, model, mode)} (${seconds} s)`)
  const { replaced, compared, differences, aside } = result
  for (const { table, missing, extra, changed } of differences)
    console.log(`  ${table}: ${changed} rows differ, ${missing} only in the old one, ${extra} only in the new one`)
  if (aside.length > 0) console.log(`  ${aside.length} set aside, ${whereAside(result)}:`)
  for (const { stream, message } of aside) console.log(`  ${stream}  ${message}`)
  return aside.length === 0 && (mode === 'check' ? compared && differences.length === 0 : replaced)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

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
    ? 'could not be compared: what is live changed meanwhile, try again'
    : `could not be compared: version ${live.version} is live, this build of the code makes version ${model.version}`
}

const whereAside = ({ replaced, compared, differences, live }: Rebuilt): string => {
  if (replaced) return `and in what is live now (npm run projections -- retry ${live?.name})`
  return compared && differences.length === 0 ? 'in the new one as in the old one' : 'in the new one'
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
        console.log(`${model.name}: ${stream} stays aside: ${messageOf(error)}`)
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
