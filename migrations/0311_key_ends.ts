import { sql, type Kysely } from 'kysely'

/** When keys of a person ended last: a link that was asked for before is not mailed afterwards with a key that works. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identity.key_ends (
      person_id text collate "C" primary key references identity.people (id) on delete cascade,
      ended_at timestamptz not null
    )`.execute(db)
  await sql`
    create or replace function identity.end_keys(person text) returns void language sql as $$
      update identity.api_keys set revoked_at = now() where person_id = person and revoked_at is null;
      update identity.mail_keys set used_at = now() where person_id = person and purpose = 'reset' and used_at is null;
      insert into identity.key_ends (person_id, ended_at) select id, clock_timestamp() from identity.people where id = person
      on conflict (person_id) do update set ended_at = excluded.ended_at;
    $$`.execute(db)
}
