import { sql, type Kysely } from 'kysely'

/**
 * One table of durable jobs instead of the queues of mails, payments, webhooks, registrations and uploads, whose open rows move into it.
 * Their tables keep what is the data of their subject.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.jobs (
      kind         text collate "C" not null,
      -- The row of the subject.
      key          text collate "C" not null,
      -- No personal data.
      payload      jsonb not null,
      created_at   timestamptz not null default now(),
      run_at       timestamptz not null default now(),
      tries        integer not null default 0,
      -- The worker that has the job, and until when: then another one may take it.
      leased_by    text,
      leased_until timestamptz,
      -- Why the last try failed.
      error        text,
      -- Given up: an operator may retry it.
      dead_at      timestamptz,
      primary key (kind, key)
    )`.execute(db)
  await sql`create index on app.jobs (kind, run_at) where dead_at is null`.execute(db)
  await sql`create index on app.jobs (dead_at) where dead_at is not null`.execute(db)
  await sql`
    insert into app.jobs (kind, key, payload, created_at, run_at, tries, error, dead_at)
    select 'mail', id, jsonb_build_object('v', '1', 'template', template), created_at, next_at, attempts, failure,
      case when failure is not null then now() end
    from app.mails where sent_at is null`.execute(db)
  // Instants are of the clock of the product, which may be ahead of that of the database.
  await sql`
    insert into app.jobs (kind, key, payload, created_at, run_at, tries)
    select 'payment', payment_id, jsonb_build_object('v', '1', 'started_at',
      to_char(started_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), now(), least(due_at, now() + interval '1 minute'), attempts
    from app.payment_tasks`.execute(db)
  await sql`
    insert into app.jobs (kind, key, payload, created_at, run_at, tries)
    select 'payment-webhook', id, jsonb_build_object('v', '1', 'provider_payment_id', provider_payment_id), now(),
      least(due_at, now() + interval '1 minute'), attempts
    from app.payment_webhooks where done_at is null and provider_payment_id is not null`.execute(db)
  await sql`
    insert into app.jobs (kind, key, payload, created_at, run_at)
    select 'registration', id, '{"v": "1"}', received_at, received_at from app.registration_requests`.execute(db)
  await sql`
    insert into app.jobs (kind, key, payload, run_at)
    select 'audience-upload', id, '{"v": "1"}', alive_at from app.audience_uploads where state in ('received', 'stored')`.execute(
    db,
  )
  await sql`alter table app.mails drop column next_at, drop column attempts, drop column failure`.execute(db)
  await sql`alter table app.payment_tasks drop column started_at, drop column due_at, drop column attempts`.execute(db)
  await sql`alter table app.payment_webhooks drop column due_at, drop column attempts, drop column done_at`.execute(db)
  await sql`create index on app.payment_webhooks (received_at)`.execute(db)
  await sql`drop index app.registration_requests_received_at_idx`.execute(db)
  await sql`drop index app.audience_uploads_alive_at_idx`.execute(db)
  await sql`create index on app.audience_uploads (alive_at) where state = 'receiving'`.execute(db)
}
