import { sql, type Kysely } from 'kysely'

/**
 * The event store in which the checkpoints of this database are positions: positions of one log are meaningless in another. A log
 * that began in this database stays here; otherwise the first start decides.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table es.log_kind (
      kind text not null check (kind in ('postgresql', 'kurrentdb')),
      only_one boolean primary key default true check (only_one)
    )`.execute(db)
  await sql`insert into es.log_kind (kind) select 'postgresql' where exists (select from es.events)`.execute(db)
}
