import type { Reach } from '../list/queries.ts'
import { pageAndTotal } from '#projections/page-and-total'
import { sql, type Kysely, type NotNull } from 'kysely'
import type { Db } from '#migrations/db'

/** A waiting submission; `moderation_start_at` is ISO 8601 UTC. */
export type QueuedSubmission = {
  readonly campaign_id: string
  readonly campaign_name: string
  readonly space_id: string
  readonly space_name: string
  readonly currency: string
  readonly submission: number
  readonly moderation_start_at: string
  readonly status_key: number
  /** Something of this campaign was approved before. */
  readonly re_review: boolean
  /** Nothing of this account was approved before. */
  readonly first_review: boolean
  /** Submissions of this account that wait, this one among them. */
  readonly account_waiting: number
  readonly goal: string | null
  readonly type: string | null
  readonly creatives: number
  readonly holder: { readonly id: string; readonly since: string; readonly until: string } | null
  readonly assignee_id: string | null
}

const JOINED = sql`rm_moderation_queue q join rm_campaign_list l on l.id = q.campaign_id
  left join app.review_holds h on h.campaign_id = q.campaign_id and h.moderation_start_at = q.moderation_start_at
  left join app.review_assignments s on s.campaign_id = q.campaign_id and s.moderation_start_at = q.moderation_start_at`
const HELD = sql`coalesce(h.state = 'held' and h.until > clock_timestamp(), false)`
const ISO = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')

/** Submissions as this person sees them: their own, those that no other moderator has, or all (fine print 101). */
export type QueueChoice = { readonly filter: 'mine' | 'free' | 'all'; readonly personId: string }

const chosen = ({ filter, personId }: QueueChoice) =>
  ({
    all: sql`true`,
    mine: sql`((${HELD} and h.person_id = ${personId}) or s.person_id = ${personId})`,
    free: sql`((not ${HELD} or h.person_id = ${personId}) and coalesce(s.person_id, ${personId}) = ${personId})`,
  })[filter]

/** Waiting submissions within reach, longest waiting first, which is the order in which they are due. */
export async function moderationQueue(
  db: Kysely<Db>,
  { whitelabelId, spaceId }: Reach,
  choice: QueueChoice,
  page: number,
  size: number,
) {
  const where = sql.join(
    [
      sql`q.submission is not null and not q.archived`,
      // The read model is a little late: what was decided is no longer offered ("does not offer again what was decided").
      sql`h.state is distinct from 'decided'`,
      chosen(choice),
      ...(whitelabelId === null ? [] : [sql`q.whitelabel_id = ${whitelabelId}`]),
      ...(spaceId === null ? [] : [sql`l.space_id = ${spaceId}`]),
    ],
    sql` and `,
  )
  return pageAndTotal(db, {
    found: sql`select q.campaign_id, q.moderation_start_at from ${JOINED} where ${where}`,
    order: sql`page.moderation_start_at, page.campaign_id`,
    page,
    size,
    // Account data is read for the rows of the page only.
    shown: sql<QueuedSubmission>`
      select q.campaign_id, l.name as campaign_name, l.space_id, coalesce(a.name, '') as space_name,
             coalesce(a.currency, 'USD') as currency, q.submission, q.moderation_start_at, l.status_key, q.re_review,
             not exists (select from rm_campaign_list o where o.space_id = l.space_id and o.approved) as first_review,
             (select count(*)::int from rm_moderation_queue w join rm_campaign_list o on o.id = w.campaign_id
              where o.space_id = l.space_id and w.submission is not null and not w.archived) as account_waiting,
             l.goal, l.type, l.creatives, s.person_id as assignee_id,
             case when ${HELD} then json_build_object('id', h.person_id,
               'since', to_char(h.since at time zone 'UTC', ${ISO}), 'until', to_char(h.until at time zone 'UTC', ${ISO})) end as holder
      from page join ${JOINED} on q.campaign_id = page.campaign_id left join rm_accounts a on a.space_id = l.space_id`,
  })
}

/** When the longest waiting submissions of a white-label, or of all for null, were sent; oldest first, at most `limit`. */
export async function waitingSince(db: Kysely<Db>, whitelabelId: string | null, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('rm_moderation_queue')
    .select('moderation_start_at')
    .where('submission', 'is not', null)
    .where('archived', '=', false)
    .$if(whitelabelId !== null, (found) => found.where('whitelabel_id', '=', whitelabelId))
    .$narrowType<{ moderation_start_at: NotNull }>()
    .orderBy('moderation_start_at')
    .limit(limit)
    .execute()
  return rows.map(({ moderation_start_at: at }) => at)
}
