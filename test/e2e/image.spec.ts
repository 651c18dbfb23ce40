import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { installImage } from '../support/image.ts'
import { startProductProcess } from '../support/product-process.ts'

describe('the image', () => {
  let folder: string
  let database: TestDatabase
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'placard-image-'))
    database = await createTestDatabase()
  })
  afterAll(async () => {
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })

  it('starts and serves the application, its help and the API from what its Dockerfile copies', async () => {
    const app = join(folder, 'app')
    await installImage(app)
    const dataDir = join(folder, 'data')
    const { base, child } = await startProductProcess([join(app, 'dist/server/api/main.js')], dataDir, {
      DATABASE_URL: database.url,
      PLACARD_UNSAFE_DATABASE: 'on',
      PLACARD_DEMO: 'off',
      NODE_ENV: 'production',
    })
    try {
      const statusOf = async (path: string) => (await fetch(`${base}${path}`)).status
      expect(await statusOf('/health/live')).toBe(200)
      expect(await statusOf('/health/ready')).toBe(200)
      expect(await (await fetch(base)).text()).toContain('<div id="root"')
      expect(await statusOf('/help')).toBe(200)
      expect(await statusOf('/v1/user/me')).toBe(401)
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    }
  })
})
