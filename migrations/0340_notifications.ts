import { sql, type Kysely } from 'kysely'

/**
 * Notifications of users, and how each of them wants to be notified. Texts are made when they are shown: the data holds ids, amounts and
 * names of campaigns, no personal data. They are removed with their person.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.notifications (
      id            bigint generated always as identity primary key,
      person_id     text collate "C" not null,
      whitelabel_id text collate "C" not null,
      space_id      text collate "C" not null,
      kind          text collate "C" not null,
      -- What it is about: a person is notified of one cause once.
      cause         text collate "C" not null,
      data          jsonb not null,
      -- When it happened.
      at            timestamptz not null,
      created_at    timestamptz not null,
      read_at       timestamptz,
      -- Whether the application shows it; else it is mailed alone.
      in_app        boolean not null,
      -- When it was queued as a mail of its own.
      mailed_at     timestamptz,
      -- When the digest that will contain it is due.
      digest_at     timestamptz,
      -- Of the database's clock: open pages are notified of rows that changed lately.
      changed_at    timestamptz not null default clock_timestamp(),
      unique (person_id, cause)
    )`.execute(db)
  await sql`create index on app.notifications (person_id, id desc)`.execute(db)
  await sql`create index on app.notifications (person_id) where in_app and read_at is null`.execute(db)
  await sql`create index on app.notifications (digest_at) where digest_at is not null`.execute(db)
  await sql`create index on app.notifications (changed_at)`.execute(db)
  await sql`create index on app.notifications (created_at)`.execute(db)
  await sql`
    create table app.notification_choices (
      person_id text collate "C" not null,
      kind      text collate "C" not null,
      in_app    boolean not null,
      mail      text not null check (mail in ('now', 'daily', 'never')),
      primary key (person_id, kind)
    )`.execute(db)
  // The switches of before.
  await sql`
    insert into app.notification_choices (person_id, kind, in_app, mail)
    select p.id, k.kind, true, 'never' from identity.people p
    join (values ('balance', 'balance-low'), ('moderation', 'campaign-approved'), ('moderation', 'campaign-rejected')) k (switch, kind)
      on p.settings -> 'notifications' -> k.switch = 'false'::jsonb`.execute(db)
}
