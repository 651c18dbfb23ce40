import { sql, type Kysely } from 'kysely'
import { isSampled, OPEN_DAYS } from '#domain/campaign/review/second-look'
import type { SecondLook } from '#domain/campaign/state'
import type { Db } from '#migrations/db'

/** Days for which outcomes are kept, for statistics. */
const KEPT_DAYS = 730
/** Approvals in one round of drawing. */
const ROUND = 500
/** Events that one round reads, so that the first one after an upgrade does not read a log of years at once. */
const SPAN = 200_000

const IS_OPEN = sql<boolean>`(s.state = 'open' and s.approved_at > now() - make_interval(days => ${OPEN_DAYS}))`

/** The sample of approvals, and what second moderators said (fine print 104). */
export const createSecondLooks = (db: Kysely<Db>) => ({
  /** Draws the sample from the approvals that the audit log has gained; `shareOf` is the percentage of a white-label now. */
  async draw(shareOf: (whitelabelId: string) => Promise<number>): Promise<void> {
    while (await drawSome(db, shareOf)) {}
  },

  /** User who approved it; null for an approval that is not in the sample, or whose time is over. */
  async approverOf(campaignId: string, approval: number): Promise<string | null> {
    const { rows } = await sql<{ approver_id: string }>`
      select s.approver_id from app.second_looks s
      where s.campaign_id = ${campaignId} and s.approval = ${approval}
        and (s.decided_at is not null or ${IS_OPEN})`.execute(db)
    return rows[0]?.approver_id ?? null
  },

  /** Records what the log says about a campaign; also after a process that ended between its event and this row. */
  async record(campaignId: string, { approval, outcome, by, at }: SecondLook): Promise<void> {
    await sql`
      update app.second_looks set state = ${outcome}, person_id = ${by}, decided_at = ${at}::timestamptz
      where campaign_id = ${campaignId} and approval = ${approval} and state = 'open'`.execute(db)
  },

  /** Ends what waited too long, and removes old outcomes. */
  async expire(): Promise<void> {
    await sql`update app.second_looks s set state = 'expired' where s.state = 'open' and not ${IS_OPEN}`.execute(db)
    await sql`delete from app.second_looks where state <> 'open' and approved_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
      db,
    )
  },
})
export type SecondLooks = ReturnType<typeof createSecondLooks>

type Approval = {
  readonly position: string
  readonly campaign_id: string
  readonly approval: number
  readonly whitelabel_id: string
  readonly approver_id: string
  readonly at: string
}

/**
 * Draws from some approvals; true when there may be more. What is read from elsewhere is read before the transaction: it holds one
 * connection.
 */
async function drawSome(db: Kysely<Db>, shareOf: (whitelabelId: string) => Promise<number>): Promise<boolean> {
  const { rows: heads } = await sql<{ from: string; upto: string; head: string }>`
    select position::text as "from", least(head, position + ${SPAN})::text as upto, head::text
    from app.second_look_progress, (select coalesce(max(position), 0) as head from rm_audit_log) as log`.execute(db)
  const { from, upto, head } = heads[0] ?? { from: '0', upto: '0', head: '0' }
  if (BigInt(upto) <= BigInt(from)) return false
  const { rows } = await sql<Approval>`
    select position::text, subject_id as campaign_id, revision as approval, whitelabel_id, actor as approver_id, at
    from rm_audit_log
    where position > ${from}::bigint and position <= ${upto}::bigint and type = 'CampaignApproved'
      and whitelabel_id is not null and actor not like 'system:%'
      and at::timestamptz > now() - make_interval(days => ${OPEN_DAYS})
    order by position limit ${ROUND}`.execute(db)
  const shares = new Map<string, number>()
  for (const { whitelabel_id: id } of rows) if (!shares.has(id)) shares.set(id, await shareOf(id))
  const sample = rows.filter((one) => isSampled(one.campaign_id, one.approval, shares.get(one.whitelabel_id) ?? 0))
  const isFull = rows.length === ROUND
  const next = isFull ? rows.at(-1)?.position : upto
  await db.transaction().execute(async (tx) => {
    // One of two processes moves on; the other finds that it did ("two processes that draw at once choose once").
    const { numAffectedRows } = await sql`
      update app.second_look_progress set position = ${next}::bigint where position = ${from}::bigint`.execute(tx)
    if (numAffectedRows !== 1n) return
    await sql`
      insert into app.second_looks (campaign_id, approval, whitelabel_id, approver_id, approved_at, state)
      select campaign_id, approval, whitelabel_id, approver_id, at, 'open'
      from json_to_recordset(${JSON.stringify(sample)}::json)
        as one (campaign_id text, approval integer, whitelabel_id text, approver_id text, at timestamptz)
      on conflict do nothing`.execute(tx)
  })
  return isFull || upto !== head
}
