import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProduct } from '#api/compose'
import { readConfig } from '#api/config'
import { createTestDatabase } from '../support/database.ts'
import { demoConfig } from '../support/demo-config.ts'
import { sessionOf } from '../support/product.ts'

test('a start without the demo makes a link for the first administrator, until an administrator can sign in', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-first-'))
  onTestFinished(async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const config = readConfig({
    DATABASE_URL: database.url,
    PLACARD_DATA_DIR: dataDir,
    PLACARD_DEMO: 'off',
    PLACARD_UNSAFE_DATABASE: 'on',
    PORT: '0',
    LOG_LEVEL: 'error',
  })
  const links: (string | undefined)[] = []
  // A second start, before the link was used, makes another one.
  for (let i = 0; i < 2; i++) {
    const product = await startProduct(config)
    links.push(product.setup?.link)
    expect(product.setup?.email).toBe('admin@placard.local')
    // Logs are read by many: the link is in a file that only the owner of the process reads.
    const kept = product.setup?.file ?? ''
    expect([await readFile(kept, 'utf8'), (await stat(kept)).mode & 0o777]).toEqual([`${product.setup?.link}\n`, 0o600])
    if (i === 1) {
      const token = links[1]?.split('/').at(-1)
      const stranger = sessionOf(product.address ?? '', '')
      expect((await stranger.call('POST', '/v1/registration/complete', { token, password: 'Kestrel-Quarry#58' })).code).toBe(0)
      const spent = await stranger.call('POST', '/v1/registration/complete', {
        token: links[0]?.split('/').at(-1),
        password: 'Walnut-Harbour#77',
      })
      expect(spent.code).toBe(162)
      const body = new URLSearchParams({ grant_type: 'password', username: 'admin@placard.local', password: 'Kestrel-Quarry#58' })
      expect((await fetch(`${product.address}/v1/oauth/token`, { method: 'POST', body })).status).toBe(200)
    }
    await product.stop()
  }
  expect(new Set(links).size).toBe(2)
  const later = await startProduct(config)
  expect(later.setup).toBeNull()
  expect(existsSync(join(dataDir, 'first-sign-in'))).toBe(false)
  await later.stop()
})

test('two first starts with the demo at once both come up', async () => {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'placard-twice-'))
  onTestFinished(async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const config = demoConfig({
    DATABASE_URL: database.url,
    PLACARD_DATA_DIR: dataDir,
    PLACARD_DEMO_DELIVERY: 'off',
    PLACARD_UNSAFE_DATABASE: 'on',
    PORT: '0',
    LOG_LEVEL: 'error',
  })
  const products = await Promise.all([startProduct(config), startProduct(config)])
  const { rows } = await database.pool.query("select count(*)::int as n from es.events where type = 'AudienceCreated'")
  expect(rows).toEqual([{ n: 3 }])
  await Promise.all(products.map((product) => product.stop()))
})
