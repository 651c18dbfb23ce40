import { sql, type Migration } from 'kysely'
import { audiences } from './audiences.ts'
import { campaigns } from './campaigns.ts'
import { delivery } from './delivery.ts'
import { eventStore } from './event-store.ts'
import { money } from './money.ts'
import { operations } from './operations.ts'
import { people } from './people.ts'

const BEFORE_TABLES = `
  create schema es;
  create schema identity;
  create schema app;
  create schema facts;
  create extension if not exists pg_trgm with schema public;
  create extension if not exists unaccent with schema public;
  create extension if not exists fuzzystrmatch with schema public;

  -- unaccent itself is only stable: its dictionary could be replaced. An index needs an immutable function.
  create function app.folded(plain text) returns text language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent'::regdictionary, plain)) $$;

  create function app.person_text(first_name text, last_name text, company_name text, email text)
  returns text language sql immutable parallel safe
  as $$ select app.folded(coalesce(first_name, '') || ' ' || coalesce(last_name, '') || ' ' || coalesce(company_name, '') || ' '
    || coalesce(email, '')) $$;

  -- True when a word of the text, or the beginning of one, is one typing error away from the token.
  create function app.is_close(plain text, token text) returns boolean language sql immutable strict parallel safe
  as $$
    select exists (
      select from regexp_split_to_table(plain, '[^[:alnum:]]+') word
      where greatest(length(word), length(token)) > 3 and left(word, 60) <> '' and (
        public.levenshtein_less_equal(left(word, 60), token, 1) <= 1
        or length(word) > length(token) and (
          public.levenshtein_less_equal(left(word, length(token)), token, 1) <= 1
          or public.levenshtein_less_equal(left(word, length(token) + 1), token, 1) <= 1))
    )
  $$;
`

/** The schema of version 0.2.0, by subject. What later versions changed is in the steps beside this folder. */
export const base: Migration = {
  async up(db) {
    // Functions come before the tables that they name.
    await sql`set local check_function_bodies = off`.execute(db)
    for (const part of [BEFORE_TABLES, operations, eventStore, people, campaigns, audiences, money, delivery])
      await sql.raw(part).execute(db)
  },
}
