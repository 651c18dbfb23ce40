import { sql, type Kysely } from 'kysely'

/** A generation may be cut into shards by stream, each with a checkpoint of its own; leases say which process works on what. */
export async function up(db: Kysely<never>): Promise<void> {
  // parked: how many streams are set aside. In this row, so that whoever moves the checkpoint learns it under the same lock.
  await sql`
    alter table es.subscriptions
      add column shard smallint not null default 0,
      add column shards smallint not null default 1,
      add column parked integer not null default 0`.execute(db)
  await sql`alter table es.subscriptions drop constraint subscriptions_pkey`.execute(db)
  await sql`alter table es.subscriptions add primary key (name, generation, shard)`.execute(db)
  await sql`drop index es.subscriptions_one_live`.execute(db)
  await sql`create unique index subscriptions_one_live on es.subscriptions (name, shard) where status = 'live'`.execute(db)
  // Checkpoints move all the time: room in the page for the next version of the row.
  await sql`alter table es.subscriptions set (fillfactor = 50)`.execute(db)
  // owner: the session that holds it. A lease ends with its session, or when it was not renewed in time.
  await sql`
    create table es.leases (
      name  text collate "C" primary key,
      owner text collate "C" not null,
      until timestamptz not null
    ) with (fillfactor = 50)`.execute(db)
}
