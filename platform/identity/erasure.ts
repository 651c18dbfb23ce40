import { sql, type Kysely, type Transaction } from 'kysely'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'

export type Found = {
  readonly id: string
  readonly email: string
  readonly whitelabel_id: string
  readonly erased_at: string | null
}

/** The people with this id or address: an address may belong to one person of each white-label. */
export async function findPeople(db: Kysely<Db>, who: string): Promise<readonly Found[]> {
  return db
    .selectFrom('identity.people as p')
    .leftJoin('identity.person_keys as k', 'k.person_id', 'p.id')
    .select(['p.id', 'p.email', 'p.whitelabel_id', sql<string | null>`k.erased_at::text`.as('erased_at')])
    .where((eb) => eb.or([eb('p.id', '=', who), eb('p.email', '=', who.trim().toLowerCase())]))
    .orderBy('p.whitelabel_id')
    .orderBy('p.id')
    .execute()
}

/** Removal of a person's data from a subject. Repeating it removes nothing else. */
export type Eraser = {
  /** In transactions of its own, for tables that many write to. */
  readonly before?: (db: Kysely<Db>, personId: string) => Promise<unknown>
  /** In the transaction of the erasure, while the record still has the address. */
  readonly within?: (tx: Transaction<Db>, personId: string) => Promise<unknown>
}

/** Counts of an erasure. */
export type Erased = {
  /** False when there was no key: the person never entered personal data, or was erased before. */
  readonly key: boolean
  readonly sessions: number
  readonly answers: number
}

/** Stored answers that may remain for the erasure itself: few enough that removing them delays no request. */
const FEW_ANSWERS = 1000

/**
 * Erases a person in one transaction. The key is removed and its row kept, so that no other key is ever made; names, address,
 * phone and password are blanked, sessions and stored answers removed. Events keep the id, and tokens that can no longer be
 * opened. Idempotent: a repeat also removes data that an old backup restored.
 */
export async function erasePerson(db: Kysely<Db>, id: string, erasers: readonly Eraser[]): Promise<Erased> {
  // Any stored answer may name the person. Losing one costs little: the log recognises repeats of stored commands. Answers of a
  // day are removed first, while commands continue; the erasure itself, for which commands wait, then removes the recent ones
  // ("an answer with a personal name is stored during an erasure that is removing many others, and removed with them").
  let before = 0
  for (let removed = FEW_ANSWERS; removed >= FEW_ANSWERS; before += removed)
    removed = await db.transaction().execute(removeAllAnswers)
  for (const { before: remove } of erasers) await remove?.(db, id)
  const erased = await db.transaction().execute((tx) => eraseAll(tx, id, erasers))
  return { ...erased, answers: before + erased.answers }
}

/** Removes all stored answers, without a time limit. */
async function removeAllAnswers(tx: Transaction<Db>): Promise<number> {
  await sql`set local statement_timeout = 0`.execute(tx)
  return removeAnswers(tx)
}

const removeAnswers = async (tx: Transaction<Db>): Promise<number> =>
  Number((await tx.deleteFrom('app.answers').executeTakeFirst()).numDeletedRows)

/** Tables whose rows of a person are removed. */
const IDENTITY_TABLES = [
  'identity.second_factors',
  'identity.recovery_codes',
  'identity.challenges',
  'identity.passkeys',
  'identity.sign_on_codes',
  'identity.sign_on_links',
  'identity.scim_people',
  'identity.known_devices',
  'identity.api_keys',
  'identity.pictures',
  'identity.known_networks',
] as const

async function eraseAll(tx: Transaction<Db>, id: string, erasers: readonly Eraser[]): Promise<Erased> {
  // A concurrent sign-in holds this row through its session's foreign key: it ends first, or finds the person erased.
  await tx.selectFrom('identity.people').select('id').where('id', '=', id).forUpdate().execute()
  const key = await tx
    .selectFrom('identity.person_keys')
    .select('person_id')
    .where('person_id', '=', id)
    .where('key', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  await tx
    .insertInto('identity.person_keys')
    .values({ person_id: id, key: null, erased_at: NOW })
    .onConflict((conflict) =>
      conflict
        .column('person_id')
        .doUpdateSet((eb) => ({ key: null, erased_at: eb.fn.coalesce('identity.person_keys.erased_at', NOW) })),
    )
    .execute()
  // Before the record is blanked: some know the person by address or phone number.
  for (const { within } of erasers) await within?.(tx, id)
  await tx
    .updateTable('identity.people')
    .set((eb) => ({
      first_name: '',
      last_name: '',
      email: sql`lower(id) || '@erased.invalid'`,
      phone: null,
      password_hash: '',
      company_name: '',
      country: null,
      picture_id: null,
      settings: '{}',
      moderator_comment: null,
      token_version: eb('token_version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  for (const table of IDENTITY_TABLES) await tx.deleteFrom(table).where('person_id', '=', id).execute()
  // The rows stay: by them the accounts learn that the person is gone.
  await tx
    .updateTable('identity.memberships')
    .set({ state: 'erased', first_name: '', last_name: '', roles: [], rights: '[]' })
    .where('person_id', '=', id)
    .execute()
  const sessions = await tx.deleteFrom('identity.sessions').where('person_id', '=', id).executeTakeFirst()
  await tx.deleteFrom('identity.session_families').where('person_id', '=', id).execute()
  await sql`
    insert into app.security_events (at, type, whitelabel_id, person_id, client_network, details, count)
    select now(), 'person-erased', whitelabel_id, id, null, '{"by": "command line"}'::json, 1 from identity.people
    where id = ${id}`.execute(tx)
  // A concurrent answer that names the person is stored before this, and removed, or waits for the end and finds the count
  // higher.
  await sql`lock table app.answers in share row exclusive mode`.execute(tx)
  await tx
    .updateTable('app.erasures')
    .set({ count: sql`count + 1` })
    .execute()
  const answers = await removeAnswers(tx)
  return { key: key !== undefined, sessions: Number(sessions.numDeletedRows), answers }
}
