import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { faultsAfterDrill } from '../support/drill.ts'
import { databaseIn, nodeRuns, root, startProductProcess } from '../support/product-process.ts'
import { signIn } from '../support/product.ts'

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** The commit of the newest release, as the changelog names it. */
const released = /^## \d[^\n]* – \d[^\n]*\n\nCommit `([0-9a-f]{8,40})`/m.exec(
  readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
)?.[1]

function isHere(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

it('the changelog names the commit of its newest release', () => {
  expect(released).toBeDefined()
})

/** Calls before the upgrade, and after it. */
const CALLS = 100

it.skipIf(released === undefined || !isHere(released))(
  'a process of the release before answers every call while its database is upgraded, and after it',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'placard-before-'))
    const build = join(folder, 'build')
    git('worktree', 'add', '--detach', build, String(released))
    await symlink(join(root, 'node_modules'), join(build, 'node_modules'))
    const data = join(folder, 'data')
    // Its own server: it refuses the one of the tests, which may lose what it acknowledged.
    const { base, child } = await startProductProcess(['--import', 'tsx', join(build, 'api/main.ts')], data)
    const db = createKysely(createPool(await databaseIn(data), { max: 2, applicationName: 'upgrade' }))
    const ended = async (one: ChildProcess) => {
      if (one.exitCode !== null || one.signalCode !== null) return
      one.kill('SIGTERM')
      await once(one, 'exit')
    }
    onTestFinished(async () => {
      await db.destroy()
      await ended(child)
      git('worktree', 'remove', '--force', build)
      await rm(folder, { recursive: true, force: true })
    })

    const ada = await signIn(base, 'ada@nile.example')
    const body = { name: 'Upgrade', country: 'EG', budget: 50, bidding_strategy: { type: 'awareness' } }
    const { id } = (await ada.call<{ id: string }>('POST', '/v1/campaign', body)).data
    const calls = [
      (n: number) => ada.call('PUT', '/v1/campaign', { id, budget: 100 + n }),
      () => ada.call('POST', '/v1/campaign/list/v2', { pageSize: 25 }),
      () => ada.call('GET', `/v1/campaign/${id}`),
      () => ada.call('GET', '/v1/user/me'),
      () => ada.call('POST', '/v1/reports/total', { from_date: '2026-01-01', to_date: '2026-12-31' }),
    ]
    const answers: { readonly status: number; readonly retry: string | null }[] = []
    let isOver = false
    const lanes = calls.map(async (call) => {
      for (let n = 0; !isOver; n++) {
        const { status, headers } = await call(n)
        answers.push({ status, retry: headers.get('retry-after') })
      }
    })
    const until = async (count: number) => {
      while (answers.length < count) await Promise.race([...lanes, new Promise(setImmediate)])
    }
    await until(CALLS)
    await migrateToLatest(db)
    await until(answers.length + CALLS)
    isOver = true
    await Promise.all(lanes)
    expect(answers.filter(({ status, retry }) => status >= 500 && !(status === 503 && retry !== null))).toEqual([])
    expect(answers.slice(-CALLS / 2).map(({ status }) => status)).toEqual(Array.from({ length: CALLS / 2 }, () => 200))

    await db.destroy()
    await ended(child)
    const upgraded = await startProductProcess(nodeRuns('api/main.ts'), data)
    onTestFinished(() => ended(upgraded.child))
    expect(await faultsAfterDrill(await databaseIn(data), { PLACARD_DATA_DIR: data })).toEqual([])
  },
)
