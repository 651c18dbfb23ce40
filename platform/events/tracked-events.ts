import { sql, type Kysely } from 'kysely'
import type { TrackedEvents } from '#commands/events/events-port'
import type { ConversionDimensions } from '#domain/events/conversion-fact'
import { allOf } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { derivedId } from '../ids.ts'

/** Any number: one process at a time gathers conversions, or two of them could both count a visitor's first one. */
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
          (space_id, whitelabel_id, id, name, time, value, device_model, url, custom_parameters, source, campaign_id, conversion, visitor)
        select ${spaceId}, ${whitelabelId}, id, name, time, value, device_model, url, custom_parameters, source, campaign_id, conversion,
               visitor
        from json_to_recordset(${text}::json) as t(
          id text, name text, time timestamptz, value float8, device_model text, url text, custom_parameters jsonb, source text,
          campaign_id text, conversion jsonb, visitor text)
        -- Of events with the same id, in this call or before, the first counts ("an event id counts once").
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
          select space_id, id, whitelabel_id, campaign_id, time, conversion, visitor,
                 (time at time zone 'UTC')::date as day
          from app.tracked_events where conversion is not null and counted_in is null and space_id = ${spaceId}
          order by received_at, space_id, id limit ${limit}
        )
        select space_id, id, whitelabel_id, campaign_id, time, conversion,
               row_number() over (partition by campaign_id, visitor, day order by time, space_id, id) = 1
                 and not exists (
                   select from app.tracked_events before
                   where before.campaign_id = due.campaign_id and before.visitor = due.visitor
                     and before.conversion is not null and before.counted_in is not null
                     and before.time >= due.day::timestamp at time zone 'UTC'
                     and before.time < (due.day + 1)::timestamp at time zone 'UTC'
                 ) as first
        from due order by space_id, id`.execute(tx)
      if (rows.length === 0) return null
      const id = `events/${derivedId('conversions', ...rows.map((row) => `${row.space_id}/${row.id}`))}`
      const facts = rows.map(({ id: _, conversion, first, time, ...of }) =>
        toFact({ ...of, ...conversion, time: time.toISOString(), unique: first }),
      )
      const counts = { rows: facts.length, spent: 0, overdelivered: 0 }
      await tx
        .insertInto('app.delivery_batches')
        .values({ id, body_hash: '', bidder: null, ...counts, facts: JSON.stringify(facts), fact_group: id })
        .execute()
      await sql`
        update app.tracked_events e set counted_in = ${id}
        from unnest(${rows.map((row) => row.space_id)}::text[], ${rows.map((row) => row.id)}::text[]) as t(space_id, id)
        where e.space_id = t.space_id and e.id = t.id`.execute(tx)
      return { id, facts }
    }),
})

type UncountedRow = {
  readonly space_id: string
  readonly id: string
  readonly whitelabel_id: string
  readonly campaign_id: string
  readonly time: Date
  readonly conversion: ConversionDimensions
  readonly first: boolean
}
