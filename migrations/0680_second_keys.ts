import { sql, type Kysely } from 'kysely'

/**
 * Makers of the directory or identity provider that made a person, so that neither confirms what the other asked for (fine print
 * 87); domains that wait for a second person; and providers whose roles follow the claim (84).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identity.people
      add column made_by text[] not null default '{}',
      add column by_directory boolean not null default false,
      -- A second person confirmed the role that may confirm.
      add column role_confirmed boolean not null default false`.execute(db)
  await sql`create index on identity.people using gin (made_by)`.execute(db)
  await sql`
    alter table identity.sign_on_providers
      add column makers text[] not null default '{}',
      add column follows_claim boolean not null default false`.execute(db)
  await sql`update identity.sign_on_providers set makers = array[created_by]`.execute(db)
  await sql`
    alter table identity.sign_on_domains
      add column makers text[] not null default '{}',
      add column approved boolean not null default true`.execute(db)
  await sql`
    update identity.people p set by_directory = true
    from identity.scim_people s where s.person_id = p.id and p.password_hash is null and p.status_key = 5`.execute(db)
}
