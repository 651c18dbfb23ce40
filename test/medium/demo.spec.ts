import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { createTestDatabase } from '../support/database.ts'
import { eventually, signIn } from '../support/product.ts'

it('creates the demo once: a second start adds no event, file or user', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-demo-'))
  const counts = async () => {
    const { rows } = await database.pool.query<Record<string, number>>(
      `select (select count(*)::int from es.events) as events, (select count(*)::int from app.files) as files,
              (select count(*)::int from identity.people) as people`,
    )
    return rows[0] ?? {}
  }
  const config = readConfig({
    DATABASE_URL: database.url,
    PLACARD_DATA_DIR: dataDir,
    PLACARD_DEMO: 'on',
    // The delivery of 90 days goes on in the background, and a second start continues it.
    PLACARD_DEMO_DELIVERY: 'off',
    PLACARD_UNSAFE_DATABASE: 'on',
    PORT: '0',
    LOG_LEVEL: 'error',
  })
  try {
    const first = await startProduct(config)
    const ada = await signIn(first.address ?? '', 'ada@nile.example')
    type List = { data: { name: string; status_key: number }[] }
    const statuses = async () =>
      Object.fromEntries(
        (await ada.call<List>('POST', '/v1/campaign/list/v2', { pageSize: 50 })).data.data.map((row) => [
          row.name,
          row.status_key,
        ]),
      )
    // The first sweep of the clock policy records a flight that ended before the start.
    const seen = await eventually(statuses, (found) => found['Summer early booking'] === 43)
    expect([...new Set(Object.values(seen))].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 5, 6, 40, 41, 43])
    await first.stop()
    const before = await counts()
    const second = await startProduct(config)
    await second.stop()
    expect(await counts()).toEqual(before)
  } finally {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
