import { sql, type Kysely } from 'kysely'
import { CLICK_DAYS, type ClickDays } from '#domain/events/confirmation'
import type { ConversionBatch, TrackedEvents } from '#commands/events/events-port'
import type { ConversionDimensions } from '#domain/events/conversion-fact'
import { allOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { derivedId } from '../ids.ts'

/**
 * Any number: one process at a time gathers or confirms conversions, or two of them could both count a visitor's first one, or one could
 * count as unconfirmed what the other confirms.
 */
const GATHER_LOCK = 7_201_700

/** Events that an account may send on a UTC day, repeats included: they are kept for a year, and the pixel's key is public. */
const MOST_A_DAY = 500_000

/** Tracked events in PostgreSQL. */
export const createTrackedEvents = (db: Kysely<Db>): TrackedEvents => ({
  add: ({ spaceId, whitelabelId }, events) =>
    db.transaction().execute(async (tx) => {
      const { rows: days } = await sql`
        insert into app.tracked_days as known (space_id, day, events)
        values (${spaceId}, (now() at time zone 'UTC')::date, ${events.length})
        on conflict (space_id, day) do update set events = known.events + excluded.events
          where known.events + excluded.events <= ${MOST_A_DAY} returning 1`.execute(tx)
      if (days.length === 0) return null
      // Ordered, so that two calls with the same events cannot deadlock.
      const text = JSON.stringify(events.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      const { rows } = await sql`
        insert into app.tracked_events
          (space_id, whitelabel_id, id, name, time, value, device_model, url, custom_parameters, source, campaign_id, conversion, visitor, mark)
        select ${spaceId}, ${whitelabelId}, id, name, time, value, device_model, url, custom_parameters, source, campaign_id, conversion,
               visitor, mark
        from json_to_recordset(${text}::json) as t(
          id text, name text, time timestamptz, value float8, device_model text, url text, custom_parameters jsonb, source text,
          campaign_id text, conversion jsonb, visitor text, mark text)
        -- The first of several events with the same id, in this call or before, counts ("an event id counts once").
        on conflict (space_id, id) do nothing returning 1`.execute(tx)
      return rows.length
    }),

  async uncounted(limit, except) {
    const { rows } = await sql<{ readonly space_id: string }>`
      select distinct space_id from (
        select space_id from app.tracked_events
        where conversion is not null and counted_in is null and space_id <> ${allOf(except)} order by received_at limit ${limit}
      ) longest`.execute(db)
    return rows.map(({ space_id: id }) => id)
  },

  gather: (spaceId, limit, toFact) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${GATHER_LOCK})`.execute(tx)
      const { rows } = await sql<UncountedRow>`
        with due as (
          select space_id, id, whitelabel_id, campaign_id, time, conversion, visitor, mark is not null as unconfirmed,
                 (time at time zone 'UTC')::date as day
          from app.tracked_events where conversion is not null and counted_in is null and space_id = ${spaceId}
          order by received_at, space_id, id limit ${limit}
        )
        select space_id, id, whitelabel_id, campaign_id, time, conversion, unconfirmed,
               row_number() over (partition by campaign_id, visitor, day, unconfirmed order by time, space_id, id) = 1
                 and not exists (
                   select from app.tracked_events before
                   where before.campaign_id = due.campaign_id and before.visitor = due.visitor
                     and before.conversion is not null and before.counted_in is not null and before.mark is null
                     and before.time >= due.day::timestamp at time zone 'UTC'
                     and before.time < (due.day + 1)::timestamp at time zone 'UTC'
                 ) as first
        from due order by space_id, id`.execute(tx)
      if (rows.length === 0) return null
      // A conversion that was counted as unconfirmed is gathered again once it is confirmed: another batch.
      const named = rows.map((row) => `${row.space_id}/${row.id}${row.unconfirmed ? '/unconfirmed' : ''}`)
      const id = `events/${derivedId('conversions', ...named)}`
      const facts = rows.map(({ id: _, conversion, first, time, ...of }) =>
        toFact({ ...of, ...conversion, time: time.toISOString(), unique: first }),
      )
      await addBatch(tx, { id, facts })
      await sql`
        update app.tracked_events e set counted_in = ${id}
        from unnest(${rows.map((row) => row.space_id)}::text[], ${rows.map((row) => row.id)}::text[]) as t(space_id, id)
        where e.space_id = t.space_id and e.id = t.id`.execute(tx)
      return { id, facts }
    }),

  async unclicked(after, limit) {
    // From one campaign to the next by the index: a campaign may have millions of such events.
    const { rows } = await sql<{ readonly id: string }>`
      with recursive found (id, n) as (
        (select campaign_id, 1 from app.tracked_events where mark = 'click' and campaign_id > ${after} order by campaign_id limit 1)
        union all
        select next.campaign_id, n + 1 from found cross join lateral (
          select e.campaign_id from app.tracked_events e where e.mark = 'click' and e.campaign_id > found.id order by e.campaign_id limit 1
        ) next where n < ${limit}
      ) select id from found`.execute(db)
    return rows.map(({ id }) => id)
  },

  async confirmable(clicks) {
    const days = [...clicks].flatMap(([id, own]) => datesOf(own).map((day) => ({ id, day })))
    const { rows } = await sql<{ readonly id: string }>`
      select distinct c.id from unnest(${days.map(({ id }) => id)}::text[], ${days.map(({ day }) => day)}::date[]) as c(id, day)
      where exists (
        select from app.tracked_events e where e.mark = 'click' and e.campaign_id = c.id and ${follows('e', 'c')}
      )`.execute(db)
    return rows.map(({ id }) => id)
  },

  confirm: (campaignId, clicks, limit, toFact) =>
    db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${GATHER_LOCK})`.execute(tx)
      const { rows } = await sql<ConfirmedRow>`
        with due as (
          select e.space_id, e.id, e.counted_in from app.tracked_events e
          where e.mark = 'click' and e.campaign_id = ${campaignId}
            and exists (select from unnest(${datesOf(clicks)}::date[]) as c(day) where ${follows('e', 'c')})
          order by e.time limit ${limit}
        )
        -- Received now: audiences that were determined before have not seen it.
        update app.tracked_events e set mark = null, counted_in = null, received_at = now()
        from due where e.space_id = due.space_id and e.id = due.id
        returning e.space_id, e.id, e.whitelabel_id, e.campaign_id, e.time, e.conversion, due.counted_in`.execute(tx)
      const counted = rows.filter((row) => row.counted_in !== null)
      if (counted.length === 0) return { confirmed: rows.length, batch: null }
      const named = counted.map((row) => `${row.space_id}/${row.id}`).toSorted()
      const facts = counted.map(({ id: _, counted_in: __, conversion, time, ...of }) =>
        toFact({ ...of, ...conversion, time: time.toISOString() }),
      )
      const batch = { id: `events/${derivedId('confirmations', ...named)}`, facts }
      await addBatch(tx, batch)
      return { confirmed: rows.length, batch }
    }),
})

