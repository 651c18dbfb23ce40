import { sql, type Kysely } from 'kysely'

/** Webhooks that deliver the audit feed of a white-label, and how far each has come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No secret is stored: it is derived from the id and the generation, which a rotation raises.
  // position: everything up to here is delivered, or does not pass the filter. pending: last position of the message that is being
  // sent, whose repeats have the same id. epoch: raised by whatever makes a message under way another one.
  await sql`
    create table app.audit_webhooks (
      id            text collate "C" primary key,
      whitelabel_id text collate "C" not null,
      url           text not null,
      description   text not null,
      filter        jsonb not null,
      enabled       boolean not null default true,
      generation    integer not null default 1,
      -- Until then messages are signed by the secret before too.
      previous_until timestamptz,
      position      bigint not null,
      pending       bigint,
      epoch         integer not null default 0,
      delivered_at  timestamptz,
      failing_since timestamptz,
      error         text,
      parked_at     timestamptz,
      created_by    text collate "C" not null,
      created_at    timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.audit_webhooks (whitelabel_id, created_at)`.execute(db)
}
