import { PERSON_STATUS } from '#domain/registration/person-status'
import { sql, type Kysely } from 'kysely'
import { allOf } from '#eventstore/postgres/expressions'
import type { RegistrationStatus } from '#domain/registration/registration'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db } from '#migrations/db'
import { pageAndTotal } from '../page-and-total.ts'

/** A person who registered. `created_at` is when the form was sent, ISO 8601 UTC. */
export type RegistrantRow = {
  readonly id: string
  readonly whitelabel_id: string
  readonly space_id: string
  readonly company_name: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly phone: string | null
  readonly country: string | null
  readonly currency: string
  readonly created_at: string
  readonly status: RegistrationStatus
  readonly moderator_comment: string | null
}

const SHOWN = sql`
  p.id, p.whitelabel_id, p.home_space_id as space_id, p.company_name, p.first_name, p.last_name, p.email, p.phone, p.country,
  r.currency, r.submitted_at as created_at, r.status, p.moderator_comment`

/** Registrations that wait for a decision, the longest waiting first: of one white-label, or of all for null. */
export async function waitingRegistrants(db: Kysely<Db>, whitelabelId: string | null, page: number, size: number) {
  const { rows, total } = await pageAndTotal(db, {
    // Records of erased people have no names to screen.
    found: sql`
      select r.person_id as id, r.submitted_at as created_at from rm_registrations r join identity.people p on p.id = r.person_id
      where r.status = 'submitted' and (r.whitelabel_id = ${whitelabelId}::text or ${whitelabelId}::text is null)
        and p.first_name <> ''`,
    order: sql`page.created_at, page.id`,
    page,
    size,
    shown: sql<RegistrantRow>`
      select ${SHOWN} from page join identity.people p on p.id = page.id join rm_registrations r on r.person_id = p.id`,
  })
  return { rows: rows.map((row) => opened(db, row)), total }
}

/** One registrant in any state; null when this person did not register. */
export async function findRegistrant(db: Kysely<Db>, id: string): Promise<RegistrantRow | null> {
  const { rows } = await sql<RegistrantRow>`
    select ${SHOWN} from identity.people p join rm_registrations r on r.person_id = p.id where p.id = ${id}`.execute(db)
  return rows[0] === undefined ? null : opened(db, rows[0])
}

const opened = (db: Kysely<Db>, row: RegistrantRow) => openRow(db, 'identity.people', row.id, row)

/**
 * People whose record does not match the decision about their registration: a process ended between the two. Approved ones await
 * completion, and rejected ones are marked so.
 */
export async function unsettledRegistrations(db: Kysely<Db>, limit: number, except: readonly string[] = []) {
  const people = db
    .selectFrom('rm_registrations as r')
    .innerJoin('identity.people as p', 'p.id', 'r.person_id')
    .where('p.id', '<>', allOf(except))
  return people
    .select(['p.id', sql<boolean>`p.status_key = 5`.as('isActive')])
    .where('r.status', '=', 'approved')
    .where('p.status_key', '<>', PERSON_STATUS.approved)
    .unionAll(
      people
        .select(['p.id', sql<boolean>`false`.as('isActive')])
        .where('p.status_key', '=', PERSON_STATUS.unverified)
        .where('r.status', '=', 'rejected'),
    )
    .limit(limit)
    .execute()
}
