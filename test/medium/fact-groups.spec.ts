import { afterAll, beforeAll, expect, it } from 'vitest'
import { createKysely } from '#platform/database/pool'
import { createBatchInbox } from '#platform/delivery/batch-inbox'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('a waiting batch is in one group, named by a batch of it, when several processes make groups at once', async () => {
  const inboxes = [1, 2, 3].map(() => createBatchInbox(createKysely(database.pool)))
  for (let round = 0; round < 10; round++) {
    await database.pool.query(
      `insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered, facts, received_at)
       select $1 || n, '', 1, 0, 0, '[{}]', now() - interval '1 minute' * (n % 2) from generate_series(1, 40) n`,
      [`r${round}/`],
    )
    const ids = (from: number) => Array.from({ length: 25 }, (_, n) => `r${round}/${1 + ((from + n * 7) % 40)}`)
    const made = await Promise.all([
      ...[3, 11, 20, 31].map((from, n) => inboxes[n % 3]!.group(ids(from))),
      ...inboxes.map(async (inbox) => void (await inbox.unstored(15, []))),
    ])
    const grouped = made.flatMap((group) => group ?? [])
    expect(new Set(grouped).size).toBe(grouped.length)
    expect(grouped.length).toBeGreaterThan(10)
    for (const group of made) {
      if (group === undefined || group.length === 0) continue
      const { rows } = await database.pool.query<{ id: string }>(
        'select id from app.delivery_batches where fact_group = $1 order by id',
        [group[0]],
      )
      expect(rows.map(({ id }) => id)).toEqual(group.toSorted())
    }
    const { rows: strangers } = await database.pool.query(
      `select 1 from app.delivery_batches b where fact_group is not null
       and not exists (select from app.delivery_batches f where f.id = b.fact_group and f.fact_group = f.id)`,
    )
    expect(strangers).toEqual([])
    await database.pool.query('delete from app.delivery_batches')
  }
})

it('a group that was left is returned whole until it is marked', async () => {
  const [inbox, other] = [1, 2].map(() => createBatchInbox(createKysely(database.pool)))
  await database.pool.query(
    `insert into app.delivery_batches (id, body_hash, rows, spent, overdelivered, facts, received_at)
     select 'b' || n, '', 2, 0, 0, jsonb_build_array(jsonb_build_object('creative_id', n)), now() - interval '1 minute' from generate_series(1, 5) n`,
  )
  expect(await inbox?.group(['b2', 'b1'])).toEqual(['b1', 'b2'])
  const seen = new Map<string, unknown>()
  for (let group = (await other?.unstored(4, []))?.[0]; group !== undefined; group = (await other?.unstored(4, []))?.[0]) {
    seen.set(group.id, group.facts)
    // Asked again, it is the same.
    expect(await inbox?.unstored(4, [])).toContainEqual(group)
    await other?.stored(group.id)
  }
  expect([...seen.values()].flat()).toHaveLength(5)
  expect(seen.get('b1')).toEqual([{ creative_id: 1 }, { creative_id: 2 }])
  expect([...seen.values()].every((facts) => (facts as unknown[]).length <= 2)).toBe(true)
})
