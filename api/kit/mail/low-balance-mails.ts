import { sql, type Kysely } from 'kysely'
import { decodeAccountEvent } from '../../../domain/account/account.ts'
import { BALANCE_NOTICES, type BalanceNotice } from '../../../domain/account/low-balance.ts'
import { fromMicros } from '../../../domain/kit/money.ts'
import type { StoredEvent } from '../../../eventstore/event-store.ts'
import { ACCOUNT_STREAMS } from '../../../projections/accounts/accounts.ts'
import type { Kit } from '../kit.ts'
import { followSteadily } from '../steady-following.ts'
import { queueMail } from './mail-queue.ts'

const CURSOR = 'balance-notices'

type NoticesKit = Pick<Kit, 'accounts' | 'db' | 'logger' | 'stops' | 'store'>

/**
 * Queues a mail to the owner of an account when a notice of a low balance is raised that is more urgent than those before. The
 * position of the log is stored with the mails: after a crash nothing is missed, and ids of events keep repeats out. Notices from
 * before the first start of this version are not mailed.
 */
export async function startLowBalanceMails({ accounts, db, logger, stops, store }: NoticesKit): Promise<void> {
  const following = followSteadily(store, {
    after: await cursorOf(db, await store.head()),
    streams: [ACCOUNT_STREAMS],
    onPage: async ({ events, upTo }) => {
      for (const event of events) await noticed(event)
      await sql`update app.mail_cursor set position = greatest(position, ${String(upTo)}::bigint) where name = ${CURSOR}`.execute(
        db,
      )
    },
    onError: (error) => logger.error({ err: error }, 'notices of low balances could not be followed and are read again'),
  })
  stops.add(() => following.stop())

  async function noticed(stored: StoredEvent): Promise<void> {
    if (stored.type !== 'BalanceNoticesChanged') return
    const event = decodeAccountEvent(stored)
    if (event.type !== 'BalanceNoticesChanged') return
    const spaceId = stored.stream.slice(ACCOUNT_STREAMS.length)
    const account = await accounts.opened(spaceId)
    await db.transaction().execute(async (tx) => {
      const before = await noticesBefore(tx, spaceId, stored.version)
      if (before === null) return
      await sql`
        insert into app.mailed_notices (space_id, notices, version) values (${spaceId}, ${[...event.data.notices]}, ${stored.version})
        on conflict (space_id) do update set notices = excluded.notices, version = excluded.version`.execute(tx)
      const notice = raised(before, event.data.notices)
      if (notice === null || account === null) return
      for (const { id } of await ownersOf(tx, spaceId))
        await queueMail(tx, {
          id: `${stored.id}-${id}`,
          whitelabelId: account.whitelabel_id,
          to: { personId: id },
          template: 'low-balance',
          data: { notice, account: account.name, available: fromMicros(event.data.available), currency: account.currency },
        })
    })
  }
}

/** The most urgent notice that is new and more urgent than all before; null when there is none. */
function raised(before: readonly string[], now: readonly BalanceNotice[]): BalanceNotice | null {
  const rank = (notice: string) => BALANCE_NOTICES.findIndex((known) => known === notice)
  const worst = Math.min(BALANCE_NOTICES.length, ...before.map(rank))
  return now.find((notice) => rank(notice) < worst) ?? null
}

/** The stored position; the head of the log at the first start. */
async function cursorOf(db: Kysely<never>, head: bigint): Promise<bigint> {
  await sql`insert into app.mail_cursor (name, position) values (${CURSOR}, ${String(head)}::bigint) on conflict do nothing`.execute(
    db,
  )
  const { rows } = await sql<{ readonly position: string }>`
    select position::text from app.mail_cursor where name = ${CURSOR}`.execute(db)
  return BigInt(rows[0]?.position ?? '0')
}

/** The notices that an account had, locked for this transaction; null when this event was handled before. */
async function noticesBefore(tx: Kysely<never>, spaceId: string, version: number): Promise<readonly string[] | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`notices ${spaceId}`}, 7202))`.execute(tx)
  const { rows } = await sql<{ readonly notices: readonly string[]; readonly version: number }>`
    select notices, version from app.mailed_notices where space_id = ${spaceId}`.execute(tx)
  const [known] = rows
  if (known === undefined) return []
  return known.version >= version ? null : known.notices
}

/** Owners of an account who did not turn these mails off. */
async function ownersOf(db: Kysely<never>, spaceId: string): Promise<readonly { readonly id: string }[]> {
  const { rows } = await sql<{ readonly id: string }>`
    select id from identity.people
    where home_space_id = ${spaceId} and 'USER_OWNER' = any(roles) and status_key = 5
      and (settings #> '{notifications,balance}') is distinct from 'false'::jsonb
    order by created_at`.execute(db)
  return rows
}
