import { sql, type Kysely, type Selection, type SelectQueryBuilder } from 'kysely'
import { dayIn } from '#domain/kit/time-zone'
import { APPROVAL_DAYS } from '#domain/kit/approval'
import type { Role, SingleRight } from '#domain/kit/access'
import type { DoneChange, OutsideRoles, WithdrawnRoles } from '#commands/identity/second-key'
import type { ProviderPower } from '#domain/single-sign-on/admission'
import type { Micros } from '#domain/kit/money'
import type { Invoicing } from '#domain/white-label/invoicing'
import { activeOwners } from '../identity/owners.ts'
import { queueMail } from '../mail/mail-queue.ts'
import { handsOf, roleConfirmed } from '../identity/makers.ts'
import { notify, type NotifyKit } from '../notifications/notify.ts'
import { allOf, NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

/** Any number: one call at a time counts against the limit of a white-label. */
const LIMIT_LOCK = 7_260_001
/** Most that may wait in a white-label. */
const MOST_WAITING = 500
/** Most lost second factors that may wait in an account: those of advertisers must not take the places of money. */
const MOST_FACTORS = 5
/** Most roles by directories and identity providers that may wait in a white-label, which must not take them either. */
const MOST_FROM_OUTSIDE = 100
/** How long what one person did alone is kept, days: longer than any local day. */
const KEPT_DAYS = 3

/** Most of what was decided that a list shows. */
const MOST_DECIDED = 100

/** Money by hand, its limit, and where customers pay (fine print 63). */
export type MoneyCommand =
  | { readonly kind: 'credit'; readonly amount: Micros; readonly comment: string }
  | { readonly kind: 'credit_note'; readonly invoice_id: string; readonly amount: Micros; readonly comment: string }
  | { readonly kind: 'limit'; readonly limit: Micros | null; readonly comment: string }
  /** `amount` is the new limit of the account. */
  | { readonly kind: 'credit_limit'; readonly amount: Micros; readonly comment: '' }
  | { readonly kind: 'invoicing'; readonly invoicing: Partial<Invoicing>; readonly comment: '' }

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
  /** By a directory or an identity provider, which `makers` set up. Requests of before version 0.3 have no `origin`. */
  | {
      readonly kind: 'confirming_roles'
      readonly person_id: string
      readonly roles: readonly Role[]
      readonly makers: readonly string[]
      readonly origin?: string
      readonly comment: ''
    }

/** New ways in for staff (fine print 84, 85 and 87). */
export type WayInCommand =
  | {
      readonly kind: 'sign_on_provider'
      readonly provider_id: string
      readonly name: string
      readonly power: ProviderPower
      readonly comment: ''
    }
  /** `token` is that of the TXT record: a domain that is removed and added again is another one. */
  | {
      readonly kind: 'sign_on_domain'
      readonly domain: string
      readonly provider_id: string
      readonly token: string
      readonly comment: ''
    }
  | { readonly kind: 'directory_token'; readonly token_id: string; readonly secret_hash: string; readonly comment: '' }
  | { readonly kind: 'sign_on_link'; readonly person_id: string; readonly comment: '' }

/** The second factor of a person who lost it; the comment says how they were recognised (fine print 97). */
export type FactorCommand = { readonly kind: 'second_factor'; readonly person_id: string; readonly comment: string }

/** Command that is carried out once a second person confirms it. */
export type ApprovalCommand = MoneyCommand | RolesCommand | WayInCommand | FactorCommand

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
/** Without the names of who was invited, and secrets. */
const NAMELESS = sql<string>`command - 'person' - 'secret_hash'`

/**
 * The rule of the second person. Money that one person moves alone counts against the white-label's limit: the sum of a local day over all
 * kinds and currencies, as numbers (fine print 63). The rest waits for another one, as roles of staff do where the white-label wants
 * it (87), and a lost second factor always (97).
 */
export function createSecondPerson(kit: NotifyKit & { readonly db: Kysely<Db> }) {
  const { db, derivedId, now, whiteLabels } = kit
  const inState = (state: string) => db.selectFrom('app.second_person').where('state', '=', state)
  type Found = SelectQueryBuilder<Db, 'app.second_person', object>
  const of = (whitelabelId: string | null, found: Found): Found =>
    whitelabelId === null ? found : found.where('whitelabel_id', '=', whitelabelId)
  const withdrawnBy = (by: string) =>
    db
      .updateTable('app.second_person')
      .set({ state: 'rejected', decided_by: by, decided_at: NOW })
      .where('kind', '=', 'confirming_roles')
      .where('state', '=', 'pending')
  /**
   * Stores what waits for a second person, and notifies the other owners of the white-label; false when too much waits already. A repeat
   * changes nothing.
   */
  async function ask({ id, whitelabelId, spaceId, userId, command }: Asked): Promise<boolean> {
    const { alike, most } = placesOf(command.kind, spaceId)
    const { rows } = await sql<{ readonly known: boolean; readonly waiting: number }>`
      select exists (select from app.second_person where id = ${id}) as known,
        (select count(*)::int from app.second_person where whitelabel_id = ${whitelabelId} and state in ('pending', 'approved')
          and ${alike}) as waiting`.execute(db)
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
  }

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
        // The second of two concurrent calls counts the first ("two calls at once do not pass the limit together").
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

    /** Removes a count whose command did not happen, or waits for a second person. */
    async uncount(id: string): Promise<void> {
      await db.deleteFrom('app.second_person').where('id', '=', id).where('state', '=', 'alone').execute()
    },

    ask,

    /** The same, answering the id under which it waits: that of before where the same person asked for the same. Null when too much waits. */
    async askOnce(asked: Asked): Promise<string | null> {
      const same = of(asked.whitelabelId, inState('pending').where(FRESH))
        .where('user_id', '=', asked.userId)
        .where(sql<boolean>`command = ${JSON.stringify(asked.command)}::jsonb`)
      const known = await same.select('id').executeTakeFirst()
      if (known !== undefined) return known.id
      return (await ask(asked)) ? asked.id : null
    },

    /** Whether a second person confirmed this way in. */
    async isConfirmed(whitelabelId: string, command: WayInCommand): Promise<boolean> {
      const found = db.selectFrom('app.second_person').where('state', 'in', ['approved', 'done'])
      const same = of(whitelabelId, found).where(sql<boolean>`command = ${JSON.stringify(command)}::jsonb`)
      return (await same.select('id').executeTakeFirst()) !== undefined
    },

    /**
     * Lets roles of a directory or an identity provider wait. While it waits, and for as long after a rejection, a repeat asks for nothing.
     */
    async askForRoles({ whitelabelId, spaceId, personId, roles, by, origin, makers }: OutsideRoles): Promise<void> {
      const known = sql<boolean>`(command -> 'roles' @> ${JSON.stringify(roles)}::jsonb and ${FRESH}
        and (state in ('pending', 'approved') or (state = 'rejected' and decided_by not like 'system:%')))`
      const of = db
        .selectFrom('app.second_person')
        .where('kind', '=', 'confirming_roles')
        .where('whitelabel_id', '=', whitelabelId)
      const rows = await of
        .where(sql<boolean>`command ->> 'person_id' = ${personId}`)
        .select(known.as('known'))
        .execute()
      if (rows.some((row) => row.known)) return
      // By what was decided before: of repeats at once, each has the id of the first ("a directory gives the role of an owner once another owner than who made its token confirms it").
      const id = derivedId('confirming-roles', spaceId, personId, ...roles, String(rows.length))
      const command = { kind: 'confirming_roles', person_id: personId, roles, makers, origin, comment: '' } as const
      await ask({ id, whitelabelId, spaceId, userId: by, command })
    },

    async withdrawRoles({ personIds, roles, by }: WithdrawnRoles): Promise<void> {
      if (personIds.length === 0 || roles.length === 0) return
      await withdrawnBy(by)
        .where('user_id', '=', by)
        .where(sql<boolean>`command ->> 'person_id' = any(${[...personIds]}::text[])`)
        .where(sql<boolean>`command -> 'roles' ?| ${[...roles]}::text[]`)
        .execute()
    },

    /** Ends the roles that wait by a token or a provider which is gone or switched off. Another one may ask for them. */
    async withdrawOrigin(origin: string): Promise<void> {
      await withdrawnBy('system:approvals')
        .where(sql<boolean>`command ->> 'origin' = ${origin}`)
        .execute()
    },

    /** Mails the owners of a white-label but these people that something of a kind which may need a second person was done. */
    async mailOthers({ id, whitelabelId, what, by, fields = '' }: DoneChange): Promise<void> {
      const others = (await activeOwners(db, whitelabelId)).filter((owner) => !by.includes(owner))
      for (const personId of others)
        await queueMail(db, {
          id: derivedId('keys-changed', id, personId),
          whitelabelId,
          to: { personId },
          template: 'keys-changed',
          data: { what, fields },
        })
    },

    /** People whose requests this person may not confirm. */
    handsOf: (personId: string) => handsOf(db, personId),

    roleConfirmed: (personId: string) => roleConfirmed(db, personId),

    /** Whether roles of this white-label's staff need a second person. */
    async asksForRoles(whitelabelId: string): Promise<boolean> {
      return (await whiteLabels.settingsOf(whitelabelId)).second_person_for_roles
    },

    /** Waiting commands, oldest first: of one white-label, or of all for null. */
    waiting: (whitelabelId: string | null) => entries(of(whitelabelId, inState('pending').where(FRESH))),

    /** Decided commands, newest first, at most 100. */
    async decided(whitelabelId: string | null) {
      const found = of(whitelabelId, db.selectFrom('app.second_person').where('state', 'in', DECIDED))
      const rows = await found
        .select([...ROW, 'state', 'decided_at'])
        .orderBy('decided_at', 'desc')
        .limit(MOST_DECIDED)
        .execute()
      return rows.map((row) => ({ ...entryOf(row), state: row.state, decidedBy: row.decided_by, decidedAt: row.decided_at }))
    },

    /** Commands that a process confirmed and did not carry out before it ended. */
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
/** Commands that share places with a kind, and how many it may take. */
function placesOf(kind: ApprovalCommand['kind'], spaceId: string | null) {
  if (kind === 'second_factor')
    return { alike: sql`kind = 'second_factor' and space_id = ${spaceId} and ${FRESH}`, most: MOST_FACTORS }
  if (kind === 'confirming_roles') return { alike: sql`kind = 'confirming_roles' and ${FRESH}`, most: MOST_FROM_OUTSIDE }
  return { alike: sql`kind not in ('second_factor', 'confirming_roles')`, most: MOST_WAITING }
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
