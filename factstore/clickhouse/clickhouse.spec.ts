import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openClickHouse } from './clickhouse.ts'

it('pings and reads streams while all calls wait for answers', async () => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.setHeader('X-ClickHouse-Query-Id', 'a')
      if (request.url?.startsWith('/ping')) response.end('Ok.\n')
      else if (Buffer.concat(chunks).toString().includes('streamed')) response.end('{"n":1}\n')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const clickhouse = openClickHouse(`http://127.0.0.1:${(server.address() as AddressInfo).port}/facts`)
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await clickhouse.close()
  })
  let ended = 0
  for (let n = 0; n < 40; n++) void clickhouse.query('select slow').catch(() => (ended += 1))
  await clickhouse.ping()
  const rows: unknown[] = []
  for await (const page of clickhouse.stream('select streamed')) rows.push(...page)
  expect(rows).toEqual([{ n: 1 }])
  // None of them had to end, after nine seconds, to make room.
  expect(ended).toBe(0)
})
