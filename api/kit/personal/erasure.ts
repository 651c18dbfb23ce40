import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { HASH_BYTES } from '#commands/audience/audience-port'
import { createIdentifierHash } from '#commands/audience/identifier-hash'
import { placeIn } from '#commands/audience/members'
import { hashedText, hashedVisitor, phoneNumber } from '#domain/audience/identifiers'
import type { Db } from '#migrations/db'

export type Found = {
  readonly id: string
  readonly email: string
  readonly whitelabel_id: string
  readonly erased_at: string | null
}

/** The people with this id or address: an address may belong to one person of each white-label. */
export async function findPeople(db: Kysely<Db>, who: string): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select p.id, p.email, p.whitelabel_id, k.erased_at::text as erased_at
    from identity.people p left join identity.person_keys k on k.person_id = p.id
    where p.id = ${who} or p.email = ${who.trim().toLowerCase()} order by p.whitelabel_id, p.id`.execute(db)
  return rows
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
  Number((await sql`delete from app.answers`.execute(tx)).numAffectedRows)

async function eraseAll(tx: Transaction<Db>, id: string): Promise<Erased> {
  // A concurrent sign-in holds this row through its session's foreign key: it ends first, or finds the person erased.
  await sql`select 1 from identity.people where id = ${id} for update`.execute(tx)
  const { rows } = await sql`select 1 from identity.person_keys where person_id = ${id} and key is not null for update`.execute(
    tx,
  )
  await sql`
    insert into identity.person_keys (person_id, key, erased_at) values (${id}, null, now())
    on conflict (person_id) do update set key = null, erased_at = coalesce(person_keys.erased_at, now())`.execute(tx)
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
  await sql`delete from identity.mail_keys where person_id = ${id}`.execute(tx)
  await sql`
    update identity.people
    set first_name = '', last_name = '', email = lower(id) || '@erased.invalid', phone = null, password_hash = '',
        company_name = '', country = null, picture_id = null, settings = '{}', moderator_comment = null,
        token_version = token_version + 1
    where id = ${id}`.execute(tx)
  for (const table of ['second_factors', 'recovery_codes', 'challenges', 'known_devices', 'api_keys', 'pictures'])
    await sql`delete from identity.${sql.raw(table)} where person_id = ${id}`.execute(tx)
  await sql`delete from app.mails where person_id = ${id}`.execute(tx)
  // The legal entity of an individual is the person.
  await sql`
    delete from identity.legal_entities e using identity.people p
    where p.id = ${id} and p.type_key = 2 and e.space_id = p.home_space_id`.execute(tx)
  await sql`update app.cards set holder_name = null where added_by = ${id}`.execute(tx)
  await sql`delete from identity.known_networks where person_id = ${id}`.execute(tx)
  await sql`delete from app.chats where person_id = ${id}`.execute(tx)
  await sql`delete from app.notifications where person_id = ${id}`.execute(tx)
  await sql`delete from app.notification_choices where person_id = ${id}`.execute(tx)
  await sql`delete from app.closed_guides where person_id = ${id}`.execute(tx)
  await sql`delete from app.saved_reports where person_id = ${id}`.execute(tx)
  const sessions = await sql`delete from identity.sessions where person_id = ${id}`.execute(tx)
  await sql`delete from identity.session_families where person_id = ${id}`.execute(tx)
  await sql`
    insert into app.security_events (at, type, whitelabel_id, person_id, client_network, details, count)
    select now(), 'person-erased', whitelabel_id, id, null, '{"by": "command line"}'::json, 1 from identity.people
    where id = ${id}`.execute(tx)
  // A concurrent answer that names the person is stored before this, and removed, or waits for the end and finds the count
  // higher.
  await sql`lock table app.answers in share row exclusive mode`.execute(tx)
  await sql`update app.erasures set count = count + 1`.execute(tx)
  const answers = await removeAnswers(tx)
  return { key: rows.length > 0, sessions: Number(sessions.numAffectedRows), answers }
}

/** Events read by one statement. */
const EVENTS_AT_ONCE = 20_000

/**
 * Takes the person out of the events of advertisers, who may have used the person's id or phone number for a visitor: otherwise the next
 * computation of an audience would bring them back. An event whose visitor is not known has its own id in place of one.
 */
async function removeFromEvents(db: Kysely<Db>, id: string): Promise<void> {
  const { rows: people } = await sql<{ readonly phone: string | null }>`
    select phone from identity.people where id = ${id}`.execute(db)
  const phone = phoneNumber(people[0]?.phone ?? '')
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
  const { rows: people } = await sql<{ readonly phone: string | null }>`
    select phone from identity.people where id = ${id}`.execute(tx)
  const phone = phoneNumber(people[0]?.phone ?? '')
  const texts = [hashedVisitor(id), ...(phone === null ? [] : [hashedText('phone', phone), hashedVisitor(phone)])]
  const { rows: keys } = await sql<{ readonly key: Buffer }>`select key from app.audience_keys`.execute(tx)
  for (const { key } of keys) {
    const hashOf = createIdentifierHash(key)
    for (const text of texts) await removeMember(tx, Buffer.from(hashOf(text), 'latin1').subarray(0, HASH_BYTES))
  }
}

async function removeMember(tx: Transaction<Db>, hash: Buffer): Promise<void> {
  const bucket = hash[0] ?? 0
  type Place = { readonly audience_id: string; readonly version: number }
  // A member may straddle two hashes by chance: its place decides.
  const { rows: places } = await sql<Place & { readonly members: Buffer }>`
    select audience_id, version, members from app.audience_members
    where bucket = ${bucket} and position(${hash} in members) > 0 for update`.execute(tx)
  for (const { audience_id, version, members } of places) {
    const at = placeIn(members, hash)
    if (at === -1) continue
    const left = Buffer.concat([members.subarray(0, at), members.subarray(at + HASH_BYTES)])
    await sql`
      update app.audience_members set members = ${left}
      where audience_id = ${audience_id} and version = ${version} and bucket = ${bucket}`.execute(tx)
    // Bidders ask by the tag: any other one makes them download the members again.
    const etag = createHash('sha256').update(left).update(String(bucket)).digest('base64url').slice(0, 22)
    await sql`
      update app.audience_sets set members = members - 1, etag = ${etag}, changed_at = now()
      where audience_id = ${audience_id} and version = ${version}`.execute(tx)
  }
  const { rows: parts } = await sql<{ readonly upload_id: string; readonly part: number; readonly members: Buffer }>`
    select upload_id, part, members from app.audience_parts
    where bucket = ${bucket} and position(${hash} in members) > 0 for update`.execute(tx)
  for (const { upload_id, part, members } of parts) {
    const kept: Buffer[] = []
    for (let at = 0; at < members.length; at += HASH_BYTES) {
      const one = members.subarray(at, at + HASH_BYTES)
      if (!one.equals(hash)) kept.push(one)
    }
    await sql`
      update app.audience_parts set members = ${Buffer.concat(kept)}
      where upload_id = ${upload_id} and part = ${part} and bucket = ${bucket}`.execute(tx)
  }
}
