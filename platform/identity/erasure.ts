import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { HASH_BYTES } from '#commands/audience/audience-port'
import { createIdentifierHash } from '#commands/audience/identifier-hash'
import { placeIn } from '#commands/audience/members'
import { hashedText, hashedVisitor, phoneNumber } from '#domain/audience/identifiers'
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

/** What an erasure removed. */
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
export async function erasePerson(db: Kysely<Db>, id: string): Promise<Erased> {
  // Any stored answer may name the person. Losing one costs little: the log recognises repeats of stored commands. Answers of a
  // day are removed first, while commands continue; the erasure itself, for which commands wait, then removes only the recent
  // ones ("is stored during an erasure that is removing many others, and removed with them").
  let before = 0
  for (let removed = FEW_ANSWERS; removed >= FEW_ANSWERS; before += removed)
    removed = await db.transaction().execute(removeAllAnswers)
  await removeFromEvents(db, id)
  const erased = await db.transaction().execute((tx) => eraseAll(tx, id))
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
  'identity.known_devices',
  'identity.api_keys',
  'identity.pictures',
] as const
const OTHER_TABLES = [
  'identity.known_networks',
  'app.chats',
  'app.notifications',
  'app.notification_choices',
  'app.closed_guides',
  'app.saved_reports',
] as const

async function eraseAll(tx: Transaction<Db>, id: string): Promise<Erased> {
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
  // Mails that wait and forms that are not carried out yet name the person by address.
  await sql`
    delete from app.mails using identity.people p
    where p.id = ${id} and (app.mails.person_id = p.id or (app.mails.whitelabel_id = p.whitelabel_id and address = p.email))`.execute(
    tx,
  )
  await sql`
    delete from app.registration_requests using identity.people p
    where p.id = ${id} and (person_id = p.id
      or (app.registration_requests.whitelabel_id = p.whitelabel_id and form ->> 'email' = p.email))`.execute(tx)
  await removeFromAudiences(tx, id)
  await tx.deleteFrom('identity.mail_keys').where('person_id', '=', id).execute()
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
  await tx.deleteFrom('app.mails').where('person_id', '=', id).execute()
  // The legal entity of an individual is the person.
  await sql`
    delete from identity.legal_entities e using identity.people p
    where p.id = ${id} and p.type_key = 2 and e.space_id = p.home_space_id`.execute(tx)
  await tx.updateTable('app.cards').set({ holder_name: null }).where('added_by', '=', id).execute()
  for (const table of OTHER_TABLES) await tx.deleteFrom(table).where('person_id', '=', id).execute()
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

async function phoneOf(db: Kysely<Db>, id: string): Promise<string | null> {
  const person = await db.selectFrom('identity.people').select('phone').where('id', '=', id).executeTakeFirst()
  return phoneNumber(person?.phone ?? '')
}

/** Events read by one statement. */
const EVENTS_AT_ONCE = 20_000

/**
 * Takes the person out of the events of advertisers, who may have used the person's id or phone number for a visitor: otherwise the next
 * computation of an audience would bring them back. An event whose visitor is not known has its own id in place of one.
 */
async function removeFromEvents(db: Kysely<Db>, id: string): Promise<void> {
  const phone = await phoneOf(db, id)
  const isThem = sql`(
    lower(replace(btrim(page.visitor), '-', '')) = ${id.toLowerCase().replaceAll('-', '')}
    or (page.visitor !~ '[^0-9 ().+-]' and regexp_replace(page.visitor, '[^0-9]', '', 'g') in (${phone ?? ''}, '00' || ${phone ?? ''})
      and ${phone !== null}))`
  for (let after = { space_id: '', id: '' }; ;) {
    const { rows } = await sql<typeof after>`
      with page as materialized (
        select space_id, id, visitor from app.tracked_events
        where (space_id, id) > (${after.space_id}, ${after.id}) order by space_id, id limit ${EVENTS_AT_ONCE}
      ), changed as (
        update app.tracked_events e set visitor = e.id from page where e.space_id = page.space_id and e.id = page.id and ${isThem}
      )
      select space_id, id from page order by space_id desc, id desc limit 1`.execute(db)
    const [last] = rows
    if (last === undefined) return
    after = last
  }
}

/**
 * Takes the person's identifiers out of every audience, of every white-label: the phone number, which must still be in the record, and the
 * person's id, which advertisers may use as that of a visitor. Files on their way to an audience are among them.
 */
async function removeFromAudiences(tx: Transaction<Db>, id: string): Promise<void> {
  const phone = await phoneOf(tx, id)
  const texts = [hashedVisitor(id), ...(phone === null ? [] : [hashedText('phone', phone), hashedVisitor(phone)])]
  const keys = await tx.selectFrom('app.audience_keys').select('key').execute()
  for (const { key } of keys) {
    const hashOf = createIdentifierHash(key)
    for (const text of texts) await removeMember(tx, Buffer.from(hashOf(text), 'latin1').subarray(0, HASH_BYTES))
  }
}

async function removeMember(tx: Transaction<Db>, hash: Buffer): Promise<void> {
  const bucket = hash[0] ?? 0
  // A member may straddle two hashes by chance: its place decides.
  const places = await tx
    .selectFrom('app.audience_members')
    .select(['audience_id', 'version', 'members'])
    .where('bucket', '=', bucket)
    .where((eb) => sql<boolean>`position(${hash} in ${eb.ref('members')}) > 0`)
    .forUpdate()
    .execute()
  for (const { audience_id, version, members } of places) {
    const at = placeIn(members, hash)
    if (at === -1) continue
    const left = Buffer.concat([members.subarray(0, at), members.subarray(at + HASH_BYTES)])
    await tx
      .updateTable('app.audience_members')
      .set({ members: left })
      .where('audience_id', '=', audience_id)
      .where('version', '=', version)
      .where('bucket', '=', bucket)
      .execute()
    // Bidders ask by the tag: any other one makes them download the members again.
    const etag = createHash('sha256').update(left).update(String(bucket)).digest('base64url').slice(0, 22)
    await tx
      .updateTable('app.audience_sets')
      .set((eb) => ({ members: eb('members', '-', 1), etag, changed_at: NOW }))
      .where('audience_id', '=', audience_id)
      .where('version', '=', version)
      .execute()
  }
  const parts = await tx
    .selectFrom('app.audience_parts')
    .select(['upload_id', 'part', 'members'])
    .where('bucket', '=', bucket)
    .where((eb) => sql<boolean>`position(${hash} in ${eb.ref('members')}) > 0`)
    .forUpdate()
    .execute()
  for (const { upload_id, part, members } of parts) {
    const kept: Buffer[] = []
    for (let at = 0; at < members.length; at += HASH_BYTES) {
      const one = members.subarray(at, at + HASH_BYTES)
      if (!one.equals(hash)) kept.push(one)
    }
    await tx
      .updateTable('app.audience_parts')
      .set({ members: Buffer.concat(kept) })
      .where('upload_id', '=', upload_id)
      .where('part', '=', part)
      .where('bucket', '=', bucket)
      .execute()
  }
}
