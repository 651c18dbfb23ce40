import { sql, type Kysely } from 'kysely'

/**
 * Where the events are that this database's checkpoints were counted in: positions of one log mean nothing in another. A log that has
 * begun in this database stays here; otherwise the first start says.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table es.log_kind (
      kind text not null check (kind in ('postgresql', 'kurrentdb')),
      only_one boolean primary key default true check (only_one)
    )`.execute(db)
  await sql`insert into es.log_kind (kind) select 'postgresql' where exists (select from es.events)`.execute(db)
}
