import { expect, test } from 'vitest'
import { createPool } from '../../platform/database/pool.ts'
import { createTestDatabase } from '../support/database.ts'
import { eventually } from '../support/events.ts'

test('a connection that breaks inside a transaction fails that transaction alone', async () => {
  const database = await createTestDatabase()
  const pool = createPool(database.url, { max: 1, applicationName: 'placard-test' })
  const client = await pool.connect()
  let ended = false
  client.once('end', () => (ended = true))
  await client.query('begin')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await eventually(() => ended, 1000)
  // An error nobody listens to would have ended the process by now.
  expect(client.listenerCount('error')).toBeGreaterThan(0)
  await expect(client.query('commit')).rejects.toThrow()
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await database.drop()
})
