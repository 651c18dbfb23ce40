/** Cards, payments that are not finished, invoices and settlements, and what waits for a second person. Primary data. */
export const money = `
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
  );
  create index cards_exp_year_exp_month_idx on app.cards (exp_year, exp_month) where (removed_at is null) and (warned_at is null);
  create unique index cards_space_id_provider_fingerprint_idx on app.cards (space_id, provider, fingerprint) where removed_at is null;

  -- Updated at every settlement: room in its pages keeps these updates out of the indexes.
  create table app.charged_hours (
    space_id text collate "C" not null,
    campaign_id text collate "C" not null,
    hour timestamptz not null,
    -- Numbers of the settlements that it sums. What is settled after an invoice took the hour is a row of its own.
    first_settlement integer not null,
    last_settlement integer not null,
    amount bigint not null,
    -- Null when a charge has no count.
    impressions bigint,
    -- The invoice that was issued, or is being issued, with it.
    invoice_id text collate "C",
    -- True where the hour is before the period of that invoice: delivery that was reported late.
    late boolean default false not null,
    primary key (space_id, campaign_id, hour, first_settlement)
  ) with (fillfactor = 80);
  create index charged_hours_invoice_id_campaign_id_hour_idx on app.charged_hours (invoice_id, campaign_id, hour)
    where invoice_id is not null;
  create index charged_hours_open on app.charged_hours (space_id, hour, campaign_id) where invoice_id is null;
  create index charged_hours_space_id_hour_idx on app.charged_hours (space_id, hour);

  -- The newest settlement whose batches are forgotten: sums of its account are all that is left of it and of those before.
  create table app.condensed_settlements (
    space_id text collate "C" primary key,
    number integer not null,
    condensed_at timestamptz default now() not null
  );

  -- Findings of one attempt to issue an invoice: a second process that finishes the same attempt takes the same.
  create table app.invoice_attempts (
    invoice_id text collate "C" not null,
    issued_at text collate "C" not null,
    taken boolean not null,
    -- False while charges are being taken, in several transactions.
    complete boolean default true not null,
    primary key (invoice_id, issued_at)
  );

  create table app.invoice_numbers (
    whitelabel_id text collate "C" not null,
    -- Counts from 1 in each white-label, without gaps.
    number integer not null,
    document_id text collate "C" not null unique,
    year integer not null,
    primary key (whitelabel_id, number)
  );

  create table app.invoice_periods (
    invoice_id text collate "C" primary key,
    space_id text collate "C" not null,
    from_at timestamptz not null,
    to_at timestamptz not null,
    -- Once issued, later charges of the period are late.
    issued boolean default false not null,
    claimed_at timestamptz default now() not null
  );
  create index invoice_periods_space_id_from_at_idx on app.invoice_periods (space_id, from_at);

  create table app.ledgers (
    space_id text collate "C" not null,
    -- yyyymm, UTC.
    month text collate "C" not null,
    -- Spend of the month, micros.
    spent bigint not null,
    closed boolean default false not null,
    primary key (space_id, month)
  );
  create index ledgers_month_idx on app.ledgers (month) where not closed;

  -- The notices of a low balance that were mailed last, and the position in the log up to which they were read.
  create table app.mailed_notices (
    space_id text collate "C" primary key,
    notices text[] not null,
    version integer not null
  );

  create table app.payment_customers (
    space_id text collate "C" not null,
    provider text not null,
    customer_id text collate "C" not null,
    primary key (space_id, provider)
  );

  create table app.payment_tasks (
    payment_id text collate "C" primary key,
    space_id text collate "C" not null,
    card_id text collate "C" not null
  );
  create index payment_tasks_card_id_idx on app.payment_tasks (card_id);
  create index payment_tasks_space_id_idx on app.payment_tasks (space_id);

  create table app.payment_webhooks (
    id text collate "C" primary key,
    type text not null,
    -- Null: about no payment, so there is nothing to do.
    provider_payment_id text collate "C",
    received_at timestamptz not null
  );
  create index payment_webhooks_received_at_idx on app.payment_webhooks (received_at);

  create table app.second_person (
    id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    space_id text collate "C",
    kind text not null,
    user_id text collate "C" not null,
    day text collate "C" not null,
    counted bigint not null,
    state text not null,
    command jsonb,
    decided_by text collate "C",
    created_at timestamptz default now() not null,
    decided_at timestamptz,
    constraint money_by_hand_pkey primary key (id)
  );
  create index money_by_hand_created_at_idx on app.second_person (created_at) where state = 'alone';
  create index money_by_hand_whitelabel_id_created_at_idx on app.second_person (whitelabel_id, created_at)
    where state in ('pending', 'approved');
  create index money_by_hand_whitelabel_id_user_id_day_idx on app.second_person (whitelabel_id, user_id, day) where state = 'alone';
  create index second_person_whitelabel_id_decided_at_idx on app.second_person (whitelabel_id, decided_at desc)
    where state in ('done', 'failed', 'rejected', 'expired');

  create table app.settlements (
    space_id text collate "C" not null,
    number integer not null,
    made_at timestamptz default now() not null,
    -- True once the ledger has the event.
    recorded boolean default false not null,
    month text collate "C",
    primary key (space_id, number)
  );
  create index settlements_made_at_idx on app.settlements (made_at) where recorded;
  create index settlements_space_id_idx on app.settlements (space_id) where not recorded;

  create table app.test_gateway_payments (
    id text collate "C" primary key,
    payment_id text collate "C" not null unique,
    method_id text collate "C" not null,
    amount bigint not null,
    currency text not null,
    status text not null,
    failure_code text,
    refunds jsonb default '[]' not null,
    disputes jsonb default '[]' not null
  );

  create table app.test_gateway_setups (
    id text collate "C" primary key,
    customer_id text collate "C" not null
  );
`