/** Waits in the inbox, as its own group. */
async function addBatch(tx: Kysely<Db>, { id, facts }: ConversionBatch): Promise<void> {
  const counts = { rows: facts.length, spent: 0, overdelivered: 0 }
  await tx
    .insertInto('app.delivery_batches')
    .values({ id, body_hash: '', bidder: null, ...counts, facts: JSON.stringify(facts), fact_group: id })
    .execute()
}

const datesOf = (clicks: ClickDays): readonly string[] => clicks.map((day) => new Date(day).toISOString().slice(0, 10))

/** As `markOf` decides: the click's day is that of the event or one of the 30 before it. */
const follows = (event: string, click: string) => {
  const day = sql.ref(`${click}.day`)
  const time = sql.ref(`${event}.time`)
  return sql`${time} >= ${day}::timestamp at time zone 'UTC' and ${time} < (${day} + ${sql.lit(CLICK_DAYS)})::timestamp at time zone 'UTC'`
}

type ConversionRow = {
  readonly space_id: string
  readonly id: string
  readonly whitelabel_id: string
  readonly campaign_id: string
  readonly time: Date
  readonly conversion: ConversionDimensions
}
type UncountedRow = ConversionRow & { readonly first: boolean; readonly unconfirmed: boolean }
type ConfirmedRow = ConversionRow & { readonly counted_in: string | null }
