import { sql, type Kysely } from 'kysely'
import { dayIn } from '#domain/kit/time-zone'
import type { Micros } from '#domain/kit/money'
import type { Db } from '#migrations/db'
import { notify, type NotifyKit } from './notifications/notify.ts'

/** Any number: one call at a time counts against the limit of a white-label. */
const LIMIT_LOCK = 7_260_001
/** Most that may wait in a white-label. */
const MOST_WAITING = 500
/** How long what one person did alone is kept, days: longer than any local day. */
const KEPT_DAYS = 3

/** What is carried out once a second person confirms it. */
export type HandCommand =
  | { readonly kind: 'credit'; readonly amount: Micros; readonly comment: string }
  | { readonly kind: 'credit_note'; readonly invoice_id: string; readonly amount: Micros; readonly comment: string }
  | { readonly kind: 'limit'; readonly limit: Micros | null; readonly comment: string }

export type Asked = {
  readonly id: string
  readonly whitelabelId: string
  readonly spaceId: string | null
  readonly userId: string
  readonly command: HandCommand
}
export type HandEntry = Asked & { readonly at: string }

export type CountedMoney = {
  readonly id: string
  readonly whitelabelId: string
  readonly spaceId: string
  readonly userId: string
  readonly kind: 'payment' | HandCommand['kind']
  readonly amount: Micros
}

/**
 * The rule of the second person (fine print 63). What one person does alone counts against the white-label's limit: the sum of a local day
 * over all kinds and currencies, as numbers. The rest waits for another one.
 */
export function createMoneyByHand(kit: NotifyKit & { readonly db: Kysely<Db> }) {
  const { db, now, whiteLabels } = kit
  return {
    /**
     * Counts an amount; `alone` is false when the person's sum of the day would pass the limit, and then nothing is counted. `fresh` is
     * false for a repeat, which is counted already.
     */
    count: ({ id, whitelabelId, spaceId, userId, kind, amount }: CountedMoney) =>
      db.transaction().execute(async (tx) => {
        const { payment_approval_limit: limit } = await whiteLabels.settingsOf(whitelabelId)
        const day = dayIn(now(), whiteLabels.brandOf(whitelabelId).zone)
        const counted = Math.abs(amount)
        // Of two calls at once, the second counts the first ("two calls at once do not pass the limit together").
        await sql`select pg_advisory_xact_lock(${LIMIT_LOCK}, hashtext(${whitelabelId}))`.execute(tx)
        const { rows: known } = await sql<{ readonly state: string }>`
          select state from app.money_by_hand where id = ${id}`.execute(tx)
        if (known[0] !== undefined) return { alone: known[0].state === 'alone', fresh: false }
        const { rows } = await sql<{ readonly sum: number }>`
          select coalesce(sum(counted), 0)::float8 as sum from app.money_by_hand
          where whitelabel_id = ${whitelabelId} and user_id = ${userId} and day = ${day} and state = 'alone'`.execute(tx)
        if (limit !== null && (rows[0]?.sum ?? 0) + counted > limit) return { alone: false, fresh: true }
        await sql`
          insert into app.money_by_hand (id, whitelabel_id, space_id, kind, user_id, day, counted, state)
          values (${id}, ${whitelabelId}, ${spaceId}, ${kind}, ${userId}, ${day}, ${counted}, 'alone')`.execute(tx)
        return { alone: true, fresh: true }
      }),

    /** What was counted did not happen, or waits for a second person. */
    async uncount(id: string): Promise<void> {
      await sql`delete from app.money_by_hand where id = ${id} and state = 'alone'`.execute(db)
    },

    /**
     * Stores what waits for a second person, and notifies the other owners of the white-label; false when too much waits already. A repeat
     * changes nothing.
     */
    async ask({ id, whitelabelId, spaceId, userId, command }: Asked): Promise<boolean> {
      const { rows } = await sql<{ readonly known: boolean; readonly waiting: number }>`
        select exists (select from app.money_by_hand where id = ${id}) as known,
          (select count(*)::int from app.money_by_hand where whitelabel_id = ${whitelabelId} and state in ('pending', 'approved')) as waiting`.execute(
        db,
      )
      if (rows[0]?.known !== true && (rows[0]?.waiting ?? 0) >= MOST_WAITING) return false
      await db.transaction().execute(async (tx) => {
        await sql`
          insert into app.money_by_hand (id, whitelabel_id, space_id, kind, user_id, day, counted, state, command)
          values (${id}, ${whitelabelId}, ${spaceId}, ${command.kind}, ${userId}, '', 0, 'pending', ${JSON.stringify(command)}::jsonb)
          on conflict (id) do nothing`.execute(tx)
        await notify(tx, kit, {
          kind: 'approval-asked',
          cause: `approval ${id}`,
          whitelabelId,
          spaceId: spaceId ?? '',
          at: now(),
          data: { approval: command.kind, comment: command.comment },
          colleaguesOf: userId,
        })
      })
      return true
    },

    /** What waits, oldest first: of one white-label, or of all for null. */
    waiting: (whitelabelId: string | null) =>
      entries(db, sql`state = 'pending' and (${whitelabelId}::text is null or whitelabel_id = ${whitelabelId})`),

    /** What a process confirmed and did not carry out before it ended. */
    unfinished: () => entries(db, sql`state = 'approved' and decided_at < now() - interval '5 seconds'`),

    async find(id: string) {
      const { rows } = await sql<Row & { readonly state: string }>`
        select ${ROW}, state from app.money_by_hand where id = ${id} and state <> 'alone'`.execute(db)
      const [row] = rows
      return row === undefined ? null : { ...entryOf(row), state: row.state, decidedBy: row.decided_by }
    },

    /** Decides what waits; false when it was decided before. */
    async decide(id: string, state: 'approved' | 'rejected', by: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update app.money_by_hand set state = ${state}, decided_by = ${by}, decided_at = now()
        where id = ${id} and state = 'pending'`.execute(db)
      return numAffectedRows === 1n
    },

    async close(id: string, state: 'done' | 'failed'): Promise<void> {
      await sql`update app.money_by_hand set state = ${state} where id = ${id} and state = 'approved'`.execute(db)
    },

    async purge(): Promise<void> {
      await sql`
        delete from app.money_by_hand
        where state = 'alone' and created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db)
    },
  }
}
export type MoneyByHand = ReturnType<typeof createMoneyByHand>

type Row = {
  readonly id: string
  readonly whitelabel_id: string
  readonly space_id: string | null
  readonly user_id: string
  readonly command: HandCommand
  readonly created_at: Date
  readonly decided_by: string | null
}
const ROW = sql`id, whitelabel_id, space_id, user_id, command, created_at, decided_by`

const entryOf = (row: Row): HandEntry => ({
  id: row.id,
  whitelabelId: row.whitelabel_id,
  spaceId: row.space_id,
  userId: row.user_id,
  command: row.command,
  at: row.created_at.toISOString(),
})

async function entries(db: Kysely<Db>, condition: ReturnType<typeof sql>) {
  const { rows } = await sql<Row>`
    select ${ROW} from app.money_by_hand where ${condition} order by created_at, id limit ${MOST_WAITING}`.execute(db)
  return rows.map((row) => ({ ...entryOf(row), decidedBy: row.decided_by }))
}
