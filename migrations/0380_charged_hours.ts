import { sql, type Kysely } from 'kysely'

/**
 * What an account was charged, one row for a campaign and hour: settled charges are added to it, and invoices take it. The charges of
 * single batches are kept as long as settlements are compared with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Updated at every settlement: room in its pages keeps these updates out of the indexes.
  await sql`
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
      late boolean not null default false,
      primary key (space_id, campaign_id, hour, first_settlement)
    ) with (fillfactor = 80)`.execute(db)
  await sql`
    insert into app.charged_hours
      (space_id, campaign_id, hour, first_settlement, last_settlement, amount, impressions, invoice_id, late)
    select space_id, campaign_id, hour, min(settlement), max(settlement), sum(amount),
      case when bool_and(impressions is not null) then sum(impressions) end, invoice_id, late
    from (
      select *, count(*) filter (where begins) over (partition by space_id, campaign_id, hour order by settlement) as part
      from (
        select c.*, (c.invoice_id, c.late) is distinct from
          (lag(c.invoice_id) over same_hour, lag(c.late) over same_hour) as begins
        from app.delivery_charges c
        join app.settlements s on s.space_id = c.space_id and s.number = c.settlement and s.recorded
        window same_hour as (partition by c.space_id, c.campaign_id, c.hour order by c.settlement)
      ) charges
    ) parts
    group by space_id, campaign_id, hour, part, invoice_id, late`.execute(db)
  await sql`create index on app.charged_hours (space_id, hour)`.execute(db)
  await sql`create index charged_hours_open on app.charged_hours (space_id, hour, campaign_id) where invoice_id is null`.execute(
    db,
  )
  await sql`create index on app.charged_hours (invoice_id, campaign_id, hour) where invoice_id is not null`.execute(db)
  await sql`alter table app.delivery_charges drop column invoice_id, drop column late`.execute(db)
  await sql`drop index app.delivery_charges_space_id_hour_idx`.execute(db)
  await sql`create index on app.delivery_charges (space_id, campaign_id, hour)`.execute(db)
  // False while charges are being taken, in several transactions.
  await sql`alter table app.invoice_attempts add column complete boolean not null default true`.execute(db)
  // The newest settlement whose batches are forgotten: sums of its account are all that is left of it and of those before.
  await sql`
    create table app.condensed_settlements (
      space_id text collate "C" primary key,
      number integer not null,
      condensed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index on app.settlements (made_at) where recorded`.execute(db)
}
