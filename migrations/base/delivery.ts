/**
 * Delivered facts, rows by month and rollups by hour and day; accepted batches, billed spend, and what advertisers report.
 * Primary data (fine print 20).
 */
export const delivery = `
  create table app.campaign_spend (
    campaign_id text collate "C" not null,
    day date not null,
    billed bigint not null,
    overdelivered bigint not null,
    primary key (campaign_id, day)
  );

  create table app.campaign_spend_totals (
    campaign_id text collate "C" primary key,
    billed bigint not null,
    overdelivered bigint not null,
    -- End of the hour in which billed spend last grew.
    last_billed_until timestamptz,
    updated_at timestamptz default now() not null
  );
  create index campaign_spend_totals_updated_at_idx on app.campaign_spend_totals (updated_at);

  create table app.delivery_batches (
    id text collate "C" primary key,
    body_hash text not null,
    received_at timestamptz default now() not null,
    rows integer not null,
    spent bigint not null,
    overdelivered bigint not null,
    -- The billed facts until the fact store has them.
    facts jsonb,
    bidder text collate "C",
    fact_group text collate "C"
  );
  create index delivery_batches_fact_group_idx on app.delivery_batches (fact_group) where facts is not null;
  create index delivery_batches_received_at_idx on app.delivery_batches (received_at) where facts is not null;
  create index delivery_batches_received_at_idx1 on app.delivery_batches (received_at) where facts is null;

  create table app.delivery_charges (
    batch_id text collate "C" not null references app.delivery_batches(id),
    space_id text collate "C" not null,
    campaign_id text collate "C" not null,
    amount bigint not null,
    charged_at timestamptz default now() not null,
    -- Number of the account's settlement that contains it; null until there is one.
    settlement integer,
    hour timestamptz not null,
    -- Null for earlier charges: impressions were not counted by charge.
    impressions bigint,
    primary key (batch_id, campaign_id, hour)
  );
  create index delivery_charges_charged_at_idx on app.delivery_charges (charged_at) where settlement is null;
  create index delivery_charges_space_id_campaign_id_hour_idx on app.delivery_charges (space_id, campaign_id, hour);
  create index delivery_charges_space_id_settlement_idx on app.delivery_charges (space_id, settlement);

  create table app.pixel_keys (
    space_id text collate "C" primary key,
    key text collate "C" not null unique,
    created_at timestamptz default now() not null,
    -- origins: of pages; empty for any.
    enabled boolean default true not null,
    origins text[] default '{}' not null
  );

  create table app.report_files (
    mail_id text collate "C" primary key,
    filename text not null,
    content_type text not null,
    content bytea not null,
    made_at timestamptz default now() not null
  );

  create table app.saved_reports (
    id text collate "C" primary key,
    person_id text collate "C" not null references identity.people(id) on delete cascade,
    space_id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    name text not null,
    report json not null,
    schedule text not null,
    -- Day of a week from Monday, or of a month.
    schedule_day smallint,
    format text not null,
    -- When its next mail is due; null without a schedule.
    next_at timestamptz,
    created_at timestamptz not null
  );
  create index saved_reports_next_at_idx on app.saved_reports (next_at) where next_at is not null;
  create index saved_reports_person_id_space_id_idx on app.saved_reports (person_id, space_id);
  create index saved_reports_space_id_idx on app.saved_reports (space_id);

  -- Switching a pixel off, the sites that may use it, and the events that an account stored on a day.
  create table app.tracked_days (
    space_id text collate "C" not null,
    day date not null,
    events integer not null,
    primary key (space_id, day)
  );

  create table app.tracked_events (
    space_id text collate "C" not null,
    -- Given by the sender, unique in an account: a repeat is stored once.
    id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    name text collate "C" not null,
    time timestamptz not null,
    received_at timestamptz default now() not null,
    value double precision,
    device_model text,
    url text,
    custom_parameters jsonb not null,
    source text not null check (source in ('pixel', 'server')),
    -- The campaign that the event is attributed to.
    campaign_id text collate "C",
    -- Dimensions of its fact; set for conversions of a campaign alone.
    conversion jsonb,
    visitor text collate "C" not null,
    -- The batch that counts the conversion; null until there is one.
    counted_in text collate "C",
    primary key (space_id, id)
  );
  create index tracked_events_campaign_id_visitor_time_idx on app.tracked_events (campaign_id, visitor, "time")
    where (conversion is not null) and (counted_in is not null);
  create index tracked_events_received_at_idx on app.tracked_events (received_at)
    where (conversion is not null) and (counted_in is null);
  create index tracked_events_space_id_received_at_idx on app.tracked_events (space_id, received_at);
  create index tracked_events_space_id_time_id_idx on app.tracked_events (space_id, "time" desc, id);
  create index tracked_events_space_id_visitor_idx on app.tracked_events (space_id, visitor) where visitor <> id;
  create index tracked_events_time_idx on app.tracked_events ("time");
  create index tracked_events_whitelabel_id_time_id_idx on app.tracked_events (whitelabel_id, "time" desc, id);

  create table facts.batches (
    id text collate "C" primary key,
    stored_at timestamptz default now() not null
  );
  create index batches_stored_at_idx on facts.batches (stored_at);

  create table facts.day_groups (
    owner integer not null,
    grouping smallint not null,
    day date not null,
    key integer not null,
    impressions bigint,
    clicks bigint,
    conversions bigint,
    unique_conversions bigint,
    conversions_unique_bid bigint,
    bids bigint,
    reach bigint,
    bounces bigint,
    engagements bigint,
    completed_views bigint,
    spent bigint,
    overdelivered bigint,
    primary key (owner, grouping, day, key)
  ) partition by range (day);

  create table facts.day_totals (
    owner integer not null,
    day date not null,
    -- Bits of the groupings that have no rollup: they are summed from rows.
    wide smallint not null,
    -- True once the rows of the day are removed: rows that still come are not in these sums.
    rows_removed boolean default false not null,
    impressions bigint,
    clicks bigint,
    conversions bigint,
    unique_conversions bigint,
    conversions_unique_bid bigint,
    bids bigint,
    reach bigint,
    bounces bigint,
    engagements bigint,
    completed_views bigint,
    spent bigint,
    overdelivered bigint,
    primary key (owner, day)
  ) partition by range (day);

  create table facts.hours (
    owner integer not null,
    hour timestamptz not null,
    impressions bigint,
    clicks bigint,
    conversions bigint,
    unique_conversions bigint,
    conversions_unique_bid bigint,
    bids bigint,
    reach bigint,
    bounces bigint,
    engagements bigint,
    completed_views bigint,
    spent bigint,
    overdelivered bigint,
    primary key (owner, hour)
  ) partition by range (hour);

  create table facts.names (
    id integer generated always as identity primary key,
    -- The first half of the SHA-256 of the name in UTF-8: names can be longer than an index allows.
    digest bytea not null unique,
    name text collate "C" not null
  );

  create table facts.owners (
    id integer generated always as identity primary key,
    campaign_id text collate "C" not null,
    space_id text collate "C" not null,
    whitelabel_id text collate "C" not null,
    unique (campaign_id, space_id, whitelabel_id)
  );
  create index owners_space_id_idx on facts.owners (space_id);
  create index owners_whitelabel_id_idx on facts.owners (whitelabel_id);

  create table facts.rows (
    hour timestamptz not null,
    owner integer not null,
    creative_id integer not null,
    size integer not null,
    exchange integer not null,
    publisher integer not null,
    app_or_site integer not null,
    os integer not null,
    country integer not null,
    region integer not null,
    city integer not null,
    device_type_key smallint not null,
    impressions bigint,
    clicks bigint,
    conversions bigint,
    unique_conversions bigint,
    conversions_unique_bid bigint,
    bids bigint,
    reach bigint,
    bounces bigint,
    engagements bigint,
    completed_views bigint,
    spent bigint,
    overdelivered bigint
  ) partition by range (hour);
  create index rows_hour_idx on ONLY facts.rows using brin (hour);
  create index rows_owner_hour_idx on ONLY facts.rows (owner, hour);

  create table facts.unsummed_days (
    day date primary key,
    -- True while its rollups are being written: rows that come meanwhile set it back.
    summing boolean default false not null
  );

  create view unsettled_charges as select space_id, settlement, amount from app.delivery_charges;
`
