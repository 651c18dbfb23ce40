import { sql, type Kysely } from 'kysely'

export type Found = {
  readonly id: string
  readonly email: string
  readonly whitelabel_id: string
  readonly erased_at: string | null
}

/** The people that an id or an address means: an address may belong to one person of each white-label. */
export async function findPeople(db: Kysely<never>, who: string): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select p.id, p.email, p.whitelabel_id, k.erased_at::text as erased_at
    from identity.people p left join identity.person_keys k on k.person_id = p.id
    where p.id = ${who} or p.email = ${who.trim().toLowerCase()} order by p.whitelabel_id, p.id`.execute(db)
  return rows
}

/** What an erasure removed. */
export type Erased = {
  /** False when there was no key: the person never entered anything personal, or was erased before. */
  readonly key: boolean
  readonly sessions: number
  readonly answers: number
}

/**
 * Erases a person: all of it or nothing. The key goes and its row stays, so that no other is ever made; names, address, phone and
 * password are blanked, sessions and stored answers removed. Events keep the id, and tokens that nobody can open. Doing it again
 * does no harm, and mends what an old backup brought back.
 */
export const erasePerson = (db: Kysely<never>, id: string): Promise<Erased> =>
  db.transaction().execute(async (tx) => {
    // A sign-in that is under way holds this row through its session's foreign key: it ends before, or finds the person erased.
    await sql`select 1 from identity.people where id = ${id} for update`.execute(tx)
    const { rows } = await sql`select 1 from identity.person_keys where person_id = ${id} and key is not null for update`.execute(
      tx,
    )
    await sql`
      insert into identity.person_keys (person_id, key, erased_at) values (${id}, null, now())
      on conflict (person_id) do update set key = null, erased_at = coalesce(person_keys.erased_at, now())`.execute(tx)
    await sql`
      update identity.people
      set first_name = '', last_name = '', email = lower(id) || '@erased.invalid', phone = null, password_hash = '',
          token_version = token_version + 1
      where id = ${id}`.execute(tx)
    const sessions = await sql`delete from identity.sessions where person_id = ${id}`.execute(tx)
    // Anybody's stored answer may name the person, and losing one loses nothing: the log knows a repeat by itself.
    // What is being answered now and names them is stored before this, and removed, or waits for the end and finds the count higher.
    await sql`lock table app.answers in share row exclusive mode`.execute(tx)
    await sql`update app.erasures set count = count + 1`.execute(tx)
    const answers = await sql`delete from app.answers`.execute(tx)
    return { key: rows.length > 0, sessions: Number(sessions.numAffectedRows), answers: Number(answers.numAffectedRows) }
  })
