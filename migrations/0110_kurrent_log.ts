import { sql, type Kysely } from 'kysely'

/**
 * A database that ran with KurrentDB before kinds of log were told apart has checkpoints that count no event of its own; what a
 * look without EVENT_STORE_URL may have said of it since does not hold. Here a checkpoint moves with stored events alone.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    insert into es.log_kind (kind)
    select 'kurrentdb' where not exists (select from es.events) and exists (select from es.subscriptions where position > 0)
    on conflict (only_one) do update set kind = excluded.kind`.execute(db)
}
