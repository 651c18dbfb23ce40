import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgresEventStore } from '#eventstore/postgres/postgres-event-store'
import { createKysely } from '#platform/database/pool'
import { ensureLive } from '#projections/projector/generations'
import { READ_MODELS } from '#projections/read-models'
import { runTool } from '../support/command-line.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { someEvent, someStream } from '../support/events.ts'

describe('npm run projections', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const modelOf = (name: string) => {
    const model = READ_MODELS.find((one) => one.name === name)
    if (model === undefined) throw new Error(`there is no read model ${name}`)
    return model
  }
  const run = (...args: readonly string[]) => runTool('api/cli/projections.ts', args, database.url)

  test('verify fails without a live generation', async () => {
    const nothing = await run('verify', 'accounts')
    expect(nothing).toMatchObject({ code: 1, err: '' })
    expect(nothing.out).toContain('accounts: could not be compared: no generation is live yet')
  })

  test('verify fails for a live generation of another version and compares the others', async () => {
    const db = createKysely(database.pool)
    for (const model of READ_MODELS) await ensureLive(db, model)
    expect(await run('verify')).toMatchObject({ code: 0 })
    const { version } = modelOf('campaign-list')
    await sql`update es.subscriptions set version = version - 1 where name = 'campaign-list'`.execute(db)
    const verified = await run('verify')
    expect(verified.code).toBe(1)
    expect(verified.out).toMatch(
      new RegExp(`campaign-list: could not be compared: version ${version - 1} is live, but this build makes version ${version}`),
    )
    expect(verified.out).toContain('accounts: matches the log')
    const { rows } = await sql`select from es.subscriptions where generation > 1`.execute(db)
    expect(rows).toEqual([])
  })

  test('npm run projections rebuild keeps a newer version and replaces an older one', async () => {
    const db = createKysely(database.pool)
    const { version } = modelOf('accounts')
    await sql`update es.subscriptions set version = ${version + 1} where name = 'accounts'`.execute(db)
    const refused = await run('rebuild', 'accounts')
    expect(refused.code).toBe(1)
    expect(refused.out).toContain(
      `accounts: was not replaced: version ${version + 1} is live, but this build makes version ${version}`,
    )
    await sql`update es.subscriptions set version = ${version - 1} where name = 'accounts'`.execute(db)
    const raised = await run('rebuild', 'accounts')
    expect(raised).toMatchObject({ code: 0 })
    expect(raised.out).toMatch(/accounts: generation \d+ is live/)
  })

  test.each([
    ['an unknown option', ['status', '--loud']],
    ['two read models', ['rebuild', 'accounts', 'campaign-list']],
  ])('%s is a usage error', async (_, args) => {
    const answer = await run(...args)
    expect(answer.err).toMatch(/^Usage:/)
    expect(answer.code).toBe(2)
  })

  test('verify names a read model that cannot be built and continues with the others', async () => {
    await database.pool.query(`
      insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
      values ('account-a', 1, gen_random_uuid(), 'AccountOpened', 99, '{}', '{}')`)
    await database.pool.query(`update es.subscriptions set position = 1 where name = 'accounts'`)
    const verified = await run('verify')
    expect(verified).toMatchObject({ code: 1, err: '' })
    expect(verified.out).toMatch(/^accounts: could not be built: .*AccountOpened/m)
    const others = READ_MODELS.filter(({ name }) => name !== 'accounts')
    for (const { name } of others) expect(verified.out).toMatch(new RegExp(`^${name}: `, 'm'))
  })

  test('npm run projections retry writes nothing into rows of another version', async () => {
    const db = createKysely(database.pool)
    const model = modelOf('moderation-queue')
    await ensureLive(db, model)
    await sql`update es.subscriptions set version = ${model.version + 1}, parked = 1 where name = ${model.name}`.execute(db)
    await sql`
      insert into es.dead_letters (name, generation, position, stream_id, attempts, error)
      values (${model.name}, 1, 1, 'campaign-x', 4, '{"message": "no"}')`.execute(db)
    const retried = await run('retry', model.name)
    expect(retried.code).toBe(1)
    expect(retried.out).toContain(
      `campaign-x stays parked: version ${model.version + 1} is live, but this build makes version ${model.version}`,
    )
    const { rows } = await sql`select from es.dead_letters where resolved_at is null`.execute(db)
    expect(rows).toHaveLength(1)
  })

  test('npm run projections rebuild lists the streams that it parked, and verify skips them', async () => {
    const db = createKysely(database.pool)
    const store = createPostgresEventStore(database)
    const stream = someStream('campaign')
    await store.append({ stream, expected: 0, events: [someEvent({ type: 'CampaignCreated', data: '{}' })] })
    const model = modelOf('campaign-list')
    await ensureLive(db, model)
    await sql`update es.subscriptions set version = ${model.version - 1} where name = ${model.name} and status = 'live'`.execute(
      db,
    )
    const raised = await run('rebuild', model.name)
    expect(raised).toMatchObject({ code: 1, err: '' })
    expect(raised.out).toMatch(/campaign-list: generation \d+ is live/)
    expect(raised.out).toContain('1 parked. Apply them again with npm run projections -- retry campaign-list:')
    expect(raised.out).toContain(stream)
    const verified = await run('verify', model.name)
    expect(verified).toMatchObject({ code: 0, err: '' })
    expect(verified.out).toContain('campaign-list: matches the log')
    expect((await run('status')).out).toContain(stream)
    await store.close()
  })
})
