import { sql, type Kysely } from 'kysely'

/**
 * A database that used KurrentDB before the kind of log was stored has checkpoints beyond its own events. A start without
 * EVENT_STORE_URL may have recorded the wrong kind since then. With events in PostgreSQL, a checkpoint never passes stored events.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into es.log_kind (kind)
    select 'kurrentdb' where not exists (select from es.events) and exists (select from es.subscriptions where position > 0)
    on conflict (only_one) do update set kind = excluded.kind`.execute(db)
}
