import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateToLatest, MIGRATIONS } from '#migrations/index'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { createKysely, createPool } from '#platform/database/pool'
import { compileForTests } from './compile.ts'
import { demoTemplateOf, withDatabase } from './database-url.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the server all tests share, to its maintenance database. */
    postgresUrl: string
    /** Name of the migrated database that tests clone. */
    postgresTemplate: string
  }
}

type Shared = { readonly url: string; readonly template: string; readonly stop: () => Promise<void> }

/** Each project loads this file again, so what they share is kept by the process. */
const kept = globalThis as { placardTestServer?: { readonly server: Promise<Shared>; projects: number } }

/**
 * One server and one migrated template per run, whichever projects run, and the demo's template where a test asked for it.
 * TEST_DATABASE_URL names a server to use instead of the embedded one.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const shared = (kept.placardTestServer ??= { server: prepare(), projects: 0 })
  shared.projects += 1
  const { url, template, stop } = await shared.server
  provide('postgresUrl', url)
  provide('postgresTemplate', template)
  return async () => {
    shared.projects -= 1
    if (shared.projects > 0) return
    delete kept.placardTestServer
    await stop()
  }
}

async function prepare(): Promise<Shared> {
  const [server, removeCompiled] = await Promise.all([startServer(), compileForTests()])
  const template = `placard_template_${process.pid}`
  const demo = demoTemplateOf(template)
  await run(server.url, `drop database if exists ${demo.template}`)
  await createTemplate(server.url, template)
  mkdirSync(demo.files, { recursive: true })
  const stop = async () => {
    await run(server.url, `drop database ${template}`)
    await run(server.url, `drop database if exists ${demo.template}`)
    rmSync(demo.files, { recursive: true, force: true })
    removeCompiled()
    await server.stop()
  }
  return { url: server.url, template, stop }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined) return { url: given, stop: async () => {} }
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-test-'))
  // Nothing here outlives the run; tests about durability start their own server with the durable defaults.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }
  const server = await startEmbeddedPostgres({ dir, settings })
  await trustLocal(withDatabase(server.url, 'postgres'))
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { url: withDatabase(server.url, 'postgres'), stop }
}

/** A name, of no database, under which the server checks passwords. */
const CHECKED = 'checked'

/** Checking a password costs ten milliseconds of a core for each connection, and a product opens twenty. */
async function trustLocal(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ hba_file: string }>('show hba_file')
  const rules = [`host ${CHECKED} all 127.0.0.1/32 scram-sha-256`, 'host all all 127.0.0.1/32 trust', '']
  writeFileSync(rows[0]?.hba_file ?? '', rules.join('\n'))
  await client.query('select pg_reload_conf()')
  await client.end()
}

async function createTemplate(url: string, template: string): Promise<void> {
  await run(url, `drop database if exists ${template}`)
  await run(url, `create database ${template}`)
  const newer = process.env['TEST_SCHEMA_OF']
  if (newer !== undefined) await migrateBy(newer, withDatabase(url, template))
  const db = createKysely(createPool(withDatabase(url, template), { max: 2, applicationName: 'placard-test-template' }))
  await migrateToLatest(db)
  await db.destroy()
}

/**
 * The schema of another build, whose folder is `root`, for tests of this one (`npm run previous`). Its migrations that are unknown here are
 * removed from the list of those that ran: a process of this build that runs already does not read that list, and its start refuses.
 */
async function migrateBy(root: string, url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url, PLACARD_DEMO: 'off' }
  execFileSync(process.execPath, ['--import', 'tsx', 'api/cli/migrate.ts'], { cwd: root, env, stdio: 'inherit' })
  await run(url, 'delete from kysely_migration where not (name = any ($1))', [Object.keys(MIGRATIONS)])
}

async function run(url: string, statement: string, values: readonly unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement, [...values])
  await client.end()
}
