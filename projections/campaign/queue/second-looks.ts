import { sql, type Kysely } from 'kysely'
import { OPEN_DAYS } from '#domain/campaign/review/second-look'
import type { Db } from '#migrations/db'
import { pageAndTotal } from '#projections/page-and-total'

/** An approval of the sample that waits for a second moderator; times are ISO 8601 UTC (fine print 104). */
export type OpenLook = {
  readonly campaign_id: string
  readonly campaign_name: string
  readonly space_id: string
  readonly space_name: string
  /** The revision of the approval. */
  readonly approval: number
  readonly approver_id: string
  readonly approved_at: string
  readonly expires_at: string
}
type Reader = {
  /** Null for all white-labels. */
  readonly whitelabelId: string | null
  readonly personId: string
  readonly homeSpaceId: string
}

const ISO = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
const iso = (time: ReturnType<typeof sql>) => sql<string>`to_char((${time}) at time zone 'UTC', ${ISO})`
const DAYS = sql`make_interval(days => ${OPEN_DAYS})`

/** Second looks that wait for a moderator, oldest first: nothing that they approved, and nothing of their own account. */
export const openSecondLooks = (db: Kysely<Db>, { whitelabelId, personId, homeSpaceId }: Reader, page: number, size: number) =>
  pageAndTotal(db, {
    found: sql`
      select s.campaign_id, s.approval, s.approved_at, s.approver_id
      from app.second_looks s join rm_campaign_list l on l.id = s.campaign_id
      where s.state = 'open' and s.approved_at > now() - ${DAYS} and s.approver_id <> ${personId}
        and l.space_id <> ${homeSpaceId} and ${whitelabelId === null ? sql`true` : sql`s.whitelabel_id = ${whitelabelId}`}`,
    order: sql`page.approved_at, page.campaign_id, page.approval`,
    page,
    size,
    shown: sql<OpenLook>`
      select page.campaign_id, l.name as campaign_name, l.space_id, coalesce(a.name, '') as space_name, page.approval,
        page.approver_id, ${iso(sql`page.approved_at`)} as approved_at, ${iso(sql`page.approved_at + ${DAYS}`)} as expires_at
      from page join rm_campaign_list l on l.id = page.campaign_id left join rm_accounts a on a.space_id = l.space_id`,
  })
