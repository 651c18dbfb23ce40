import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { createPolledChanges, REACH_SECONDS, type PolledChanges } from '../database/polled-changes.ts'

/** Changed notifications, by person. */
export const createNotificationChanges = (db: Kysely<Db>, onError: (error: unknown) => void): PolledChanges =>
  createPolledChanges(async (people) => {
    const { rows } = await sql<{ readonly key: string; readonly last: string }>`
      select person_id as key, max(changed_at)::text || ' ' || count(*) as last from app.notifications
      where changed_at > clock_timestamp() - make_interval(secs => ${REACH_SECONDS}) and person_id = any(${people})
      group by person_id`.execute(db)
    return rows
  }, onError)
