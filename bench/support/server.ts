import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'

/** A durable PostgreSQL for measuring, kept between runs so that fact sets are made once. */
export type BenchServer = {
  readonly urlOf: (database: string) => string
  /** Makes a database, from a template if one is named; answers its connection string. */
  readonly create: (database: string, template?: string) => Promise<string>
  readonly databases: () => Promise<readonly string[]>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly drop: (database: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/placard-bench', import.meta.url))

/** BENCH_DATABASE_URL names a server to measure instead of the embedded one. */
async function startBenchServer(): Promise<BenchServer> {
  const given = process.env['BENCH_DATABASE_URL']
  const server = given === undefined ? await startEmbeddedPostgres({ dir: CACHE }) : { url: given, stop: async () => {} }
  const urlOf = (database: string): string => {
    const url = new URL(server.url)
    url.pathname = `/${database}`
    return url.href
  }
  async function ask(statement: string, values: readonly unknown[] = []) {
    const client = new Client({ connectionString: urlOf('postgres') })
    await client.connect()
    try {
      return await client.query(statement, [...values])
    } finally {
      await client.end()
    }
  }
  const drop = async (database: string) => {
    await ask(`drop database if exists ${database} with (force)`)
  }
  return {
    urlOf,
    create: async (database, template) => {
      await drop(database)
      await ask(`create database ${database}${template === undefined ? '' : ` template ${template} strategy file_copy`}`)
      await ask('checkpoint')
      return urlOf(database)
    },
    databases: async () => (await ask('select datname from pg_database')).rows.map((row) => String(row['datname'])),
    rename: async (from, to) => {
      await ask(`alter database ${from} rename to ${to}`)
    },
    drop,
    stop: () => server.stop(),
  }
}

/** Runs work on a server and stops the server afterwards, also on failure. */
export async function withServer<T>(work: (server: BenchServer) => Promise<T>): Promise<T> {
  const server = await startBenchServer()
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}
