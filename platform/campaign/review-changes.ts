import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'
import { createPolledChanges, REACH_SECONDS, type PolledChanges } from '../database/polled-changes.ts'

/** The key of changes in every white-label. */
export const EVERY_WHITE_LABEL = '*'

/** Changed holds and assignments of submissions (fine print 101), by white-label. */
export const createReviewChanges = (db: Kysely<Db>, onError: (error: unknown) => void): PolledChanges =>
  createPolledChanges(async (keys) => {
    const { rows } = await sql<{ readonly key: string; readonly last: string }>`
      with changed as materialized (
        select whitelabel_id, changed_at from app.review_holds
        where changed_at > clock_timestamp() - make_interval(secs => ${REACH_SECONDS})
        union all
        select whitelabel_id, changed_at from app.review_assignments
        where changed_at > clock_timestamp() - make_interval(secs => ${REACH_SECONDS}))
      select coalesce(whitelabel_id, ${EVERY_WHITE_LABEL}) as key, max(changed_at)::text || ' ' || count(*) as last
      from changed group by grouping sets ((whitelabel_id), ())
      having count(*) > 0 and coalesce(whitelabel_id, ${EVERY_WHITE_LABEL}) = any(${keys})`.execute(db)
    return rows
  }, onError)
