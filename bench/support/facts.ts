import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { READ_MODELS } from '#projections/read-models'
import type { StoredEvent } from '#eventstore/event-store'
import { migrateToLatest } from '#migrations/index'
import { createKysely, createPool } from '#platform/database/pool'
import { derivedId } from '#platform/ids'
import { recordLife, TEMPLATE_CAMPAIGN, TEMPLATE_NAME, TEMPLATE_SPACE } from './lives.ts'
import { say } from './measure.ts'
import { startBenchProduct } from './product.ts'
import type { BenchServer } from './server.ts'

/** Campaigns that are active at the same time: their commits alternate, so readers cannot fold one campaign in a single run. */
const AT_ONCE = 1000

/**
 * A database with at least `count` campaign events in the log, generated in SQL from one recorded life; created once per server
 * folder, then cloned. Hash chains of generated streams do not verify: no bench verifies them.
 */
export async function factSet(server: BenchServer, count: number): Promise<string> {
  const life = await recordLife()
  const shape = createHash('sha256')
    .update(life.map(({ type, data, metadata }) => `${type} ${data.length} ${metadata.length}`).join())
    .digest('hex')
    .slice(0, 8)
  const name = `facts_${count}_${shape}`
  if (!(await server.databases()).includes(name)) {
    const making = `${name}_making`
    await server.drop(making)
    const url = await server.create(making)
    await migrate(url)
    const campaigns = Array.from({ length: Math.ceil(count / life.length) }, (_, i) => ({
      id: derivedId('fact', String(i)),
      space: derivedId('fact space', String(i % 100)),
      name: `Campaign #${i}`,
    }))
    await stamp(url, life, campaigns)
    await server.rename(making, name)
  }
  // It may be older than the newest migration.
  await migrate(server.urlOf(name))
  return name
}

/** The same with every read model built, as a running product leaves it. */
export async function readySet(server: BenchServer, count: number): Promise<string> {
  const facts = await factSet(server, count)
  const versions = `_v${READ_MODELS.map(({ version }) => version).join('')}`
  const name = `${facts}${versions}`
  const databases = await server.databases()
  if (!databases.includes(name)) {
    // Sets of older read models take gigabytes and are no longer used.
    for (const old of databases) if (/_v\d+$/.test(old) && !old.endsWith(versions)) await server.drop(old)
    const making = `${name}_making`
    say(`${name}: building the read models once`)
    const product = await startBenchProduct(await server.create(making, facts))
    await product.ready()
    await product.stop()
    // Otherwise the server does it automatically during a measurement.
    await vacuum(server.urlOf(making))
    await server.rename(making, name)
  }
  return name
}

async function vacuum(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('vacuum (freeze, analyze)')
  await client.end()
}

async function migrate(url: string): Promise<void> {
  const db = createKysely(createPool(url, { max: 1, applicationName: 'placard-bench' }))
  await migrateToLatest(db)
  await db.destroy()
}

/**
 * Campaigns of one advertiser, each with the recorded life, generated into a migrated log. Ids are in the order of the
 * answer; names end in `#<number>`.
 */
export async function stampCampaigns(
  url: string,
  {
    spaceId,
    whitelabelId,
    count,
    salt,
  }: { readonly spaceId: string; readonly whitelabelId: string; readonly count: number; readonly salt: string },
): Promise<readonly string[]> {
  const life = await recordLife(whitelabelId)
  const ids = stampedIds({ count, salt })
  await stamp(
    url,
    life,
    ids.map((id, i) => ({ id, space: spaceId, name: `${salt} #${i}` })),
  )
  return ids
}

/** The ids of stamped campaigns. */
export const stampedIds = ({ count, salt }: { readonly count: number; readonly salt: string }): readonly string[] =>
  Array.from({ length: count }, (_, i) => derivedId('stamped', salt, String(i)))

type Stamped = { readonly id: string; readonly space: string; readonly name: string }

async function stamp(url: string, life: readonly StoredEvent[], campaigns: readonly Stamped[]): Promise<void> {
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
      'create temp table campaigns as select * from json_to_recordset($1::json) as c(i int, id text, space text, name text)',
      [JSON.stringify(campaigns.map((campaign, i) => ({ i, ...campaign })))],
    )
    await client.query('analyze campaigns')
    await client.query(
      `insert into es.events (stream_id, version, event_id, type, schema_version, data, metadata)
       select 'campaign-' || c.id, l.k, gen_random_uuid(), l.type, l.schema_version,
              replace(replace(replace(l.data, $1, c.id), $2, c.space), $3, c.name)::json, l.metadata::json
       from campaigns c cross join life l
       order by c.i / ${AT_ONCE}, l.k, c.i`,
      [TEMPLATE_CAMPAIGN, TEMPLATE_SPACE, TEMPLATE_NAME],
    )
    await client.query('vacuum analyze es.events')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
