import { sql, type Kysely, type Selection, type SelectQueryBuilder } from 'kysely'
import { dayIn } from '#domain/kit/time-zone'
import { APPROVAL_DAYS } from '#domain/kit/approval'
import type { Role, SingleRight } from '#domain/kit/access'
import type { Micros } from '#domain/kit/money'
import { notify, type NotifyKit } from '../notifications/notify.ts'
import { allOf, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Any number: one call at a time counts against the limit of a white-label. */
const LIMIT_LOCK = 7_260_001
/** Most that may wait in a white-label. */
const MOST_WAITING = 500
/** Most lost second factors that may wait in an account: those of advertisers must not take the places of money. */
const MOST_FACTORS = 5
/** How long what one person did alone is kept, days: longer than any local day. */
const KEPT_DAYS = 3

/** Most of what was decided that a list shows. */
const MOST_DECIDED = 100

/** Money by hand, and its limit (fine print 63). */
export type MoneyCommand =
  | { readonly kind: 'credit'; readonly amount: Micros; readonly comment: string }
  | { readonly kind: 'credit_note'; readonly invoice_id: string; readonly amount: Micros; readonly comment: string }
  | { readonly kind: 'limit'; readonly limit: Micros | null; readonly comment: string }

type ByOwner = { readonly by_administrator: boolean; readonly comment: '' }
/** Names and address of who is invited; removed once it is decided. */
export type InvitedPerson = { readonly email: string; readonly first_name: string; readonly last_name: string }

/** Roles and single rights of staff, and the end of the rule about them (fine print 87 and 89). */
export type RolesCommand =
  | (ByOwner & { readonly kind: 'invitation'; readonly roles: readonly Role[]; readonly person?: InvitedPerson })
  | (ByOwner & { readonly kind: 'roles'; readonly person_id: string; readonly roles: readonly Role[] })
  | (ByOwner & { readonly kind: 'reactivation' | 'hand_over'; readonly person_id: string })
  | (ByOwner & {
      readonly kind: 'right'
      readonly person_id: string
      readonly right: SingleRight
      readonly until: string | null
    })
  | { readonly kind: 'roles_alone'; readonly comment: '' }

/** The second factor of a person who lost it; the comment says how they were recognised (fine print 97). */
export type FactorCommand = { readonly kind: 'second_factor'; readonly person_id: string; readonly comment: string }

/** What is carried out once a second person confirms it. */
export type ApprovalCommand = MoneyCommand | RolesCommand | FactorCommand

export const DECIDED = ['done', 'failed', 'rejected', 'expired'] as const

export type Asked = {
  readonly id: string
  readonly whitelabelId: string
  readonly spaceId: string | null
  readonly userId: string
  readonly command: ApprovalCommand
}
export type ApprovalEntry = Asked & { readonly at: string }

export type CountedMoney = {
  readonly id: string
  readonly whitelabelId: string
  readonly spaceId: string
  readonly userId: string
  readonly kind: 'payment' | MoneyCommand['kind']
  readonly amount: Micros
}

/** While it waits and may be confirmed. */
const FRESH = sql<boolean>`created_at >= now() - make_interval(days => ${sql.lit(APPROVAL_DAYS)})`
/** Without the names of who was invited. */
const NAMELESS = sql<string>`command - 'person'`

/**
 * The rule of the second person. Money that one person moves alone counts against the white-label's limit: the sum of a local day over all
 * kinds and currencies, as numbers (fine print 63). The rest waits for another one, as roles of staff do where the white-label wants
 * it (87), and a lost second factor always (97).
 */
export function createSecondPerson(kit: NotifyKit & { readonly db: Kysely<Db> }) {
  const { db, now, whiteLabels } = kit
  const inState = (state: string) => db.selectFrom('app.second_person').where('state', '=', state)
  type Found = SelectQueryBuilder<Db, 'app.second_person', object>
  const of = (whitelabelId: string | null, found: Found): Found =>
    whitelabelId === null ? found : found.where('whitelabel_id', '=', whitelabelId)
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
        const known = await tx.selectFrom('app.second_person').select('state').where('id', '=', id).executeTakeFirst()
        if (known !== undefined) return { alone: known.state === 'alone', fresh: false }
        const before = await tx
          .selectFrom('app.second_person')
          .select(sql<number>`coalesce(sum(counted), 0)::float8`.as('sum'))
          .where('whitelabel_id', '=', whitelabelId)
          .where('user_id', '=', userId)
          .where('day', '=', day)
          .where('state', '=', 'alone')
          .executeTakeFirst()
        if (limit !== null && (before?.sum ?? 0) + counted > limit) return { alone: false, fresh: true }
        await tx
          .insertInto('app.second_person')
          .values({ id, whitelabel_id: whitelabelId, space_id: spaceId, kind, user_id: userId, day, counted, state: 'alone' })
          .execute()
        return { alone: true, fresh: true }
      }),

    /** What was counted did not happen, or waits for a second person. */
    async uncount(id: string): Promise<void> {
      await db.deleteFrom('app.second_person').where('id', '=', id).where('state', '=', 'alone').execute()
    },

    /**
     * Stores what waits for a second person, and notifies the other owners of the white-label; false when too much waits already. A repeat
     * changes nothing.
     */
    async ask({ id, whitelabelId, spaceId, userId, command }: Asked): Promise<boolean> {
      const isFactor = command.kind === 'second_factor'
      const alike = isFactor
        ? sql`kind = 'second_factor' and space_id = ${spaceId} and ${FRESH}`
        : sql`kind <> 'second_factor' and whitelabel_id = ${whitelabelId}`
      const { rows } = await sql<{ readonly known: boolean; readonly waiting: number }>`
        select exists (select from app.second_person where id = ${id}) as known,
          (select count(*)::int from app.second_person where state in ('pending', 'approved') and ${alike}) as waiting`.execute(
        db,
      )
      const most = isFactor ? MOST_FACTORS : MOST_WAITING
      if (rows[0]?.known !== true && (rows[0]?.waiting ?? 0) >= most) return false
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('app.second_person')
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

    /** Whether roles of this white-label's staff need a second person. */
    async asksForRoles(whitelabelId: string): Promise<boolean> {
      return (await whiteLabels.settingsOf(whitelabelId)).second_person_for_roles
    },

    /** What waits, oldest first: of one white-label, or of all for null. */
    waiting: (whitelabelId: string | null) => entries(of(whitelabelId, inState('pending').where(FRESH))),

    /** What was decided, newest first, at most 100. */
    async decided(whitelabelId: string | null) {
      const found = of(whitelabelId, db.selectFrom('app.second_person').where('state', 'in', DECIDED))
      const rows = await found
        .select([...ROW, 'state', 'decided_at'])
        .orderBy('decided_at', 'desc')
        .limit(MOST_DECIDED)
        .execute()
      return rows.map((row) => ({ ...entryOf(row), state: row.state, decidedBy: row.decided_by, decidedAt: row.decided_at }))
    },

    /** What a process confirmed and did not carry out before it ended. */
    unfinished: (except: readonly string[]) =>
      entries(
        inState('approved')
          .where('id', '<>', allOf(except))
          .where('decided_at', '<', sql<Date>`now() - interval '5 seconds'`),
      ),

    async find(id: string) {
      const row = await db
        .selectFrom('app.second_person')
        .select([...ROW, 'state'])
        .where('id', '=', id)
        .where('state', '<>', 'alone')
        .executeTakeFirst()
      return row === undefined ? null : { ...entryOf(row), state: row.state, decidedBy: row.decided_by }
    },

    /** Decides what waits; false when it was decided before. */
    async decide(id: string, state: 'approved' | 'rejected', by: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('app.second_person')
        .set({ state, decided_by: by, decided_at: NOW, ...(state === 'rejected' ? { command: NAMELESS } : {}) })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where(FRESH)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** `personId` is that of who was invited. */
    async close(id: string, state: 'done' | 'failed', personId: string | null = null): Promise<void> {
      const invited = personId === null ? {} : { person_id: personId }
      const command = sql<string>`${NAMELESS} || ${JSON.stringify(invited)}::jsonb`
      await db
        .updateTable('app.second_person')
        .set({ state, command })
        .where('id', '=', id)
        .where('state', '=', 'approved')
        .execute()
    },

    /** Ends what waited for too long, and forgets what was counted on past days. */
    async purge(): Promise<void> {
      await db
        .updateTable('app.second_person')
        .set({ state: 'expired', decided_at: NOW, command: NAMELESS })
        .where('state', '=', 'pending')
        .where(sql<boolean>`not ${FRESH}`)
        .execute()
      await db
        .deleteFrom('app.second_person')
        .where('state', '=', 'alone')
        .where('created_at', '<', sql<Date>`now() - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },
  }
}
export type SecondPerson = ReturnType<typeof createSecondPerson>

const ROW = [
  'id',
  'whitelabel_id',
  'space_id',
  'user_id',
  sql<ApprovalCommand>`command`.as('command'),
  'created_at',
  'decided_by',
] as const
type Row = Selection<Db, 'app.second_person', (typeof ROW)[number]>

const entryOf = (row: Row): ApprovalEntry => ({
  id: row.id,
  whitelabelId: row.whitelabel_id,
  spaceId: row.space_id,
  userId: row.user_id,
  command: row.command,
  at: row.created_at.toISOString(),
})

async function entries(found: SelectQueryBuilder<Db, 'app.second_person', object>) {
  const rows = await found.select(ROW).orderBy('created_at').orderBy('id').limit(MOST_WAITING).execute()
  return rows.map((row) => ({ ...entryOf(row), decidedBy: row.decided_by }))
}
