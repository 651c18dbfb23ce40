import { sql, type Transaction } from 'kysely'
import { REGISTRATION_JOB } from '#commands/registration/registrations'
import type { Db } from '#migrations/db'
import { removeJobs } from '../jobs/job-queue.ts'

/** Removes forms of a person that were not carried out yet. */
export async function removeRequests(tx: Transaction<Db>, personId: string): Promise<void> {
  const { rows } = await sql<{ readonly id: string }>`
    delete from app.registration_requests r using identity.people p
    where p.id = ${personId} and (r.person_id = p.id or (r.whitelabel_id = p.whitelabel_id and r.form ->> 'email' = p.email))
    returning r.id`.execute(tx)
  await removeJobs(
    tx,
    REGISTRATION_JOB,
    rows.map(({ id }) => id),
  )
}
