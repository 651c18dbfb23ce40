import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { newId } from '#platform/ids'
import { appender, DATA, METADATA } from './append.ts'
import { closedLoop } from './support/load.ts'
import { median, round, say, type Figures } from './support/measure.ts'
import { withServer, type BenchServer } from './support/server.ts'

const CALLERS = [1, 64]
const ROUNDS = 5
const SECONDS = 2
/** Connections of each store, as many as the callers may use at once. */
const CONNECTIONS = 64
/** Events of a stream before its caller starts another. */
const EVENTS_OF_STREAM = 10
/** message-db locks a category while it writes: with one category its writers would queue. */
const CATEGORIES = 16

/** Installed for this bench alone: they are no dependencies of the product. */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/placard-peers', import.meta.url))
const PACKAGES = {
  '@event-driven-io/emmett': '0.42.0',
  '@event-driven-io/emmett-postgresql': '0.42.0',
  '@eventide/message-db': '1.3.1',
}

/** Appends one event at the expected version of the caller's own stream. */
type Append = (caller: number) => Promise<void>
type Peer = { readonly append: Append; readonly close: () => Promise<void> }

/**
 * Durable appends a second of single events with 620 bytes of data and 450 of metadata, by Placard's event store, emmett-postgresql
 * and message-db, each in its own database on one server, in alternating rounds.
 */
export const peers = (): Promise<Figures> =>
  withServer(async (server) => {
    install()
    const opened = {
      placard: await openPlacard(server),
      emmett: await openEmmett(server),
      message_db: await openMessageDb(server),
    }
    const rates = new Map<string, number[]>()
    for (const callers of CALLERS)
      for (let n = 1; n <= ROUNDS; n++)
        for (const [name, { append }] of Object.entries(opened)) {
          const key = `${name}_per_s_${callers}`
          const rate = await closedLoop(callers, SECONDS, append)
          rates.set(key, [...(rates.get(key) ?? []), rate])
          say(`${key} ${n}/${ROUNDS}: ${Math.round(rate)}`)
        }
    for (const peer of Object.values(opened)) await peer.close()
    for (const name of Object.keys(opened)) await server.drop(databaseOf(name))
    const figures = Object.fromEntries([...rates].map(([key, values]) => [key, Math.round(median(values))]))
    const over = (peer: string) =>
      round((figures['placard_per_s_64'] ?? Number.NaN) / (figures[`${peer}_per_s_64`] ?? Number.NaN))
    return { ...figures, over_emmett_64: over('emmett'), over_message_db_64: over('message_db') }
  })

const databaseOf = (name: string) => `peers_${name}_${process.pid}`

function install(): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), JSON.stringify({ private: true, dependencies: PACKAGES }))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function openPlacard(server: BenchServer): Promise<Peer> {
  const url = await server.create(databaseOf('placard'))
  const pool = createPool(url, { max: 4, applicationName: 'placard-bench', mayNest: true })
  await migrateToLatest(createKysely(pool))
  const store = createPostgresEventStore({ pool, url })
  return {
    append: appender(store),
    close: async () => {
      await store.close()
      await pool.end()
    },
  }
}

/** The part of emmett-postgresql's interface that is used. */
type Emmett = {
  readonly getPostgreSQLEventStore: (url: string) => {
    readonly appendToStream: (
      stream: string,
      events: readonly unknown[],
      options: { readonly expectedStreamVersion: unknown },
    ) => Promise<{ readonly nextExpectedStreamVersion: bigint }>
    readonly close: () => Promise<void>
  }
}

async function openEmmett(server: BenchServer): Promise<Peer> {
  const emmett = createRequire(join(FOLDER, 'package.json'))('@event-driven-io/emmett-postgresql') as Emmett
  const store = emmett.getPostgreSQLEventStore(await server.create(databaseOf('emmett')))
  const event = { type: 'Noted', data: JSON.parse(DATA) as unknown, metadata: JSON.parse(METADATA) as unknown }
  const places = new Map<number, { readonly stream: string; count: number; expected: unknown }>()
  return {
    async append(caller) {
      let place = places.get(caller)
      if (place === undefined || place.count === EVENTS_OF_STREAM)
        places.set(caller, (place = { stream: `bench-${newId()}`, count: 0, expected: 'STREAM_DOES_NOT_EXIST' }))
      const done = await store.appendToStream(place.stream, [event], { expectedStreamVersion: place.expected })
      place.count += 1
      place.expected = done.nextExpectedStreamVersion
    },
    close: () => store.close(),
  }
}

async function openMessageDb(server: BenchServer): Promise<Peer> {
  const url = await server.create(databaseOf('message_db'))
  const withPath = new URL(url)
  withPath.searchParams.set('options', '-c search_path=message_store,public')
  const pool = createPool(withPath.href, { max: CONNECTIONS, applicationName: 'placard-bench' })
  await installMessageDb(pool)
  const places = new Map<number, { readonly stream: string; version: number }>()
  return {
    async append(caller) {
      let place = places.get(caller)
      if (place === undefined || place.version === EVENTS_OF_STREAM - 1)
        places.set(caller, (place = { stream: `bench${caller % CATEGORIES}-${newId()}`, version: -1 }))
      await pool.query({
        name: 'write',
        text: 'select write_message($1, $2, $3, $4, $5, $6)',
        values: [newId(), place.stream, 'Noted', DATA, METADATA, place.version],
      })
      place.version += 1
    },
    close: () => pool.end(),
  }
}

/** Runs the package's SQL files in the order of its install script, without its role. */
async function installMessageDb(pool: Pool): Promise<void> {
  const base = join(FOLDER, 'node_modules/@eventide/message-db/database')
  const filesOf = (script: string) =>
    [...readFileSync(join(base, script), 'utf8').matchAll(/run_psql_file \$base\/(\S+\.sql)/g)].map((match) => match[1] ?? '')
  const files = [
    'schema/message-store.sql',
    'tables/messages.sql',
    ...filesOf('install-functions.sh'),
    ...filesOf('install-indexes.sh'),
  ]
  for (const file of files) await pool.query(readFileSync(join(base, file), 'utf8'))
}
