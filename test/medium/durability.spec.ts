import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { unsafeSettings } from '#eventstore/postgres/durability'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { createPool } from '#platform/database/pool'
import { startStandIn } from '../support/kurrent/stand-in.ts'

it('refuses a server without durable commits with one line, for every event store, unless it is allowed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'placard-durability-'))
  const server = await startEmbeddedPostgres({
    dir: join(dir, 'postgres'),
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' },
  })
  try {
    const env = { DATABASE_URL: server.url, PLACARD_DATA_DIR: dir, PLACARD_ROLE: 'policies', LOG_LEVEL: 'silent' }
    await expect(startProduct(readConfig(env))).rejects.toThrow(
      'DATABASE_URL: this server may lose acknowledged writes: turn on fsync, full_page_writes, synchronous_commit',
    )
    // Keys of users, sessions and files are always in PostgreSQL, for every event store.
    const elsewhere = await startStandIn()
    await expect(startProduct(readConfig({ ...env, EVENT_STORE_URL: elsewhere.url }))).rejects.toThrow(
      'DATABASE_URL: this server may lose acknowledged writes: turn on fsync, full_page_writes, synchronous_commit',
    )
    await elsewhere.stop()
    const wanted = await startProduct(readConfig({ ...env, PLACARD_UNSAFE_DATABASE: 'on' }))
    await wanted.stop()
  } finally {
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
})

it('starts the embedded server with durable settings', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'placard-durability-'))
  const server = await startEmbeddedPostgres({ dir })
  const pool = createPool(server.url, { max: 1, applicationName: 'placard-test' })
  expect(await unsafeSettings(pool)).toEqual([])
  await pool.end()
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})
