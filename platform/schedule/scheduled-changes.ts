import { sql, type Kysely, type Selectable } from 'kysely'
import type { DueChange, SchedulePort } from '#commands/schedule/carry-out'
import type { Notify } from '#commands/notifications/notify'
import type { ErrorCode, Fault, Rejection } from '#domain/kit/errors'
import {
  isRejection,
  KEPT_DAYS,
  MOST_OF_ACCOUNT,
  MOST_OF_CAMPAIGN,
  step,
  type ScheduledAct,
  type ScheduledChange,
  type ScheduleState,
  type ScheduleStep,
} from '#domain/schedule/scheduled-change'
import { allOf, timestamptz } from '#eventstore/postgres/expressions'
import type { AppScheduledChanges, Db } from '#migrations/db'

/** A scheduled change as stored. */
export type ScheduledRow = Readonly<Omit<Selectable<AppScheduledChanges>, 'act' | 'state' | 'rejection'>> & {
  readonly act: ScheduledAct
  readonly state: ScheduleState
  readonly rejection: Rejection | null
}

export type NewChange = {
  readonly id: string
  readonly act: ScheduledAct
  readonly dueAt: string
}
export type NewChanges = {
  readonly personId: string
  readonly spaceId: string
  readonly whitelabelId: string
  readonly campaignId: string
  readonly groupId: string | null
  readonly note: string
  readonly changes: readonly NewChange[]
}

/** Coverage of a list; null is everything. */
export type ScheduleReach = {
  readonly whitelabelId: string | null
  readonly spaceId: string | null
  readonly campaignId: string | null
}

/** `most`: the bound that would be passed. */
export type Added =
  | { readonly kind: 'added' }
  | { readonly kind: 'full'; readonly of: 'campaign' | 'account'; readonly most: number }

const WAITING: readonly ScheduleState[] = ['waiting', 'under_way']
const ENDED: readonly ScheduleState[] = ['done', 'refused', 'cancelled']

