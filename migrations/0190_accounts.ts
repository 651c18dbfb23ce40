import { sql, type Kysely } from 'kysely'

/**
 * Search of accounts, campaigns and users by trigrams, tolerant of accents; legal entities, which are personal data; and which
 * suspensions were carried out for the users of an account. Primary data.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const extension of ['pg_trgm', 'unaccent', 'fuzzystrmatch'])
    await sql`create extension if not exists ${sql.ref(extension)} with schema public`.execute(db)
  // unaccent itself is only stable: its dictionary could be replaced. An index needs an immutable function.
  await sql`
    create function app.folded(plain text) returns text language sql immutable strict parallel safe
    as $$ select lower(public.unaccent('public.unaccent'::regdictionary, plain)) $$`.execute(db)
  await sql`
    create function app.person_text(first_name text, last_name text, company_name text, email text)
    returns text language sql immutable parallel safe
    as $$ select app.folded(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '') || ' '
      || coalesce(email, '')) $$`.execute(db)
  // True when a word of the text, or the beginning of one, is one typing error away from the token.
  await sql`
    create function app.is_close(plain text, token text) returns boolean language sql immutable strict parallel safe
    as $$
      select exists (
        select from regexp_split_to_table(plain, '[^[:alnum:]]+') word
        where greatest(length(word), length(token)) > 3 and left(word, 60) <> '' and (
          public.levenshtein_less_equal(left(word, 60), token, 1) <= 1
          or length(word) > length(token) and (
            public.levenshtein_less_equal(left(word, length(token)), token, 1) <= 1
            or public.levenshtein_less_equal(left(word, length(token) + 1), token, 1) <= 1))
      ) $$`.execute(db)
  // Stored: a search compares a text many times.
  await sql`
    alter table identity.people add column search_text text
    generated always as (app.person_text(first_name, last_name, company_name, email)) stored`.execute(db)
  await sql`
    create index people_text on identity.people using gin (search_text public.gin_trgm_ops)
    where 'USER_OWNER' = any(roles)`.execute(db)
  await sql`create index people_home on identity.people (home_space_id)`.execute(db)
  await sql`create index people_screened on identity.people (whitelabel_id, status_key) where status_key <> 5`.execute(db)
  await sql`
    create table identity.legal_entities (
      space_id          text collate "C" primary key,
      legal_entity_name text not null,
      tin_number        text not null,
      updated_at        timestamptz not null default now()
    )`.execute(db)
  // The newest suspension or restoration of an account that its users have, by the revision of the account.
  await sql`
    create table identity.account_suspensions (
      space_id  text collate "C" primary key,
      suspended boolean not null,
      revision  integer not null
    )`.execute(db)
}
