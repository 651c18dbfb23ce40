import { phoneNumber } from '#domain/audience/identifiers'
import type { OwnRight, Role } from '#domain/kit/access'
import { anyOf, NOW } from '#eventstore/postgres/expressions'
import { openRow, sealRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { sql, type Kysely } from 'kysely'
import { hashPassword, isPassword } from './slow-hash.ts'
import { accessOf } from './account-access.ts'
import { insteadOfPassword } from '../single-sign-on/password-rule.ts'
import { createBatchedReads } from '#eventstore/batched-reads'
import type { NewPerson, Person, PersonRecord } from '#commands/identity/person'

/** Display name of an erased person. */
const ERASED = 'Erased person'

/** Verified when the person does not exist, so that the response time is the same. */
const UNKNOWN_PERSON_HASH = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$u0hBGLjXG0XgP2t7m8m6pXU7cWm3M8S8oGq3Z8pX5bQ'

/** Whether a row `people` has an account to act in besides home (fine print 93). */
const ACTS_ELSEWHERE = sql<boolean>`
  exists (select from identity.account_access a where a.person_id = people.id and not a.home)`

/** The columns of a PersonRecord. */
export const PERSON = [
  'people.id',
  'people.whitelabel_id',
  'people.home_space_id',
  sql<Role[]>`people.roles`.as('roles'),
  sql<OwnRight[]>`people.rights`.as('rights'),
  'people.first_name',
  'people.last_name',
  'people.email',
  'people.status_key',
  sql<boolean>`(people.suspended and not ${ACTS_ELSEWHERE})`.as('suspended'),
  sql<boolean>`(people.deactivated and not ${ACTS_ELSEWHERE})`.as('deactivated'),
  'people.company_name',
  'people.country',
  'people.language_key',
  'people.type_key',
  'people.picture_id',
  'people.token_version',
  sql<string>`people.created_at::text`.as('created_at'),
] as const

/** An erased person keeps only the id, for change logs, even if an old backup restored more. */
const NOT_ERASED = sql<boolean>`
  not exists (select 1 from identity.person_keys where person_id = people.id and erased_at is not null)`

export const ACTIVE = sql<boolean>`(people.status_key = 5 and ${NOT_ERASED}
  and exists (select from identity.account_access a where a.person_id = people.id)
  and not exists (select 1 from identity.suspended_whitelabels s where s.whitelabel_id = people.whitelabel_id))`

/**
 * The condition under which a row `people` of `identity.people` may sign in and have sessions: active, with an account that they are
 * neither deactivated nor suspended in, of no suspended white-label, and demo users only while the demo is on.
 */
export const mayEnter = (demo: boolean) => (demo ? ACTIVE : sql<boolean>`(not people.demo and ${ACTIVE})`)

/** Most networks remembered per person. */
const KNOWN_NETWORKS = 50

/** `demo`: whether demo users may sign in. */
export function createPeople(db: Kysely<Db>, { demo }: { readonly demo: boolean }) {
  const people = db.selectFrom('identity.people as people')
  const ofAddress = (whitelabelId: string, email: string) =>
    people.where('people.whitelabel_id', '=', whitelabelId).where('people.email', '=', email.trim().toLowerCase())

  async function find(id: string): Promise<PersonRecord | null> {
    return (await people.select(PERSON).where('people.id', '=', id).where(NOT_ERASED).executeTakeFirst()) ?? null
  }

  // Every answer about a campaign names people, and concurrent answers mostly name the same ones.
  const nameOf = createBatchedReads<string, Person | null>({
    lanes: 2,
    most: 256,
    load: async (ids) => {
      const name = sql<string>`case when ${NOT_ERASED} then first_name || ' ' || last_name else ${ERASED} end`
      const rows = await people
        .select(['id', name.as('name'), 'home_space_id as homeSpaceId'])
        .select(
          sql<string[]>`array(
            select m.space_id from identity.memberships m where m.person_id = people.id and m.joined_at is not null)`.as(
            'joined',
          ),
        )
        .where('id', '=', anyOf(new Set(ids)))
        .execute()
      const found = new Map(rows.map((person) => [person.id, person]))
      return ids.map((id) => found.get(id) ?? null)
    },
  })

  return {
    find,

    /** The phone number in a person's record, as entered; null without one. */
    phoneOf: (id: string) => phoneOf(db, id),

    /** The accounts that a person may act in now, home first. */
    accessOf: (id: string) => accessOf(db, id),

    /**
     * The person with this address and password; null alike for an unknown address and a wrong password. Demo users enter only
     * from this machine (`isLocalRequest`, fine print 71).
     */
    async authenticate(whitelabelId: string, email: string, password: string, isLocal = false): Promise<PersonRecord | null> {
      const person = await ofAddress(whitelabelId, email)
        .select([...PERSON, 'password_hash'])
        .where(mayEnter(demo && isLocal))
        .executeTakeFirst()
      const right = await isPassword(person?.password_hash ?? UNKNOWN_PERSON_HASH, password)
      return person !== undefined && right ? person : null
    },

    /** The identity provider that stands in place of the password for an address; null where the password is allowed. */
    insteadOfPassword: (whitelabelId: string, address: string) => insteadOfPassword(db, whitelabelId, address),

    /** Whether a second person confirmed the role of a person whom a directory made. Null for others. */
    async ofDirectory(id: string): Promise<{ readonly confirmed: boolean } | null> {
      const made = people.select('people.role_confirmed as confirmed').where('people.id', '=', id)
      return (await made.where('people.by_directory', '=', true).executeTakeFirst()) ?? null
    },

    /** The person with this address in a white-label, in any state; null for an unknown address. */
    ofAddress: (whitelabelId: string, address: string) => personOfAddress(db, whitelabelId, address),

    /** The person, if they may sign in. */
    async entering(id: string, isLocal = false): Promise<PersonRecord | null> {
      const entering = people
        .select(PERSON)
        .where('people.id', '=', id)
        .where(mayEnter(demo && isLocal))
      return (await entering.executeTakeFirst()) ?? null
    },

    /** Remembers a device of a sign-in: true when the person has signed in before, and never from this device within 180 days. */
    async isNewDevice(personId: string, device: string): Promise<boolean> {
      const { rows } = await sql<{ first: boolean; known: boolean }>`
        with before as (select device, last_at from identity.known_devices where person_id = ${personId}),
        kept as (
          insert into identity.known_devices as seen (person_id, device, last_at) values (${personId}, ${device}, now())
          on conflict (person_id, device) do update set last_at = now())
        select not exists (select 1 from before) as first,
          exists (select 1 from before where device = ${device} and last_at > now() - interval '180 days') as known`.execute(db)
      return rows[0] !== undefined && !rows[0].first && !rows[0].known
    },

    /** Whether the person with this address has signed in from this network within 180 days. */
    async knowsNetwork(whitelabelId: string, email: string, network: string): Promise<boolean> {
      const known = await ofAddress(whitelabelId, email)
        .innerJoin('identity.known_networks as known', 'known.person_id', 'people.id')
        .select('known.network')
        .where('known.network', '=', network)
        .where('known.last_at', '>', sql<Date>`now() - interval '180 days'`)
        .executeTakeFirst()
      return known !== undefined
    },

    /** Remembers a network of a sign-in; precise to a day, which saves a write per sign-in. */
    async rememberNetwork(personId: string, network: string): Promise<void> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('identity.known_networks')
        .values({ person_id: personId, network, last_at: NOW })
        .onConflict((conflict) =>
          conflict
            .columns(['person_id', 'network'])
            .doUpdateSet({ last_at: NOW })
            .where('identity.known_networks.last_at', '<', sql<Date>`now() - interval '1 day'`),
        )
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows === 0n) return
      await sql`
        delete from identity.known_networks where person_id = ${personId} and network not in (
          select network from identity.known_networks where person_id = ${personId}
          order by last_at desc limit ${KNOWN_NETWORKS})`.execute(db)
    },

    /** Adds a person; does nothing when the id is taken. Without a password the person cannot sign in yet. */
    async create(person: NewPerson): Promise<void> {
      if ((await find(person.id)) !== null) return
      const {
        password = null,
        company_name = '',
        country = null,
        language_key = 1,
        status_key = 5,
        demo: isDemo = false,
      } = person
      const passwordHash = password === null ? null : await hashPassword(password)
      await db
        .insertInto('identity.people')
        .values({
          id: person.id,
          whitelabel_id: person.whitelabel_id,
          home_space_id: person.home_space_id,
          roles: [...person.roles],
          first_name: person.first_name,
          last_name: person.last_name,
          email: person.email.trim().toLowerCase(),
          ...sealRow(db, 'identity.people', person.id, { phone: person.phone }),
          company_name,
          country,
          language_key,
          status_key,
          password_hash: passwordHash,
          demo: isDemo,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    },

    /** Whether this is the present password of the person. */
    async hasPassword(id: string, password: string): Promise<boolean> {
      const person = await people.select('password_hash').where('id', '=', id).executeTakeFirst()
      const known = person?.password_hash ?? null
      return known !== null && (await isPassword(known, password))
    },

    /** Sets a password. It ends every session and API key of the person (migrations 0150 and 0280). */
    async setPassword(id: string, password: string, on: Kysely<Db> = db): Promise<void> {
      const passwordHash = await hashPassword(password)
      await on.updateTable('identity.people').set({ password_hash: passwordHash, updated_at: NOW }).where('id', '=', id).execute()
    },

    /** Sets the first password of an approved person, who may sign in from now on. */
    async activate(id: string, password: string, on: Kysely<Db> = db): Promise<void> {
      const passwordHash = await hashPassword(password)
      const status = sql<number>`case status_key when 2 then 5 else status_key end`
      const set = { password_hash: passwordHash, status_key: status, updated_at: NOW }
      await on.updateTable('identity.people').set(set).where('id', '=', id).execute()
    },

    /** Names for answers; unknown ids are left out. */
    async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
      const named = await Promise.all(ids.map(nameOf))
      return new Map(named.flatMap((person) => (person === null ? [] : [[person.id, person]])))
    },
  }
}
export type People = ReturnType<typeof createPeople>

/** The person with this address in a white-label, in any state; null for an unknown address. */
export async function personOfAddress(db: Kysely<Db>, whitelabelId: string, address: string): Promise<PersonRecord | null> {
  const people = db.selectFrom('identity.people as people').select(PERSON).where('people.whitelabel_id', '=', whitelabelId)
  return (await people.where('people.email', '=', address.trim().toLowerCase()).executeTakeFirst()) ?? null
}

/** The phone number in a person's record, as entered; null without one. */
export async function phoneOf(db: Kysely<Db>, id: string): Promise<string | null> {
  const person = await db.selectFrom('identity.people').select('phone').where('id', '=', id).executeTakeFirst()
  return person === undefined ? null : openRow(db, 'identity.people', id, person).phone
}

/** Its digits; null without one. */
export const phoneDigitsOf = async (db: Kysely<Db>, id: string): Promise<string | null> =>
  phoneNumber((await phoneOf(db, id)) ?? '')
