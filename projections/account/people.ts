import { PERSON_STATUS } from '#domain/registration/person-status'
import { sql, type Kysely } from 'kysely'
import { LEGAL_FIELDS, type LegalField } from '#domain/account/account'
import { rolesWith, type OwnRight, type Role } from '#domain/kit/access'
import { isoText } from '#eventstore/postgres/expressions'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'

/** Rows of a list of people, at most. */
const MOST = 500

/** System administrators stand above the white-label that they belong to: lists show them to each other alone. */
const shownTo = (roles: readonly Role[], column = 'roles') =>
  roles.includes('SYSTEM_ADMIN') ? sql<boolean>`true` : sql<boolean>`not 'SYSTEM_ADMIN' = any(${sql.ref(column)})`

/** The users of an account, also those whose home is another one, oldest first, as a user with these roles sees them. */
export async function usersOf(db: Kysely<Db>, spaceId: string, roles: readonly Role[]) {
  const rows = await db
    .selectFrom('identity.people as p')
    .leftJoin('identity.memberships as m', (join) =>
      join.onRef('m.person_id', '=', 'p.id').on('m.space_id', '=', spaceId).on('m.state', '=', 'active'),
    )
    .select(['p.id', 'p.first_name', 'p.last_name', 'p.email', 'p.phone', 'p.status_key', 'p.suspended'])
    .select((eb) => eb.fn.coalesce('m.roles', 'p.roles').as('roles'))
    .select((eb) => isoText(eb.ref('p.created_at')).as('created_at'))
    .where((eb) => eb.or([eb('p.home_space_id', '=', spaceId), eb('m.space_id', 'is not', null)]))
    .where(shownTo(roles, 'p.roles'))
    .orderBy('p.created_at')
    .orderBy('p.id')
    .limit(MOST)
    .execute()
  return rows.map((row) => openRow(db, 'identity.people', row.id, row))
}

/** Active users of a white-label who may look after accounts, by name. */
export function staffOf(db: Kysely<Db>, whitelabelId: string, roles: readonly Role[]) {
  const name = sql<string>`first_name || ' ' || last_name`
  return db
    .selectFrom('identity.people')
    .select(['id', name.as('name')])
    .where('whitelabel_id', '=', whitelabelId)
    .where((eb) => sql<boolean>`${eb.ref('roles')} && ${[...rolesWith('account.represent')]}::text[]`)
    .where('status_key', '=', PERSON_STATUS.active)
    .where(shownTo(roles))
    .orderBy(sql`lower(${name})`)
    .orderBy('id')
    .limit(MOST)
    .execute()
}

/** Active users of a white-label whose roles or rights let them moderate, by name. Rights that are over are left to the caller. */
export function moderatorsOf(db: Kysely<Db>, whitelabelId: string, roles: readonly Role[]) {
  const name = sql<string>`first_name || ' ' || last_name`
  return db
    .selectFrom('identity.people')
    .select(['id', name.as('name'), sql<Role[]>`roles`.as('roles'), sql<OwnRight[]>`rights`.as('rights')])
    .where('whitelabel_id', '=', whitelabelId)
    .where(
      (eb) => sql<boolean>`(${eb.ref('roles')} && ${[...rolesWith('campaign.moderate')]}::text[]
        or jsonb_path_exists(rights::jsonb, '$[*] ? (@.right == "campaign.moderate")'))`,
    )
    .where('status_key', '=', PERSON_STATUS.active)
    .where('deactivated', '=', false)
    .where(shownTo(roles))
    .orderBy(sql`lower(${name})`)
    .orderBy('id')
    .limit(MOST)
    .execute()
}

/** Rows `m` of people who own an account that is not their home (fine print 93). */
export const OWNS_ELSEWHERE = sql<boolean>`(m.state = 'active' and 'USER_OWNER' = any(m.roles))`

/** Whether a row `people` owns this account, at home in it or by a membership (fine print 93). */
const ownsAccount = (spaceId: string) => sql<boolean>`(
  people.home_space_id = ${spaceId} and 'USER_OWNER' = any(people.roles)
  or people.id in (select m.person_id from identity.memberships m where m.space_id = ${spaceId} and ${OWNS_ELSEWHERE}))`

/** Active users who own an account, the first one first. */
export const ownersOf = (
  db: Kysely<Db>,
  spaceId: string,
): Promise<readonly { readonly id: string; readonly language_key: number | null }[]> =>
  db
    .selectFrom('identity.people as people')
    .select(['id', 'language_key'])
    .where(ownsAccount(spaceId))
    .where('status_key', '=', PERSON_STATUS.active)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/**
 * The white-label of an account whose registration is not complete: none of its owners has set a password yet. Null for every other
 * account. Reads the records of people alone, so that a completed registration counts at once.
 */
export async function registeringIn(db: Kysely<Db>, spaceId: string): Promise<string | null> {
  const owners = await db
    .selectFrom('identity.people as people')
    .select(['whitelabel_id', 'status_key'])
    .where(ownsAccount(spaceId))
    .orderBy('status_key', 'desc')
    .limit(1)
    .execute()
  const [owner] = owners
  return owner === undefined || owner.status_key === PERSON_STATUS.active ? null : owner.whitelabel_id
}

export type LegalEntity = Readonly<Record<LegalField, string>>

/** The legal entity of an account; undefined without one. */
export const legalEntityOf = (db: Kysely<Db>, spaceId: string): Promise<LegalEntity | undefined> =>
  entityIn(db, legalEntities(db).where('space_id', '=', spaceId))

/** The legal entity of the house account of a white-label. */
export const houseEntityOf = (db: Kysely<Db>, whitelabelId: string): Promise<LegalEntity | undefined> =>
  entityIn(
    db,
    legalEntities(db).where('space_id', 'in', (eb) =>
      eb.selectFrom('rm_accounts').select('space_id').where('house', '=', true).where('whitelabel_id', '=', whitelabelId),
    ),
  )

const legalEntities = (db: Kysely<Db>) => db.selectFrom('identity.legal_entities').select(['space_id', ...LEGAL_FIELDS])

async function entityIn(db: Kysely<Db>, found: ReturnType<typeof legalEntities>): Promise<LegalEntity | undefined> {
  const row = await found.executeTakeFirst()
  if (row === undefined) return undefined
  const { space_id: spaceId, ...stored } = row
  return openRow(db, 'identity.legal_entities', spaceId, stored)
}
