import { afterAll, beforeAll, expect, it } from 'vitest'
import { MIGRATIONS } from '#migrations/index'
import { runTool } from '../support/command-line.ts'
import { databaseBefore, type OldDatabase } from '../support/upgrade.ts'

/** The newest migration, and the one before it. */
const [BEFORE = '', NEWEST = ''] = Object.keys(MIGRATIONS).slice(-2)

let old: OldDatabase
let url: string
beforeAll(async () => {
  old = await databaseBefore(BEFORE)
  url = old.url
})
afterAll(() => old.drop())

const migrate = (...args: readonly string[]) => runTool('api/cli/migrate.ts', args, url)

it('brings a database of an older version up to date, once, also when two run at once', async () => {
  const both = await Promise.all([migrate(), migrate()])
  expect(both.map(({ code }) => code)).toEqual([0, 0])
  expect(both.map(({ out }) => out).toSorted()).toEqual([
    'The database is up to date.\n',
    `These migrations ran: ${BEFORE}, ${NEWEST}\n`,
  ])
  expect(await migrate()).toMatchObject({ code: 0, out: 'The database is up to date.\n' })
})

it('refuses what it does not know, and a database of a newer version, with one line', async () => {
  expect(await migrate('now')).toMatchObject({ code: 2 })
  await old.pool.query(`insert into kysely_migration (name, timestamp) values ('9999_later', '2030-01-01')`)
  const { code, err } = await migrate()
  expect(code).toBe(1)
  expect(err).toMatch(/^this database was upgraded by a newer build \(migration 9999_later\).*\n$/)
})
