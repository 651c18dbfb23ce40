import { sql, type Transaction } from 'kysely'
import { REGISTRATION_JOB, type StoredForm } from '#commands/registration/registrations'
import { anyOf } from '#eventstore/postgres/expressions'
import { openRow } from '#eventstore/postgres/sealed-columns'
import type { Db, SealedJson } from '#migrations/db'
import { removeJobs } from '../jobs/job-queue.ts'

/** Removes forms of a person that were not carried out yet. */
export async function removeRequests(tx: Transaction<Db>, personId: string): Promise<void> {
  // A sealed address cannot be compared by the statement; few forms wait at a time.
  const waiting = await tx
    .selectFrom('app.registration_requests as r')
    .innerJoin('identity.people as p', 'p.whitelabel_id', 'r.whitelabel_id')
    .select(['r.id', 'r.form', 'p.email', sql<boolean>`r.person_id is not distinct from p.id`.as('isOwn')])
    .where('p.id', '=', personId)
    .execute()
  const ids = waiting.filter(({ isOwn, email, ...row }) => isOwn || formOf(tx, row).email === email).map(({ id }) => id)
  await tx.deleteFrom('app.registration_requests').where('id', '=', anyOf(ids)).execute()
  await removeJobs(tx, REGISTRATION_JOB, ids)
}

const formOf = (tx: Transaction<Db>, row: { readonly id: string; readonly form: SealedJson }): StoredForm =>
  openRow(tx, 'app.registration_requests', row.id, row).form as StoredForm
