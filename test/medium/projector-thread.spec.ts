import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { startProjectorThread } from '#api/roles/projector-thread'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { publishable, signIn } from '../support/product.ts'

let dataDir = ''
let database: TestDatabase
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'placard-thread-'))
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const config = (url: string) =>
  readConfig({
    DATABASE_URL: url,
    PLACARD_DATA_DIR: dataDir,
    PLACARD_DEMO: 'on',
    PLACARD_UNSAFE_DATABASE: 'on',
    PORT: '0',
    LOG_LEVEL: 'error',
  })

it('a product with a projector thread reads its own writes, reports its lag and stops', async () => {
  const product = await startProduct(config(database.url), { threads: true })
  try {
    const ada = await signIn(product.address ?? '', 'ada@nile.example')
    const { data, status } = await ada.call('POST', '/v1/campaign', await publishable(product.address ?? '', ada))
    expect(status).toBe(200)
    const list = await ada.call<{ data: readonly { id: string }[] }>('POST', '/v1/campaign/list/v2', {
      page: 0,
      page_size: 1,
      name: data.name,
    })
    expect(list.data.data.map(({ id }) => id)).toEqual([data.id])
    expect((await fetch(`${product.address}/health/ready`)).status).toBe(200)
  } finally {
    await product.stop()
  }
  const { rows } = await database.pool.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name like 'placard-%' and application_name <> 'placard-test'",
  )
  expect(rows).toEqual([{ n: 0 }])
})

it('a projector thread without a database rejects its start and ends', async () => {
  const nowhere = 'postgres://placard@127.0.0.1:1/placard'
  const deaths: Error[] = []
  const starting = startProjectorThread(
    { ...config(nowhere), databaseUrl: nowhere, dropped: new SharedArrayBuffer(4) },
    (error) => deaths.push(error),
  )
  await expect(starting).rejects.toThrow('DATABASE_URL: 127.0.0.1:1 refuses the connection')
  expect(deaths).toEqual([])
})
