import { sql, type Kysely } from 'kysely'
import type { RegistrationRequest, RegistrationStore } from '#commands/registration/registrations'
import { personOfAddress } from '../identity/people.ts'
import { queueMail } from '../mail/mail-queue.ts'

/** Forms of registrations in PostgreSQL, with the records of their people. */
export function createRegistrationStore(db: Kysely<never>): RegistrationStore {
  async function store(on: Kysely<never>, { id, whitelabel_id, person_id, context, form }: RegistrationRequest): Promise<void> {
    await sql`
      insert into app.registration_requests (id, whitelabel_id, person_id, context, form)
      values (${id}, ${whitelabel_id}, ${person_id}, ${JSON.stringify(context)}::jsonb, ${JSON.stringify(form)}::jsonb)
      on conflict (id) do nothing`.execute(on)
  }

  async function remove(on: Kysely<never>, id: string): Promise<void> {
    await sql`delete from app.registration_requests where id = ${id}`.execute(on)
  }

  async function add(on: Kysely<never>, ...[ids, whitelabelId, form]: Parameters<RegistrationStore['addRegistrant']>) {
    await sql`
      insert into identity.people (id, whitelabel_id, home_space_id, roles, first_name, last_name, email, phone, company_name, country,
        language_key, status_key)
      values (${ids.personId}, ${whitelabelId}, ${ids.spaceId}, '{USER_OWNER}', ${form.first_name}, ${form.last_name}, ${form.email},
        ${form.phone}, ${form.company_name}, ${form.country}, ${form.language_key}, 1)
      on conflict do nothing`.execute(on)
    return (await personOfAddress(on, whitelabelId, form.email))?.id === ids.personId
  }

  return {
    storeRequest: (request) => store(db, request),
    async requests(limit) {
      const { rows } = await sql<RegistrationRequest>`
        select id, whitelabel_id, person_id, context, form from app.registration_requests
        order by received_at limit ${limit}`.execute(db)
      return rows
    },
    removeRequest: (id) => remove(db, id),
    addRegistrant: (...args) => add(db, ...args),
    addWithRequest: (ids, request) =>
      db.transaction().execute(async (tx) => {
        const added = await add(tx, ids, request.whitelabel_id, request.form)
        if (added) await store(tx, request)
        return added
      }),
    personOfAddress: (whitelabelId, address) => personOfAddress(db, whitelabelId, address),
    submitAgain: (personId, { id, form }) =>
      db.transaction().execute(async (tx) => {
        await sql`
          update identity.people set first_name = ${form.first_name}, last_name = ${form.last_name}, phone = ${form.phone},
            company_name = ${form.company_name}, country = ${form.country}, language_key = ${form.language_key}, status_key = 1,
            moderator_comment = null, updated_at = now()
          where id = ${personId} and status_key = 3`.execute(tx)
        await remove(tx, id)
      }),
    refuseKnown: (requestId, notice) =>
      db.transaction().execute(async (tx) => {
        if (notice !== null) await queueMail(tx, notice)
        await remove(tx, requestId)
      }),
    async companyOf(personId) {
      const { rows } = await sql<{ readonly company_name: string }>`
        select company_name from identity.people where id = ${personId}`.execute(db)
      return rows[0]?.company_name ?? ''
    },
    approve: (personId, mail) =>
      db.transaction().execute(async (tx) => {
        await sql`
          update identity.people set status_key = 2, updated_at = now() where id = ${personId} and status_key in (1, 3)`.execute(
          tx,
        )
        await queueMail(tx, mail)
      }),
    reject: (personId, mail) =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ readonly moderator_comment: string | null }>`
          update identity.people set status_key = 3, updated_at = now() where id = ${personId} and status_key = 1
          returning moderator_comment`.execute(tx)
        const [rejected] = rows
        if (rejected !== undefined) await queueMail(tx, { ...mail, data: { comment: rejected.moderator_comment ?? '' } })
      }),
    async keepComment(personId, comment) {
      await sql`
        update identity.people set moderator_comment = ${comment} where id = ${personId} and status_key = 1`.execute(db)
    },
  }
}
