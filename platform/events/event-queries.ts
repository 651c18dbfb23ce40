import { sql, type Kysely } from 'kysely'
import type { EventReach, EventReads, EventRow } from '#commands/events/events-port'
import { isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Newest events whose names are offered as filters. */
const NAMED_EVENTS = 10_000
const MOST_NAMES = 100

/** Reads of tracked events in PostgreSQL. */
export const createEventQueries = (db: Kysely<Db>): EventReads => ({
  async page(filter) {
    const { page, size, from, to, name } = filter
    const matching = (unconfirmed: boolean) =>
      eventsIn(db, filter.reach, unconfirmed)
        .$if(from !== null, (found) => found.where('e.time', '>=', timestamptz(from ?? '')))
        .$if(to !== null, (found) => found.where('e.time', '<=', timestamptz(to ?? '')))
        .$if(name !== null, (found) => found.where('e.name', '=', name))
    const count = async (unconfirmed: boolean) => {
      const counted = matching(unconfirmed).select(sql<number>`count(*)::int`.as('count'))
      return (await counted.executeTakeFirst())?.count ?? 0
    }
    const [found, total, unconfirmed] = await Promise.all([
      matching(filter.unconfirmed)
        .select([
          'e.id',
          'e.space_id',
          'e.name',
          'e.value',
          'e.device_model',
          'e.url',
          'e.custom_parameters',
          'e.source',
          'e.campaign_id',
          'e.mark',
        ])
        .select((eb) => [isoText(eb.ref('e.time')).as('time'), eb('e.conversion', 'is not', null).as('conversion')])
        .$castTo<EventRow>()
        .orderBy('e.time', 'desc')
        .orderBy('e.id')
        .limit(size)
        .offset(page * size)
        .execute(),
      count(filter.unconfirmed),
      filter.unconfirmed ? null : count(true),
    ])
    return { rows: found, total, unconfirmed: unconfirmed ?? total }
  },

  async names(reach, unconfirmed) {
    const rows = await db
      .selectFrom(eventsIn(db, reach, unconfirmed).select('e.name').orderBy('e.time', 'desc').limit(NAMED_EVENTS).as('newest'))
      .select('newest.name')
      .distinct()
      .orderBy('newest.name')
      .limit(MOST_NAMES)
      .execute()
    return rows.map(({ name }) => name)
  },

  async purge(before, limit) {
    await db
      .deleteFrom('app.tracked_days')
      .where('day', '<', sql<string>`(now() at time zone 'UTC')::date - 7`)
      .execute()
    const { rows } = await sql`
      delete from app.tracked_events where (space_id, id) in (
        select space_id, id from app.tracked_events where time < ${before}::timestamptz limit ${limit}
      ) returning 1`.execute(db)
    return rows.length
  },
})

const eventsIn = (db: Kysely<Db>, { spaceId, whitelabelId }: EventReach, unconfirmed: boolean) =>
  db
    .selectFrom('app.tracked_events as e')
    .where('e.mark', unconfirmed ? 'is not' : 'is', null)
    .$if(spaceId !== null, (found) => found.where('e.space_id', '=', spaceId))
    .$if(whitelabelId !== null, (found) => found.where('e.whitelabel_id', '=', whitelabelId))
