import { sql, type Kysely, type Selection, type SelectQueryBuilder } from 'kysely'
import { dayIn } from '#domain/kit/time-zone'
import type { Micros } from '#domain/kit/money'
import { notify, type NotifyKit } from '../notifications/notify.ts'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

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
  const inState = (state: string) => db.selectFrom('app.money_by_hand').where('state', '=', state)
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
        const known = await tx.selectFrom('app.money_by_hand').select('state').where('id', '=', id).executeTakeFirst()
        if (known !== undefined) return { alone: known.state === 'alone', fresh: false }
        const before = await tx
          .selectFrom('app.money_by_hand')
          .select(sql<number>`coalesce(sum(counted), 0)::float8`.as('sum'))
          .where('whitelabel_id', '=', whitelabelId)
          .where('user_id', '=', userId)
          .where('day', '=', day)
          .where('state', '=', 'alone')
          .executeTakeFirst()
        if (limit !== null && (before?.sum ?? 0) + counted > limit) return { alone: false, fresh: true }
        await tx
          .insertInto('app.money_by_hand')
          .values({ id, whitelabel_id: whitelabelId, space_id: spaceId, kind, user_id: userId, day, counted, state: 'alone' })
          .execute()
        return { alone: true, fresh: true }
      }),

    /** What was counted did not happen, or waits for a second person. */
    async uncount(id: string): Promise<void> {
      await db.deleteFrom('app.money_by_hand').where('id', '=', id).where('state', '=', 'alone').execute()
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
        await tx
          .insertInto('app.money_by_hand')
          .values({
            id,
            whitelabel_id: whitelabelId,
            space_id: spaceId,
            kind: command.kind,
            user_id: userId,
            day: '',
            counted: 0,
            state: 'pending',
            command: JSON.stringify(command),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute()
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
      entries(inState('pending').$if(whitelabelId !== null, (found) => found.where('whitelabel_id', '=', whitelabelId))),

    /** What a process confirmed and did not carry out before it ended. */
    unfinished: () => entries(inState('approved').where('decided_at', '<', sql<Date>`now() - interval '5 seconds'`)),

    async find(id: string) {
      const row = await db
        .selectFrom('app.money_by_hand')
        .select([...ROW, 'state'])
        .where('id', '=', id)
        .where('state', '<>', 'alone')
        .executeTakeFirst()
      return row === undefined ? null : { ...entryOf(row), state: row.state, decidedBy: row.decided_by }
    },

    /** Decides what waits; false when it was decided before. */
    async decide(id: string, state: 'approved' | 'rejected', by: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.money_by_hand')
        .set({ state, decided_by: by, decided_at: NOW })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async close(id: string, state: 'done' | 'failed'): Promise<void> {
      await db.updateTable('app.money_by_hand').set({ state }).where('id', '=', id).where('state', '=', 'approved').execute()
    },

    async purge(): Promise<void> {
      await db
        .deleteFrom('app.money_by_hand')
        .where('state', '=', 'alone')
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}
export type MoneyByHand = ReturnType<typeof createMoneyByHand>

const ROW = [
  'id',
  'whitelabel_id',
  'space_id',
  'user_id',
  sql<HandCommand>`command`.as('command'),
  'created_at',
  'decided_by',
] as const
type Row = Selection<Db, 'app.money_by_hand', (typeof ROW)[number]>

const entryOf = (row: Row): HandEntry => ({
  id: row.id,
  whitelabelId: row.whitelabel_id,
  spaceId: row.space_id,
  userId: row.user_id,
  command: row.command,
  at: row.created_at.toISOString(),
})

async function entries(found: SelectQueryBuilder<Db, 'app.money_by_hand', object>) {
  const rows = await found.select(ROW).orderBy('created_at').orderBy('id').limit(MOST_WAITING).execute()
  return rows.map((row) => ({ ...entryOf(row), decidedBy: row.decided_by }))
}
