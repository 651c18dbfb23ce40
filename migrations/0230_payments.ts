import { sql, type Kysely } from 'kysely'

/** Cards of accounts, payments that are not finished, webhooks of the provider, and the state of the built-in test gateway. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app.payment_customers (
      space_id text collate "C" not null,
      provider text not null,
      customer_id text collate "C" not null,
      primary key (space_id, provider)
    )`.execute(db)
  await sql`
    create table app.cards (
      id text collate "C" primary key,
      space_id text collate "C" not null,
      provider text not null,
      customer_id text collate "C" not null,
      -- The provider's reference: the number of the card is stored nowhere.
      method_id text collate "C" not null,
      brand text not null,
      last4 text not null,
      exp_month integer not null,
      exp_year integer not null,
      -- Personal data: removed with the card, and with the person who added it.
      holder_name text,
      country text,
      funding text,
      fingerprint text collate "C" not null,
      added_by text collate "C" not null,
      created_at timestamptz not null,
      removed_at timestamptz,
      -- When the warning that the card expires was queued.
      warned_at timestamptz
    )`.execute(db)
  // Two requests that add the same card at once store one.
  await sql`create unique index on app.cards (space_id, provider, fingerprint) where removed_at is null`.execute(db)
  await sql`create index on app.cards (exp_year, exp_month) where removed_at is null and warned_at is null`.execute(db)
  await sql`
    create table app.payment_tasks (
      payment_id text collate "C" primary key,
      space_id text collate "C" not null,
      card_id text collate "C" not null,
      started_at timestamptz not null,
      due_at timestamptz not null
    )`.execute(db)
  await sql`create index on app.payment_tasks (due_at)`.execute(db)
  await sql`create index on app.payment_tasks (space_id)`.execute(db)
  await sql`create index on app.payment_tasks (card_id)`.execute(db)
  await sql`
    create table app.payment_webhooks (
      id text collate "C" primary key,
      type text not null,
      -- Null: about no payment, so there is nothing to do.
      provider_payment_id text collate "C",
      received_at timestamptz not null,
      due_at timestamptz not null,
      attempts integer not null default 0,
      done_at timestamptz
    )`.execute(db)
  await sql`create index on app.payment_webhooks (due_at) where done_at is null`.execute(db)
  await sql`create index on app.payment_webhooks (received_at) where done_at is not null`.execute(db)
  await sql`
    create table app.test_gateway_setups (
      id text collate "C" primary key,
      customer_id text collate "C" not null
    )`.execute(db)
  await sql`
    create table app.test_gateway_payments (
      id text collate "C" primary key,
      payment_id text collate "C" not null unique,
      method_id text collate "C" not null,
      amount bigint not null,
      currency text not null,
      status text not null,
      failure_code text,
      refunds jsonb not null default '[]',
      disputes jsonb not null default '[]'
    )`.execute(db)
}
