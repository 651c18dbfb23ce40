import { sql, type Kysely } from 'kysely'

/** Indexes by age, and security events that may be removed once they are old: younger ones still cannot be changed or removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index on app.delivery_batches (received_at) where facts is null`.execute(db)
  await sql`create index on facts.batches (stored_at)`.execute(db)
  await sql`drop trigger security_events_append_only on app.security_events`.execute(db)
  await sql`
    create trigger security_events_append_only before update or truncate on app.security_events
    for each statement execute function app.refuse_security_change()`.execute(db)
  await sql`
    create trigger security_events_removed_old before delete on app.security_events
    for each row when (old.at > now() - interval '90 days') execute function app.refuse_security_change()`.execute(db)
  await sql`grant delete on app.security_events to current_user`.execute(db)
}
