import { PERSON_STATUS } from '#domain/registration/person-status'
import { sql, type Kysely } from 'kysely'
import type { AddedPerson, Invitee, Membership, OpenInvitation, TeamPlace, TeamStore } from '#commands/identity/team-port'
import type { Member } from '#domain/account/team'
import { allOf, anyOf, isoText, NOW } from '#eventstore/postgres/expressions'
import { isStaff } from '#domain/kit/access'
import { FULL_SCAN } from '#commands/sweep'
import type { Db } from '#migrations/db'
import { queueMail } from '../mail/mail-queue.ts'
import { accessOf } from './account-access.ts'
import { personOfAddress } from './people.ts'

/** People of one account that are read, at most; see `domain/account/team.ts`. */
const MOST = 1000
/** A command that is not settled by then was interrupted, seconds. */
const INTERRUPTED = 10

/** How long an invitation can be accepted after its mail, as the links of others. */
const LASTS = sql`interval '72 hours'`

/** Brings the memberships of people whose home is another account in line with the account's stream. */
async function applyMemberships(tx: Kysely<Db>, spaceId: string, people: readonly Member[]): Promise<void> {
  const rows = people.map(({ person_id, roles, rights = [], state }) => ({
    person_id,
    roles,
    rights: rights.map(({ by: _, ...own }) => own),
    state,
  }))
  await sql`
    insert into identity.memberships as m (person_id, space_id, state, roles, rights, joined_at)
    select t.person_id, ${spaceId}, t.state, t.roles, t.rights, case when t.state = 'active' then now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (person_id text, state text, roles text[], rights jsonb)
    join identity.people p on p.id = t.person_id and p.home_space_id <> ${spaceId}
    on conflict (person_id, space_id) do update
      set state = excluded.state, roles = excluded.roles, rights = excluded.rights, joined_at = coalesce(m.joined_at, excluded.joined_at)
      where (m.state, m.roles, m.rights) is distinct from (excluded.state, excluded.roles, excluded.rights)`.execute(tx)
}

/** PostgreSQL's own number of the transaction that wrote a row last: it tells whether another invitation has written since. */
const VERSION = sql<string>`xmin::text`

/** A record that is removed between being found and being used is made again, this often at most. */
const TRIES = 3

async function addInvited(
  db: Kysely<Db>,
  id: string,
  place: TeamPlace,
  invitee: Invitee,
  tries = TRIES,
): Promise<AddedPerson | null> {
  const { spaceId, whitelabelId } = place
  const { email, first_name, last_name, roles } = invitee
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
      status_key: PERSON_STATUS.approved,
      deactivated: true,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Also a person who was invited before and never joined gets the names of the newest invitation.
  const waiting = await db
    .updateTable('identity.people')
    .set({ first_name, last_name, updated_at: NOW })
    .where('whitelabel_id', '=', whitelabelId)
    .where('email', '=', email)
    .where('home_space_id', '=', spaceId)
    .where('status_key', '=', PERSON_STATUS.approved)
    .where('deactivated', '=', true)
    .returning(['id', VERSION.as('version')])
    .executeTakeFirst()
  if (waiting !== undefined) return { personId: waiting.id, elsewhere: false, version: waiting.version }
  const person = await personOfAddress(db, whitelabelId, email)
  if (person === null) return tries > 1 ? addInvited(db, id, place, invitee, tries - 1) : null
  if (person.home_space_id === spaceId) return { personId: person.id, elsewhere: false, version: null }
  const own = await accessOf(db, person.id)
  // Staff reach accounts by switching into them, and are staff alone.
  if (person.status_key !== PERSON_STATUS.active || own.length === 0 || isStaff(person) || isStaff({ roles })) return null
  const membership = await db
    .insertInto('identity.memberships')
    .values({ person_id: person.id, space_id: spaceId, first_name, last_name })
    .onConflict((conflict) =>
      conflict
        .columns(['person_id', 'space_id'])
        .doUpdateSet({ first_name, last_name })
        .where('identity.memberships.state', 'in', ['pending', 'withdrawn']),
    )
    .returning(VERSION.as('version'))
    .executeTakeFirst()
  return { personId: person.id, elsewhere: true, version: membership?.version ?? null }
}

