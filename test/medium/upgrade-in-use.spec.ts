import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Kysely } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { Db } from '#migrations/db'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { createTestDatabase } from '../support/database.ts'
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

/** Everything that a schema is made of, as PostgreSQL writes it. */
async function schemaOf(db: Kysely<Db>): Promise<readonly string[]> {
  const { rows } = await sql<{ part: string }>`
    with own as (select oid from pg_namespace where nspname in ('es', 'identity', 'app', 'facts')),
      class as (select c.oid, c.oid::regclass::text as name, relkind, relacl, reloptions, relpersistence
        from pg_class c where relnamespace in (select oid from own) and not relispartition)
    select concat_ws(' ', name, relkind, (select string_agg(privilege_type, ' ' order by privilege_type) from aclexplode(relacl)), reloptions, relpersistence, pg_get_viewdef(oid)) as part from class where relkind <> 'i'
    union all
    select concat_ws(' ', name, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attstorage, collname,
      pg_get_expr(adbin, adrelid))
    from class join pg_attribute a on attrelid = class.oid left join pg_attrdef d on adrelid = attrelid and adnum = attnum
      left join pg_collation l on l.oid = attcollation
    where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v')
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) from pg_constraint c
    where conrelid in (select oid from class) and contype <> 'n'
    union all
    select pg_get_indexdef(indexrelid) from pg_index where indrelid in (select oid from class)
    union all
    select pg_get_functiondef(oid) from pg_proc where pronamespace in (select oid from own)
    union all
    select pg_get_triggerdef(oid) from pg_trigger where tgrelid in (select oid from class) and not tgisinternal
    order by 1`.execute(db)
  return rows.map(({ part }) => part.replaceAll(/\s+/g, ' '))
}

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

    const fresh = await createTestDatabase()
    onTestFinished(() => fresh.drop())
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
    expect(await schemaOf(db)).toEqual(await schemaOf(createKysely(fresh.pool)))
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
