import { sql, type Kysely } from 'kysely'

/** Shards of a generation by stream, each with its own checkpoint, and leases that assign them to processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // parked: the number of parked streams. In this row, so that moving the checkpoint reads it under the same lock.
  await sql`
    alter table es.subscriptions
      add column shard smallint not null default 0,
      add column shards smallint not null default 1,
      add column parked integer not null default 0`.execute(db)
  await sql`alter table es.subscriptions drop constraint subscriptions_pkey`.execute(db)
  await sql`alter table es.subscriptions add primary key (name, generation, shard)`.execute(db)
  await sql`drop index es.subscriptions_one_live`.execute(db)
  await sql`create unique index subscriptions_one_live on es.subscriptions (name, shard) where status = 'live'`.execute(db)
  // Checkpoints are updated constantly: free space in the page allows HOT updates.
  await sql`alter table es.subscriptions set (fillfactor = 50)`.execute(db)
  // owner: the session that holds the lease. A lease ends with its session or without a renewal in time.
  await sql`
    create table es.leases (
      name  text collate "C" primary key,
      owner text collate "C" not null,
      until timestamptz not null
    ) with (fillfactor = 50)`.execute(db)
}
