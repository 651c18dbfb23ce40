import { sql, type Kysely } from 'kysely'
import type { DirectoryPeople } from '#commands/scim/provisioning'
import { anyOf, isoText, timestamptz } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import { recordMakers } from '../identity/makers.ts'

/** People by the records and the directory. */
export const createScimPeople = (db: Kysely<Db>, now: () => string): DirectoryPeople => ({
  async records(ids) {
    const rows = await db
      .selectFrom('identity.people as p')
      .leftJoin('identity.scim_people as s', 's.person_id', 'p.id')
      .select(['p.id', 'p.email', 'p.first_name as givenName', 'p.last_name as familyName', 's.external_id as externalId'])
      .select((eb) => [
        eb('s.deleted_at', 'is not', null).as('deleted'),
        isoText(eb.ref('p.created_at')).as('created'),
        isoText(sql<Date>`greatest(p.updated_at, s.changed_at)`).as('lastModified'),
      ])
      .where('p.id', '=', anyOf(new Set(ids)))
      .execute()
    return new Map(rows.map(({ deleted, ...row }) => [row.id, { ...row, deleted: deleted === true }]))
  },

  async claim(personId, externalId, { token, domain }) {
    // One of several equal creations at once makes the row or brings it back ("makes one person of 30 equal creations at once").
    const { rows } = await sql<{ claimed: boolean }>`
      insert into identity.scim_people as s (person_id, external_id, changed_at)
      values (${personId}, ${externalId}, ${now()}::timestamptz)
      on conflict (person_id) do update
        set external_id = excluded.external_id, changed_at = excluded.changed_at, deleted_at = null
        where s.deleted_at is not null
      returning true as claimed`.execute(db)
    if (rows.length === 1)
      await recordMakers(db, personId, { whitelabelId: token.whitelabelId, tokenId: token.id, providerId: null, domain })
    return rows.length === 1
  },

  async note(personId, externalId) {
    await db
      .insertInto('identity.scim_people')
      .values({ person_id: personId, external_id: externalId, changed_at: now() })
      .onConflict((conflict) =>
        conflict.column('person_id').doUpdateSet({ external_id: externalId, changed_at: timestamptz(now()) }),
      )
      .execute()
  },

  async deleted(personId) {
    const at = now()
    await db
      .insertInto('identity.scim_people')
      .values({ person_id: personId, external_id: null, changed_at: at, deleted_at: at })
      .onConflict((conflict) =>
        conflict.column('person_id').doUpdateSet({ external_id: null, changed_at: timestamptz(at), deleted_at: timestamptz(at) }),
      )
      .execute()
  },
})
