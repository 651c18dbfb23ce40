import { createHash } from 'node:crypto'
import { Client } from 'pg'
import type { StoredEvent } from '../../eventstore/event-store.ts'
import { migrateToLatest } from '../../migrations/index.ts'
import { createKysely, createPool } from '../../platform/database/pool.ts'
import { recordLife, TEMPLATE_CAMPAIGN, TEMPLATE_SPACE } from './lives.ts'
import type { BenchServer } from './server.ts'

/** Campaigns that live at the same time: their commits alternate, so that no reader can fold one campaign at a stretch. */
const AT_ONCE = 1000

/**
 * A database with at least `count` campaign events in the log, stamped in SQL out of one recorded life; made once per server
 * folder, then cloned. Hash chains of stamped streams do not verify: nothing that is measured here walks them.
 */
export async function factSet(server: BenchServer, count: number): Promise<string> {
  const life = await recordLife()
  const shape = createHash('sha256')
    .update(life.map(({ type, data, metadata }) => `${type} ${data.length} ${metadata.length}`).join())
    .digest('hex')
    .slice(0, 8)
  const name = `facts_${count}_${shape}`
  if (!(await server.exists(name))) {
    const making = `${name}_making`
    await server.drop(making)
    const url = await server.create(making)
    await migrate(url)
    await stamp(url, life, Math.ceil(count / life.length))
    await server.rename(making, name)
  }
  // It may have been made before the newest migration.
  await migrate(server.urlOf(name))
  return name
}

async function migrate(url: string): Promise<void> {
  const db = createKysely(createPool(url, { max: 1, applicationName: 'placard-bench' }))
  await migrateToLatest(db)
  await db.destroy()
}

async function stamp(url: string, life: readonly StoredEvent[], campaigns: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('create temp table life (k int, type text, schema_version int, data text, metadata text)')
    for (const event of life)
      await client.query('insert into life values ($1, $2, $3, $4, $5)', [
        event.version,
        event.type,
        event.schemaVersion,
        event.data,
        event.metadata,
      ])
    await client.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       select 'campaign-' || c.id, l.k, gen_random_uuid(), l.type, l.schema_version,
              replace(replace(l.data, $1, c.id), $2, c.space)::json, l.metadata::json
       from (select i, md5('campaign ' || i)::uuid::text as id, md5('space ' || i % 100)::uuid::text as space
             from generate_series(0, $3::int - 1) i) c
       cross join life l
       order by c.i / ${AT_ONCE}, l.k, c.i`,
      [TEMPLATE_CAMPAIGN, TEMPLATE_SPACE, campaigns],
    )
    await client.query('vacuum analyze es.events')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