/** Records of an account's people, as `commands/identity/team.ts` needs them. */
export const createTeamStore = (db: Kysely<Db>): TeamStore => ({
  async known(spaceId) {
    const { rows } = await sql<Member>`
      select p.id as person_id, p.roles, case when k.person_id is not null then 'erased'
        when p.status_key = 5 then 'active' else 'invited' end as state
      from identity.people p
      left join identity.person_keys k on k.person_id = p.id and k.erased_at is not null
      where (p.home_space_id = ${spaceId} and (p.status_key = 5 or (p.status_key = 2 and not p.deactivated) or k.person_id is not null))
        -- The stream says who else joined, and when; their records only that they were erased.
        or (k.person_id is not null and p.id in (select person_id from identity.memberships where space_id = ${spaceId}))
      order by p.created_at, p.id limit ${MOST}`.execute(db)
    return rows
  },

  async begin(spaceId) {
    const { rows } = await sql<{ note: string }>`
      insert into identity.teams (space_id, asked_at) values (${spaceId}, clock_timestamp())
      on conflict (space_id) do update set asked_at = clock_timestamp()
      returning asked_at::text as note`.execute(db)
    return rows[0]?.note ?? ''
  },

  async settle(spaceId, note) {
    await db
      .updateTable('identity.teams')
      .set({ asked_at: null })
      .where('space_id', '=', spaceId)
      .where('asked_at', '=', sql<Date>`${note}::timestamptz`)
      .execute()
  },

  apply: ({ spaceId, people, revision, invited }, mail) =>
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
          // Rights of their record alone: the log says who granted them.
          rights: rights.map(({ by: _, ...own }) => own),
          deactivated: state === 'deactivated' || state === 'withdrawn',
        }))
        // The password of a directory's person comes with the role of an owner, and goes with it (fine print 85).
        const isOver = sql`p.by_directory and 'WL_OWNER' = any(p.roles) and not 'WL_OWNER' = any(t.roles)`
        await sql`
          update identity.people p set roles = t.roles, rights = t.rights, deactivated = t.deactivated, updated_at = now(),
            password_hash = case when ${isOver} then null else p.password_hash end,
            role_confirmed = p.role_confirmed and not (${isOver})
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (id text, roles text[], rights jsonb, deactivated boolean)
          where p.id = t.id and p.home_space_id = ${spaceId}
            and (p.roles, p.rights, p.deactivated) is distinct from (t.roles, t.rights, t.deactivated)`.execute(tx)
        await applyMemberships(tx, spaceId, kept)
      }
      // Also of an older revision: the mail is sent, and its invitation lasts from now.
      if (invited !== null)
        await tx
          .updateTable('identity.memberships')
          .set({ invited_by: invited.by, invited_at: NOW })
          .where('person_id', '=', invited.personId)
          .where('space_id', '=', spaceId)
          .execute()
      // By its id, so that a repeat of the command mails once.
      if (mail !== null) await queueMail(tx, mail)
    }),

  addInvited: (id, place, invitee) => addInvited(db, id, place, invitee),

  async membership(spaceId, personId) {
    const memberships = db.selectFrom('identity.memberships').select(['state', 'roles']).where('person_id', '=', personId)
    return (await memberships.where('space_id', '=', spaceId).$castTo<Membership>().executeTakeFirst()) ?? null
  },

  async openInvitations(personId) {
    const { rows } = await sql<OpenInvitation>`
      select m.space_id, a.name as account, m.invited_by as by, ${isoText(sql<Date>`(m.invited_at + ${LASTS})`)} as until
      from identity.memberships m join rm_accounts a on a.space_id = m.space_id
      where m.person_id = ${personId} and m.state = 'invited' and m.invited_by is not null and m.invited_at + ${LASTS} > now()
      order by m.invited_at, m.space_id limit ${MOST}`.execute(db)
    return rows
  },

  async letIn(id) {
    await db
      .updateTable('identity.people')
      .set({ status_key: PERSON_STATUS.active, updated_at: NOW })
      .where('id', '=', id)
      .where('status_key', '=', PERSON_STATUS.approved)
      .where('deactivated', '=', false)
      .execute()
  },

  async removeInvited(spaceId, { personId, elsewhere, version }) {
    if (version === null) return
    const removed = elsewhere
      ? db.deleteFrom('identity.memberships').where('person_id', '=', personId).where('space_id', '=', spaceId)
      : db.deleteFrom('identity.people').where('id', '=', personId)
    await removed.where(VERSION, '=', version).execute()
  },

  async unsettled(except: readonly string[]) {
    const rows = await db
      .selectFrom('identity.teams')
      .select('space_id')
      .where('asked_at', '<', sql<Date>`now() - make_interval(secs => ${INTERRUPTED})`)
      .where('space_id', '<>', allOf(except))
      .limit(FULL_SCAN)
      .execute()
    return rows.map(({ space_id }) => space_id)
  },
})

/**
 * Rows of a list of an account's people, by their ids. Of those who were invited beside their home account it has only what the
 * inviter entered until they accept, and later what they do in this account.
 */
export async function teamRecords(db: Kysely<Db>, spaceId: string, ids: readonly string[]) {
  const joined = sql<boolean>`(m.person_id is null or m.joined_at is not null)`
  const rows = await db
    .selectFrom('identity.people as p')
    .leftJoin('identity.memberships as m', (join) => join.onRef('m.person_id', '=', 'p.id').on('m.space_id', '=', spaceId))
    .leftJoin('identity.second_factors as f', (join) =>
      join.onRef('f.person_id', '=', 'p.id').on('f.confirmed_at', 'is not', null),
    )
    .select(['p.id', 'p.email', sql<string | null>`case when ${joined} then f.person_id end`.as('factor')])
    .select(sql<boolean>`m.joined_at is not null`.as('elsewhere'))
    .select(
      sql<boolean>`m.person_id is null and exists (select from identity.sign_on_links l where l.person_id = p.id)`.as('sign_on'),
    )
    .select([
      sql<string>`case when ${joined} then p.first_name else m.first_name end`.as('first_name'),
      sql<string>`case when ${joined} then p.last_name else m.last_name end`.as('last_name'),
    ])
    .select((eb) => [
      isoText(eb.fn.coalesce('m.invited_at', 'p.created_at')).as('created_at'),
      sql<string | null>`(
        select ${isoText(sql.ref('seen'))} from (
          select max(coalesce(last_used_at, started_at)) as seen from identity.session_families
          where person_id = p.id and coalesce(space_id, p.home_space_id) = ${spaceId}) s)`.as('last_seen_at'),
    ])
    .where('p.id', '=', anyOf(new Set(ids)))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
