import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrateToLatest } from '#migrations/index'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { createKysely, createPool } from '#platform/database/pool'
import { demoTemplateOf, withDatabase } from './database-url.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the server all tests share, to its maintenance database. */
    postgresUrl: string
    /** Name of the migrated database that tests clone. */
    postgresTemplate: string
  }
}

/** One server and one migrated template per run, and the demo's template where a test asked for it. TEST_DATABASE_URL names a server to use instead of the embedded one. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startServer()
  const template = `placard_template_${process.pid}`
  const demo = demoTemplateOf(template)
  await run(server.url, `drop database if exists ${demo.template}`)
  await createTemplate(server.url, template)
  provide('postgresUrl', server.url)
  provide('postgresTemplate', template)
  return async () => {
    await run(server.url, `drop database ${template}`)
    await run(server.url, `drop database if exists ${demo.template}`)
    rmSync(demo.dataDir, { recursive: true, force: true })
    await server.stop()
  }
}

async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  if (given !== undefined) return { url: given, stop: async () => {} }
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-test-'))
  // Nothing here outlives the run; tests about durability start their own server with the durable defaults.
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }
  const server = await startEmbeddedPostgres({ dir, settings })
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { url: withDatabase(server.url, 'postgres'), stop }
}

async function createTemplate(url: string, template: string): Promise<void> {
  await run(url, `drop database if exists ${template}`)
  await run(url, `create database ${template}`)
  const db = createKysely(createPool(withDatabase(url, template), { max: 2, applicationName: 'placard-test-template' }))
  await migrateToLatest(db)
  await db.destroy()
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}
