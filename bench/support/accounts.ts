import { Client } from 'pg'
import { createAccountCommands } from '#commands/account/account-commands'
import { createHandler } from '#commands/handle'
import { systemContext } from '#domain/kit/event-metadata'
import { createMemoryEventStore } from '#eventstore/memory/memory-event-store'
import { derivedId, newId } from '#platform/ids'
import { WHITELABEL } from './product.ts'

const TEMPLATE = '0198a000-0000-7000-8000-0000000acc00'
const NAME = 'Account of a bench'

/**
 * Adds so many opened accounts with one credit each to a migrated log, generated in SQL from one that real commands made. Their
 * hash chains do not verify: no bench verifies them.
 */
export async function stampAccounts(url: string, count: number): Promise<void> {
  const store = createMemoryEventStore()
  const handle = createHandler({
    store,
    now: () => new Date().toISOString(),
    eventId: (id, n) => derivedId('event', id, String(n)),
  })
  const accounts = createAccountCommands(handle)
  const context = () => systemContext('bench', newId())
  const opening = { spaceId: TEMPLATE, whitelabelId: WHITELABEL, name: NAME, currency: 'USD', house: false }
  await accounts.execute(TEMPLATE, context(), { type: 'OpenAccount', ...opening })
  await accounts.execute(TEMPLATE, context(), { type: 'CreditFunds', amount: 100_000_000, reason: 'bench' })
  const life = await store.readStream(`account-${TEMPLATE}`)
  await store.close()
  if (life.length !== 2) throw new Error(`an account's life has ${life.length} events`)
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const { version, type, schemaVersion, data, metadata } of life)
      await client.query(
        `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
         select 'account-' || c.id, $1::int, gen_random_uuid(), $2::text, $3::int,
           replace(replace($4::text, $6, c.id), $7, $7 || ' ' || c.i)::json, $5::json
         from (select i, md5('account ' || i)::uuid::text as id from generate_series(1, $8::int) i) c`,
        [version, type, schemaVersion, data, metadata, TEMPLATE, NAME, count],
      )
    await client.query('vacuum analyze es.events')
  } finally {
    await client.end()
  }
}
