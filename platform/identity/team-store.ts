import { sql, type Kysely } from 'kysely'
import type { TeamStore } from '#commands/identity/team'
import type { Member } from '#domain/account/team'
import type { Role } from '#domain/kit/access'
import { anyOf, isoText, NOW } from '#eventstore/postgres/expressions'
import { FULL_SCAN } from '#commands/sweep'
import type { Db } from '#migrations/db'
import { queueMail } from '../mail/mail-queue.ts'
import { personOfAddress } from './people.ts'

/** People of one account that are read, at most; see `domain/account/team.ts`. */
const MOST = 1000
/** A command that is not settled by then was interrupted, seconds. */
const INTERRUPTED = 10

/** Records of an account's people, as `commands/identity/team.ts` needs them. */
export const createTeamStore = (db: Kysely<Db>): TeamStore => ({
  async known(spaceId) {
    const { rows } = await sql<Member>`
      select p.id as person_id, p.roles, case when k.person_id is not null then 'erased'
        when p.status_key = 5 then 'active' else 'invited' end as state
      from identity.people p
      left join identity.person_keys k on k.person_id = p.id and k.erased_at is not null
      where p.home_space_id = ${spaceId} and (p.status_key = 5 or (p.status_key = 2 and not p.deactivated) or k.person_id is not null)
      order by p.created_at, p.id limit ${MOST}`.execute(db)
    return rows
  },

  async ask(spaceId) {
    const { rows } = await sql<{ asked: string }>`
      insert into identity.teams (space_id, asked_at) values (${spaceId}, clock_timestamp())
      on conflict (space_id) do update set asked_at = clock_timestamp()
      returning asked_at::text as asked`.execute(db)
    return rows[0]?.asked ?? ''
  },

  async settle(spaceId, asked) {
    await db
      .updateTable('identity.teams')
      .set({ asked_at: null })
      .where('space_id', '=', spaceId)
      .where('asked_at', '=', sql<Date>`${asked}::timestamptz`)
      .execute()
  },

  apply: ({ spaceId, people, revision }, mail) =>
    db.transaction().execute(async (tx) => {
      const newer = tx
        .updateTable('identity.teams')
        .set({ revision })
        .where('space_id', '=', spaceId)
        .where('revision', '<', BigInt(revision))
      const { numUpdatedRows } = await newer.executeTakeFirstOrThrow()
      if (numUpdatedRows === 1n) {
        const kept = people.filter(({ state }) => state !== 'erased')
        const rows = kept.map(({ person_id, roles, rights = [], state }) => ({
          id: person_id,
          roles,
          // Of their record alone: the log says who granted them.
          rights: rights.map(({ by: _, ...own }) => own),
          deactivated: state === 'deactivated' || state === 'withdrawn',
        }))
        await sql`
          update identity.people p set roles = t.roles, rights = t.rights, deactivated = t.deactivated, updated_at = now()
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id text, roles text[], rights jsonb, deactivated boolean)
          where p.id = t.id and p.home_space_id = ${spaceId}
            and (p.roles, p.rights, p.deactivated) is distinct from (t.roles, t.rights, t.deactivated)`.execute(tx)
      }
      // By its id, so that a repeat of the command mails once.
      if (mail !== null) await queueMail(tx, mail)
    }),

  async addInvited(id, { spaceId, whitelabelId }, { email, first_name, last_name, roles }) {
    await db
      .insertInto('identity.people')
      .values({
        id,
        whitelabel_id: whitelabelId,
        home_space_id: spaceId,
        roles: [...roles],
        first_name,
        last_name,
        email,
        status_key: 2,
        deactivated: true,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const person = await personOfAddress(db, whitelabelId, email)
    if (person === null || person.home_space_id !== spaceId) return null
    // A person who was invited before and never joined gets the names of the newest invitation.
    await db
      .updateTable('identity.people')
      .set({ first_name, last_name, updated_at: NOW })
      .where('id', '=', person.id)
      .where('status_key', '=', 2)
      .where('deactivated', '=', true)
      .execute()
    return person.id
  },

  async letIn(id) {
    await db
      .updateTable('identity.people')
      .set({ status_key: 5, updated_at: NOW })
      .where('id', '=', id)
      .where('status_key', '=', 2)
      .where('deactivated', '=', false)
      .execute()
  },

  async removeInvited(id) {
    await db
      .deleteFrom('identity.people')
      .where('id', '=', id)
      .where('status_key', '=', 2)
      .where('deactivated', '=', true)
      .execute()
  },

  async unsettled() {
    const rows = await db
      .selectFrom('identity.teams')
      .select('space_id')
      .where('asked_at', '<', sql<Date>`now() - make_interval(secs => ${INTERRUPTED})`)
      .limit(FULL_SCAN)
      .execute()
    return rows.map(({ space_id }) => space_id)
  },
})

/** What a list of an account's people shows, by their ids. */
export async function teamRecords(db: Kysely<Db>, ids: readonly string[]) {
  const rows = await db
    .selectFrom('identity.people as p')
    .leftJoin('identity.second_factors as f', (join) =>
      join.onRef('f.person_id', '=', 'p.id').on('f.confirmed_at', 'is not', null),
    )
    .select(['p.id', 'p.first_name', 'p.last_name', 'p.email', 'f.person_id as factor'])
    .select((eb) => [
      sql<Role[]>`p.roles`.as('roles'),
      isoText(eb.ref('p.created_at')).as('created_at'),
      sql<string | null>`(
        select ${isoText(sql.ref('seen'))} from (
          select max(coalesce(last_used_at, started_at)) as seen from identity.session_families where person_id = p.id) s)`.as(
        'last_seen_at',
      ),
    ])
    .where('p.id', '=', anyOf(new Set(ids)))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
