import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTool } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

describe('npm run audit', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const run = (...args: readonly string[]) => runTool('api/cli/audit.ts', args, database.url)

  test.each([
    ['an option that it does not know', ['verify', 'x', '--loud']],
    ['a campaign too many', ['verify', 'x', 'y']],
    ['a revision that is no number', ['replay', 'x', '--revision', 'last']],
  ])('refuses the call %s', async (_, args) => {
    const answer = await run(...args)
    expect(answer.err).toMatch(/^Usage:/)
    expect(answer.code).toBe(2)
  })

  test('stops at an unreadable event and reports the reason', async () => {
    await database.pool.query('alter table es.events rename column data to gone')
    try {
      expect(await run('verify', 'x')).toMatchObject({ code: 1, err: 'column x.data does not exist\n' })
    } finally {
      await database.pool.query('alter table es.events rename column gone to data')
    }
  })
})