/** Changes of campaigns that wait for their time (fine print 100). Every step is decided on the locked row. */
export function createScheduledChanges(db: Kysely<Db>, now: () => string) {
  const stored = (on: Kysely<Db>) => on.selectFrom('app.scheduled_changes').selectAll().$castTo<ScheduledRow>()

  async function find(id: string, on: Kysely<Db> = db): Promise<ScheduledRow | null> {
    return (await stored(on).where('id', '=', id).executeTakeFirst()) ?? null
  }

  /** Takes a step, or returns its refusal; 131 for an unknown id. `personId`: who answers for the change from now on. */
  async function take(tx: Kysely<Db>, id: string, taken: ScheduleStep, personId?: string): Promise<Rejection | null> {
    // Locked: of an edit, a cancellation and a process that finds it due, one comes first ("a change that is due is carried out or cancelled, never both …").
    const row = await stored(tx).where('id', '=', id).forUpdate().executeTakeFirst()
    if (row === undefined) return { code: 131, faults: [] }
    const after = step(changeOf(row), taken, now())
    if (isRejection(after)) return after
    const { act, dueAt, note, state, version, outcome } = after
    const ended = ENDED.includes(state)
    await tx
      .updateTable('app.scheduled_changes')
      .set({
        act: JSON.stringify(act),
        due_at: dueAt,
        note,
        state,
        version,
        ended_at: ended ? now() : null,
        revision: outcome?.state === 'done' ? outcome.revision : null,
        rejection: outcome?.state === 'refused' ? JSON.stringify(outcome.rejection) : null,
        ...(personId === undefined ? {} : { person_id: personId }),
      })
      .where('id', '=', id)
      .execute()
    return null
  }

  return {
    find,

    /** Adds all or none; a repeat of the ids changes nothing. */
    add: ({ personId, spaceId, whitelabelId, campaignId, groupId, note, changes }: NewChanges): Promise<Added> =>
      db.transaction().execute(async (tx): Promise<Added> => {
        // One count at a time for each account ("a campaign keeps within its number of waiting changes …").
        await sql`select pg_advisory_xact_lock(hashtextextended(${`scheduled changes ${spaceId}`}, 0))`.execute(tx)
        const ids = changes.map(({ id }) => id)
        const known = await tx.selectFrom('app.scheduled_changes').select('id').where('id', 'in', ids).execute()
        if (known.length > 0) return { kind: 'added' }
        const { rows } = await sql<{ readonly account: number; readonly campaign: number }>`
          select count(*)::int as account, count(*) filter (where campaign_id = ${campaignId})::int as campaign
          from app.scheduled_changes where space_id = ${spaceId} and state in ('waiting', 'under_way')`.execute(tx)
        const counted = rows[0] ?? { account: 0, campaign: 0 }
        if (counted.campaign + changes.length > MOST_OF_CAMPAIGN) return { kind: 'full', of: 'campaign', most: MOST_OF_CAMPAIGN }
        if (counted.account + changes.length > MOST_OF_ACCOUNT) return { kind: 'full', of: 'account', most: MOST_OF_ACCOUNT }
        await tx
          .insertInto('app.scheduled_changes')
          .values(
            changes.map(({ id, act, dueAt }) => ({
              id,
              person_id: personId,
              space_id: spaceId,
              whitelabel_id: whitelabelId,
              campaign_id: campaignId,
              group_id: groupId,
              act: JSON.stringify(act),
              due_at: dueAt,
              note,
              state: 'waiting',
              version: 1,
              created_at: now(),
            })),
          )
          .execute()
        return { kind: 'added' }
      }),

    /** Edits or cancels it, and returns the refusal if there is one. */
    change: (id: string, taken: ScheduleStep, personId: string): Promise<Rejection | null> =>
      db.transaction().execute((tx) => take(tx, id, taken, personId)),

    /** One page: what waits, the next one first; or what ended, the newest first. */
    async list({ whitelabelId, spaceId, campaignId }: ScheduleReach, ended: boolean, page: number, size: number) {
      let found = db.selectFrom('app.scheduled_changes').where('state', 'in', ended ? ENDED : WAITING)
      if (whitelabelId !== null) found = found.where('whitelabel_id', '=', whitelabelId)
      if (spaceId !== null) found = found.where('space_id', '=', spaceId)
      if (campaignId !== null) found = found.where('campaign_id', '=', campaignId)
      const { total } = await found.select((eb) => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
      const rows = await found
        .selectAll()
        .$castTo<ScheduledRow>()
        .orderBy(ended ? 'ended_at' : 'due_at', ended ? 'desc' : 'asc')
        .orderBy('id')
        .limit(size)
        .offset(page * size)
        .execute()
      return { rows, total: Number(total) }
    },

    /** Removes what ended long ago: the log of its campaign keeps what it did. */
    async removeOld(): Promise<void> {
      await db
        .deleteFrom('app.scheduled_changes')
        .where('ended_at', '<', sql<Date>`${timestamptz(now())} - make_interval(days => ${KEPT_DAYS})`)
        .execute()
    },

    /** For the sweep that carries them out. */
    port: (notify: Notify): SchedulePort => ({
      async due(instant, limit, except) {
        const rows = await stored(db)
          .where('state', 'in', WAITING)
          .where('due_at', '<=', timestamptz(instant))
          .where('campaign_id', '<>', allOf(except))
          .orderBy('due_at')
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit)
          .execute()
        return rows.map(dueChangeOf)
      },

      begin: async (id, version) => (await db.transaction().execute((tx) => take(tx, id, { type: 'Begin', version }))) === null,

      end: (change, outcome, campaignName, mayBeNotified) =>
        db.transaction().execute(async (tx) => {
          if ((await take(tx, change.id, { type: 'End', outcome })) !== null) return
          const { campaignId, id, personId, spaceId, whitelabelId, act, dueAt } = change
          await notify(tx, {
            kind: outcome.state === 'done' ? 'schedule-done' : 'schedule-refused',
            cause: `scheduled change ${id}`,
            whitelabelId,
            spaceId,
            at: now(),
            data: {
              id: campaignId,
              name: campaignName,
              act: act.kind,
              due: dueAt,
              ...(outcome.state === 'refused' ? { code: codeOf(outcome.rejection), fault: keyOf(outcome.rejection) } : {}),
            },
            // Without access the person is not notified, and the users of the account are.
            ...(mayBeNotified ? { personId } : {}),
          })
        }),
    }),
  }
}
export type ScheduledChanges = ReturnType<typeof createScheduledChanges>

const codeOf = ({ code, faults }: Rejection): ErrorCode => faults[0]?.code ?? code
const keyOf = ({ faults }: { readonly faults: readonly Fault[] }): string => faults[0]?.key ?? ''

const changeOf = ({ act, due_at: dueAt, note, state, version, revision, rejection }: ScheduledRow): ScheduledChange => ({
  state,
  version,
  act,
  dueAt: dueAt.toISOString(),
  note,
  outcome: rejection !== null ? { state: 'refused', rejection } : revision !== null ? { state: 'done', revision } : null,
})

const dueChangeOf = (row: ScheduledRow): DueChange => ({
  id: row.id,
  campaignId: row.campaign_id,
  spaceId: row.space_id,
  whitelabelId: row.whitelabel_id,
  personId: row.person_id,
  state: row.state,
  version: row.version,
  act: row.act,
  dueAt: row.due_at.toISOString(),
})
