import { sql, type Kysely } from 'kysely'
import type { Db } from '#migrations/db'

/** How long a submission is held without activity, minutes (fine print 101). */
export const HOLD_MINUTES = 10
/** How long rows stay that no longer hold, for polls of changes and read models that are late. */
const KEPT = sql`interval '1 hour'`

/** A live hold; `since` and `until` are ISO 8601 UTC. */
export type Hold = { readonly personId: string; readonly since: string; readonly until: string }

/** Whether a row `h` keeps others from the submission. */
const LIVE = sql<boolean>`(h.state = 'held' and h.until > clock_timestamp())`
const ISO = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
const SHOWN = sql`
  h.person_id as "personId", to_char(h.since at time zone 'UTC', ${ISO}) as since,
  to_char(h.until at time zone 'UTC', ${ISO}) as until`

type Taking = {
  readonly campaignId: string
  readonly personId: string
  /** Also from another person who holds it. */
  readonly takeOver: boolean
}
type Decided = {
  readonly campaignId: string
  readonly whitelabelId: string
  /** ISO 8601 UTC. */
  readonly moderationStartAt: string
  readonly personId: string
}

/** Holds of waiting submissions, and assignments (fine print 101). The time is that of the database: processes have one clock. */
export const createReviewHolds = (db: Kysely<Db>) => ({
  /**
   * Takes the waiting submission of a campaign, or renews the hold of the person. Returns who holds it afterwards; null when nothing
   * waits, or it was decided a moment ago.
   */
  async take({ campaignId, personId, takeOver }: Taking): Promise<Hold | null> {
    const { rows } = await sql<Hold>`
      insert into app.review_holds as h
        (campaign_id, whitelabel_id, moderation_start_at, person_id, state, since, until, changed_at)
      select q.campaign_id, q.whitelabel_id, q.moderation_start_at, ${personId}, 'held', clock_timestamp(),
             clock_timestamp() + make_interval(mins => ${HOLD_MINUTES}), clock_timestamp()
      from rm_moderation_queue q
      where q.campaign_id = ${campaignId} and q.submission is not null and not q.archived
      on conflict (campaign_id) do update
        set moderation_start_at = excluded.moderation_start_at, person_id = excluded.person_id, state = 'held',
            -- A renewal is no change that others see.
            since = case when ${LIVE} and h.person_id = excluded.person_id and h.moderation_start_at = excluded.moderation_start_at
                         then h.since else excluded.since end,
            changed_at = case when ${LIVE} and h.person_id = excluded.person_id
                                   and h.moderation_start_at = excluded.moderation_start_at
                              then h.changed_at else excluded.changed_at end,
            until = excluded.until
        -- 1. The first of many users who take one submission at once holds it
        --    ("a submission that 30 moderators take at once is held by one").
        where h.moderation_start_at < excluded.moderation_start_at
          or (h.moderation_start_at = excluded.moderation_start_at
              -- 2. The read model shows a decided submission a little longer ("does not offer again what was decided").
              and h.state <> 'decided'
              and (not ${LIVE} or h.person_id = excluded.person_id or ${takeOver}))
      returning ${SHOWN}`.execute(db)
    return rows[0] ?? holdOf(db, campaignId)
  },

  /** Holder of the waiting submission of a campaign; null without a live hold. */
  holdOf: (campaignId: string) => holdOf(db, campaignId),

  /** Ends the hold of this person. */
  async release(campaignId: string, personId: string): Promise<void> {
    await sql`
      update app.review_holds h set state = 'released', changed_at = clock_timestamp()
      where h.campaign_id = ${campaignId} and h.person_id = ${personId} and h.state = 'held'`.execute(db)
  },

  /** Keeps a decided submission off the queue until the read model knows. */
  async decided({ campaignId, whitelabelId, moderationStartAt, personId }: Decided): Promise<void> {
    await sql`
      insert into app.review_holds as h
        (campaign_id, whitelabel_id, moderation_start_at, person_id, state, since, until, changed_at)
      values (${campaignId}, ${whitelabelId}, ${moderationStartAt}, ${personId}, 'decided', clock_timestamp(), clock_timestamp(),
              clock_timestamp())
      on conflict (campaign_id) do update
        set moderation_start_at = excluded.moderation_start_at, person_id = excluded.person_id, state = 'decided',
            until = excluded.until, changed_at = excluded.changed_at
        -- The next submission may be held already.
        where h.moderation_start_at <= excluded.moderation_start_at`.execute(db)
  },

  /** Assigns the waiting submission of a campaign; null for no person. False when nothing waits, or it was decided a moment ago. */
  async assign(campaignId: string, personId: string | null): Promise<boolean> {
    const { numAffectedRows } = await sql`
      insert into app.review_assignments (campaign_id, whitelabel_id, moderation_start_at, person_id, changed_at)
      select q.campaign_id, q.whitelabel_id, q.moderation_start_at, ${personId}, clock_timestamp()
      from rm_moderation_queue q
      where q.campaign_id = ${campaignId} and q.submission is not null and not q.archived
        -- The read model shows a decided submission a little longer ("a submission cannot be assigned once it was decided").
        and not exists (select from app.review_holds h
                        where h.campaign_id = q.campaign_id and h.moderation_start_at = q.moderation_start_at and h.state = 'decided')
      on conflict (campaign_id) do update
        set moderation_start_at = excluded.moderation_start_at, person_id = excluded.person_id,
            changed_at = excluded.changed_at`.execute(db)
    return numAffectedRows === 1n
  },

  /** Removes holds that are over, and assignments of submissions that no longer wait. */
  async purge(): Promise<void> {
    await sql`delete from app.review_holds h where not ${LIVE} and h.changed_at < now() - ${KEPT}
      and h.until < now() - ${KEPT}`.execute(db)
    await sql`
      delete from app.review_assignments a
      where a.changed_at < now() - ${KEPT} and not exists (
        select from rm_moderation_queue q
        where q.campaign_id = a.campaign_id and q.moderation_start_at = a.moderation_start_at and a.person_id is not null)`.execute(
      db,
    )
  },
})
export type ReviewHolds = ReturnType<typeof createReviewHolds>

async function holdOf(db: Kysely<Db>, campaignId: string): Promise<Hold | null> {
  const { rows } = await sql<Hold>`
    select ${SHOWN} from app.review_holds h
    where h.campaign_id = ${campaignId} and ${LIVE}
      and exists (select from rm_moderation_queue q
                  where q.campaign_id = h.campaign_id and q.moderation_start_at = h.moderation_start_at)`.execute(db)
  return rows[0] ?? null
}
