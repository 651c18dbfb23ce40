import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { migrateToLatest } from '#migrations/index'
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres'
import { createKysely, createPool } from '#platform/database/pool'
import { type Child, startChild } from '../support/child.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually, readToHead } from '../support/events.ts'

const writer = new URL('../support/event-writer.ts', import.meta.url)
const ACKNOWLEDGED = 600

/** Every acknowledged event is stored once, and streams have no gaps. Unacknowledged events may be stored too. */
async function verify(url: string, acknowledged: readonly string[]): Promise<void> {
  const pool = createPool(url, { max: 4, applicationName: 'placard-test' })
  const store = createPostgresEventStore({ pool, url })
  try {
    const stored = await readToHead(store, 0n, 1000)
    const lines = stored.map((event) => `${event.stream} ${event.version} ${event.id}`)
    expect(acknowledged.length).toBeGreaterThanOrEqual(ACKNOWLEDGED)
    expect(acknowledged.filter((line) => !lines.includes(line))).toEqual([])
    expect(new Set(stored.map((event) => event.id)).size).toBe(stored.length)
    const versions = new Map<string, number>()
    for (const { stream, version } of stored) {
      expect(version).toBe((versions.get(stream) ?? 0) + 1)
      versions.set(stream, version)
    }
  } finally {
    await store.close()
    await pool.end()
  }
}

/** Complete lines only: the kill may have truncated the last one. */
const whole = (child: Child): string[] => child.lines.filter((line) => /^\S+ \d+ [0-9a-f-]{36}$/.test(line))

test('kill -9 of the writer: every acknowledged event is stored once', async () => {
  const database = await createTestDatabase()
  const child = startChild(writer, [database.url])
  await eventually(() => child.lines.length > ACKNOWLEDGED)
  await child.kill()
  await verify(database.url, whole(child))
  await database.drop()
})

test('kill -9 of the whole server: every acknowledged event is stored once', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'placard-kill-'))
  const server = await startEmbeddedPostgres({ dir })
  const db = createKysely(createPool(server.url, { max: 1, applicationName: 'placard-test' }))
  await migrateToLatest(db)
  await db.destroy()
  const child = startChild(writer, [server.url])
  await eventually(() => child.lines.length > ACKNOWLEDGED)
  const backends = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
  for (const pid of [server.pid, ...backends.trim().split(/\s+/).map(Number)]) process.kill(pid, 'SIGKILL')
  await child.kill()
  const restarted = await startEmbeddedPostgres({ dir })
  await verify(restarted.url, whole(child))
  await server.stop()
  await restarted.stop()
  rmSync(dir, { recursive: true, force: true })
})
