import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { root, startProductProcess } from '../support/product-process.ts'

/** The paths that the last stage of the Dockerfile takes from the build. */
async function copied(): Promise<readonly string[]> {
  const text = await readFile(join(root, 'deploy/Dockerfile'), 'utf8')
  const [, last = ''] = text.split(/^FROM .*$/m).slice(1)
  return [...last.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, from = '']) => from.split(' '))
}

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
    await mkdir(app)
    for (const path of await copied()) {
      const [from, to] = [join(root, path.replace('/app/', '')), join(app, path.replace('/app/', ''))]
      // Libraries are read where they are.
      await (path.endsWith('node_modules') ? symlink(from, to) : cp(from, to, { recursive: true }))
    }
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
