import { sql, type Kysely } from 'kysely'

/**
 * API keys and links for a new password end with every change of a user's credentials (fine print 73), whatever writes it: a new
 * password, other roles, a second factor switched on or off, new recovery codes, a deactivation, and a suspension of the user or of
 * their white-label.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function identity.end_keys(person text) returns void language sql as $$
      update identity.api_keys set revoked_at = now() where person_id = person and revoked_at is null;
      update identity.mail_keys set used_at = now() where person_id = person and purpose = 'reset' and used_at is null;
    $$`.execute(db)
  // A deactivation ends sessions too.
  await sql`drop trigger people_end_sessions on identity.people`.execute(db)
  await sql`
    create trigger people_end_sessions before update of password_hash, roles, suspended, status_key on identity.people
    for each row when (new.password_hash is distinct from old.password_hash or new.roles is distinct from old.roles
      or new.suspended and not old.suspended or new.status_key <> 5 and old.status_key = 5)
    execute function identity.end_sessions()`.execute(db)
  await sql`
    create function identity.end_keys_of_person() returns trigger language plpgsql as $$
    begin
      perform identity.end_keys(new.id);
      return null;
    end $$`.execute(db)
  // The version changes with whatever ends the sessions.
  await sql`
    create trigger people_end_keys after update on identity.people
    for each row when (new.token_version is distinct from old.token_version) execute function identity.end_keys_of_person()`.execute(
    db,
  )

  await sql`
    create function identity.end_keys_of_factor() returns trigger language plpgsql as $$
    begin
      perform identity.end_keys(coalesce(new.person_id, old.person_id));
      return null;
    end $$`.execute(db)
  await sql`
    create trigger second_factor_on after update of confirmed_at on identity.second_factors
    for each row when (new.confirmed_at is distinct from old.confirmed_at) execute function identity.end_keys_of_factor()`.execute(
    db,
  )
  await sql`
    create trigger second_factor_off after delete on identity.second_factors
    for each row when (old.confirmed_at is not null) execute function identity.end_keys_of_factor()`.execute(db)
  // Renewed codes replace the rows; a used one stays.
  await sql`
    create trigger recovery_codes_renewed after delete on identity.recovery_codes
    for each row execute function identity.end_keys_of_factor()`.execute(db)

  await sql`
    create function identity.end_keys_of_whitelabel() returns trigger language plpgsql as $$
    begin
      perform identity.end_keys(id) from identity.people where whitelabel_id = new.whitelabel_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger suspended_whitelabel_keys after insert on identity.suspended_whitelabels
    for each row execute function identity.end_keys_of_whitelabel()`.execute(db)
}
