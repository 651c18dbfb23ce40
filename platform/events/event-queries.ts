import { sql, type Kysely } from 'kysely'
import type { EventFilter, EventReach, EventReads, EventRow } from '#commands/events/events-port'
import type { Db } from '#migrations/db'

/** Newest events whose names are offered as filters. */
const NAMED_EVENTS = 10_000
const MOST_NAMES = 100

/** Reads of tracked events in PostgreSQL. */
export const createEventQueries = (db: Kysely<Db>): EventReads => ({
  async page(filter) {
    const where = conditions(filter)
    const { page, size } = filter
    const [found, counted] = await Promise.all([
      sql<EventRow>`
        select id, space_id, name, to_char(time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time, value, device_model, url,
               custom_parameters, source, campaign_id, conversion is not null as conversion
        from app.tracked_events where ${where} order by tracked_events.time desc, id limit ${size} offset ${page * size}`.execute(
        db,
      ),
      sql<{ readonly n: number }>`select count(*)::int as n from app.tracked_events where ${where}`.execute(db),
    ])
    return { rows: found.rows, total: counted.rows[0]?.n ?? 0 }
  },

  async names(reach) {
    const { rows } = await sql<{ readonly name: string }>`
      select distinct name from (
        select name from app.tracked_events where ${sql.join(inReach(reach), sql` and `)} order by time desc limit ${NAMED_EVENTS}
      ) newest order by name limit ${MOST_NAMES}`.execute(db)
    return rows.map(({ name }) => name)
  },

  async purge(before, limit) {
    await sql`delete from app.tracked_days where day < (now() at time zone 'UTC')::date - 7`.execute(db)
    const { rows } = await sql`
      delete from app.tracked_events where (space_id, id) in (
        select space_id, id from app.tracked_events where time < ${before}::timestamptz limit ${limit}
      ) returning 1`.execute(db)
    return rows.length
  },
})

const inReach = ({ spaceId, whitelabelId }: EventReach) => [
  sql`true`,
  ...(spaceId === null ? [] : [sql`space_id = ${spaceId}`]),
  ...(whitelabelId === null ? [] : [sql`whitelabel_id = ${whitelabelId}`]),
]

const conditions = ({ reach, from, to, name }: EventFilter) =>
  sql.join(
    [
      ...inReach(reach),
      ...(from === null ? [] : [sql`time >= ${from}::timestamptz`]),
      ...(to === null ? [] : [sql`time <= ${to}::timestamptz`]),
      ...(name === null ? [] : [sql`name = ${name}`]),
    ],
    sql` and `,
  )
