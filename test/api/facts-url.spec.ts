import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#api/config'
import { openFacts } from '#api/wiring/fact-store'
import { createStops } from '#api/process/stops'
import { createKysely } from '#platform/database/pool'
import { startClickHouseDouble, type ClickHouseDouble } from '../support/clickhouse/double.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { UNTRUSTED } from '../support/untrusted-certificate.ts'

/** Message of a start when ClickHouse cannot be used: one line that begins with the variable and never holds the secret. */
describe('a start with FACTS_URL', () => {
  let database: TestDatabase
  let double: ClickHouseDouble
  beforeAll(async () => {
    database = await createTestDatabase()
    double = await startClickHouseDouble()
  })
  afterAll(async () => {
    await double.leave()
    await database.drop()
  })

  const start = async (url: string | undefined) => {
    const stops = createStops()
    const config = readConfig({ DATABASE_URL: database.url, ...(url === undefined ? {} : { FACTS_URL: url }) })
    try {
      return await openFacts(config, { db: createKysely(database.pool), logger: pino({ level: 'silent' }), stops })
    } finally {
      await stops.run()
    }
  }

  const refuses = (code: number, type: string) => ({ kind: 'refuses', code, type }) as const
  it.each([
    {
      cause: 'a wrong password',
      behaviour: refuses(516, 'AUTHENTICATION_FAILED'),
      line: /does not accept this user and password$/,
    },
    { cause: 'no right to create tables', behaviour: refuses(497, 'ACCESS_DENIED'), line: /no right to create, read and write/ },
    { cause: 'a user that may only read', behaviour: refuses(164, 'READONLY'), line: /no right to create, read and write/ },
    { cause: 'an unknown database', behaviour: refuses(81, 'UNKNOWN_DATABASE'), line: /has no such database$/ },
    {
      cause: 'another server at the address',
      behaviour: { kind: 'other', status: 404, body: '<html>hello</html>' } as const,
      line: /is not a ClickHouse server that can be used$/,
    },
    {
      cause: 'a server that answers everything with a page',
      behaviour: { kind: 'other', status: 200, body: '<html>hello</html>' } as const,
      line: /is not a ClickHouse server that can be used$/,
    },
    { cause: 'a frozen server', behaviour: { kind: 'frozen' } as const, line: /no answer in 5 s$/ },
  ])('stops within 5 s and names $cause', async ({ behaviour, line }) => {
    double.behave(behaviour)
    const error = await start(double.url).catch((caught: unknown) => caught)
    double.behave({ kind: 'works' })
    expect(error).toBeInstanceOf(Error)
    const { message } = error as Error
    expect(message).toMatch(/^FACTS_URL: /)
    expect(message).toMatch(line)
    expect(message).not.toMatch(/hidden|\n/)
  })

  it.each([
    {
      cause: 'a closed port',
      url: 'http://placard:hidden@127.0.0.1:1/facts',
      line: 'FACTS_URL: ClickHouse refuses the connection',
    },
    { cause: 'an unknown host', url: 'http://placard:hidden@nowhere.invalid:8123/facts', line: 'FACTS_URL: its host is unknown' },
  ])('stops and names $cause', async ({ url, line }) => {
    await expect(start(url)).rejects.toThrow(line)
  })

  it('stops and names a certificate that nobody vouches for', async () => {
    const server = createServer(UNTRUSTED)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const url = `https://placard:hidden@127.0.0.1:${port}/facts`
    await expect(start(url)).rejects.toThrow('FACTS_URL: the certificate of ClickHouse is not valid here')
    server.close()
  })

  it('stops and names a server without TLS behind https', async () => {
    await expect(start(double.url.replace('http:', 'https:'))).rejects.toThrow(/^FACTS_URL: the server does not speak TLS/)
  })

  it('uses PostgreSQL without FACTS_URL and ClickHouse with it', async () => {
    expect((await start(undefined)).outside).toEqual([])
    expect((await start(double.url)).outside.map(({ name }) => name)).toEqual(['ClickHouse'])
  })

  it('stops when the facts of the database are in the other store', async () => {
    await database.pool.query(
      `insert into app.delivery_batches (id, body_hash, bidder, rows, spent, overdelivered) values ('b', 'x', null, 1, 0, 0)`,
    )
    await expect(start(undefined)).rejects.toThrow(/^FACTS_URL: the delivered facts of this database are in ClickHouse/)
    await start(double.url)
    await database.pool.query(`insert into facts.batches (id) values ('b')`)
    await expect(start(double.url)).rejects.toThrow(/^FACTS_URL: the delivered facts of this database are in PostgreSQL/)
    await start(undefined)
  })
})
