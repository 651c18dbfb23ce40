import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { phoneDigitsOf } from '../identity/people.ts'

/** Events read by one statement. */
const EVENTS_AT_ONCE = 20_000

/**
 * Takes the person out of the events of advertisers, who may have used the person's id or phone number for a visitor: otherwise the next
 * computation of an audience would bring them back. An event whose visitor is not known has its own id in place of one.
 */
export async function removeFromEvents(db: Kysely<Db>, id: string): Promise<void> {
  const phone = await phoneDigitsOf(db, id)
  const isThem = sql`(
    lower(replace(btrim(page.visitor), '-', '')) = ${id.toLowerCase().replaceAll('-', '')}
    or (page.visitor !~ '[^0-9 ().+-]' and regexp_replace(page.visitor, '[^0-9]', '', 'g') in (${phone ?? ''}, '00' || ${phone ?? ''})
      and ${phone !== null}))`
  for (let after = { space_id: '', id: '' }; ;) {
    const { rows } = await sql<typeof after>`
      with page as materialized (
        select space_id, id, visitor from app.tracked_events
        where (space_id, id) > (${after.space_id}, ${after.id}) order by space_id, id limit ${EVENTS_AT_ONCE}
      ), changed as (
        update app.tracked_events e set visitor = e.id from page where e.space_id = page.space_id and e.id = page.id and ${isThem}
      )
      select space_id, id from page order by space_id desc, id desc limit 1`.execute(db)
    const [last] = rows
    if (last === undefined) return
    after = last
  }
}
