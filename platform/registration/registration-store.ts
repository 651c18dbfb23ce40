import { PERSON_STATUS } from '#domain/registration/person-status'
import { sql, type Kysely } from 'kysely'
import {
  REGISTRATION_JOB,
  type RegistrationRequest,
  type RegistrationStore,
  type StoredForm,
} from '#commands/registration/registrations'
import { NOW } from '#eventstore/postgres/expressions'
import { openRow, sealRow } from '#eventstore/postgres/sealed-columns'
import type { Db, SealedJson } from '#migrations/db'
import { personOfAddress } from '../identity/people.ts'
import { removeJobs, storeWithJob } from '../jobs/job-queue.ts'
import { queueMail } from '../mail/mail-queue.ts'

/** Forms of registrations in PostgreSQL, with the records of their people. */
export function createRegistrationStore(db: Kysely<Db>): RegistrationStore {
  async function store(on: Kysely<Db>, { id, whitelabel_id, person_id, context, form }: RegistrationRequest): Promise<void> {
    const row = on
      .insertInto('app.registration_requests')
      .values({
        id,
        whitelabel_id,
        person_id,
        context: JSON.stringify(context),
        ...sealRow(on, 'app.registration_requests', id, { form }),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id as key')
    await storeWithJob(on, row, { kind: REGISTRATION_JOB, payload: {} })
  }

  async function remove(on: Kysely<Db>, id: string): Promise<void> {
    await on.deleteFrom('app.registration_requests').where('id', '=', id).execute()
    // With its request: a repeat of the command would otherwise store a request and get no job.
    await removeJobs(on, REGISTRATION_JOB, [id])
  }

  async function add(on: Kysely<Db>, ...[ids, whitelabelId, form]: Parameters<RegistrationStore['addRegistrant']>) {
    const { first_name, last_name, email, phone, company_name, country, language_key } = form
    await on
      .insertInto('identity.people')
      .values({
        id: ids.personId,
        whitelabel_id: whitelabelId,
        home_space_id: ids.spaceId,
        roles: ['USER_OWNER'],
        first_name,
        last_name,
        email,
        ...sealRow(on, 'identity.people', ids.personId, { phone }),
        company_name,
        country,
        language_key,
        status_key: PERSON_STATUS.unverified,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await personOfAddress(on, whitelabelId, email))?.id === ids.personId
  }

  return {
    storeRequest: (request) => store(db, request),
    async findRequest(id) {
      const request = await db
        .selectFrom('app.registration_requests')
        .select(['id', 'whitelabel_id', 'person_id', 'context', 'form'])
        .where('id', '=', id)
        .$castTo<Omit<RegistrationRequest, 'form'> & { readonly form: SealedJson }>()
        .executeTakeFirst()
      if (request === undefined) return null
      return { ...request, form: openRow(db, 'app.registration_requests', id, request).form as StoredForm }
    },
    removeRequest: (id) => db.transaction().execute((tx) => remove(tx, id)),
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
        const { first_name, last_name, phone, company_name, country, language_key } = form
        const record = { first_name, last_name, company_name, country, language_key }
        const sealed = sealRow(tx, 'identity.people', personId, { phone })
        await tx
          .updateTable('identity.people')
          .set({ ...record, ...sealed, status_key: PERSON_STATUS.unverified, moderator_comment: null, updated_at: NOW })
          .where('id', '=', personId)
          .where('status_key', '=', PERSON_STATUS.rejected)
          .execute()
        await remove(tx, id)
      }),
    refuseKnown: (requestId, notice) =>
      db.transaction().execute(async (tx) => {
        if (notice !== null) await queueMail(tx, notice)
        await remove(tx, requestId)
      }),
    async companyOf(personId) {
      const people = db.selectFrom('identity.people').select('company_name').where('id', '=', personId)
      return (await people.executeTakeFirst())?.company_name ?? ''
    },
    approve: (personId, mail) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('identity.people')
          .set({ status_key: PERSON_STATUS.approved, updated_at: NOW })
          .where('id', '=', personId)
          .where('status_key', 'in', [PERSON_STATUS.unverified, PERSON_STATUS.rejected])
          .execute()
        await queueMail(tx, mail)
      }),
    reject: (personId, mail) =>
      db.transaction().execute(async (tx) => {
        const rejected = await tx
          .updateTable('identity.people')
          .set({ status_key: PERSON_STATUS.rejected, updated_at: NOW })
          .where('id', '=', personId)
          .where('status_key', '=', PERSON_STATUS.unverified)
          .returning('moderator_comment')
          .executeTakeFirst()
        if (rejected !== undefined) await queueMail(tx, { ...mail, data: { comment: rejected.moderator_comment ?? '' } })
      }),
    async keepComment(personId, comment) {
      await db
        .updateTable('identity.people')
        .set({ moderator_comment: comment })
        .where('id', '=', personId)
        .where('status_key', '=', PERSON_STATUS.unverified)
        .execute()
    },
    async purge() {
      await sql`
        delete from app.registration_requests r where received_at < now() - interval '1 day'
          and not exists (select from app.jobs j where j.kind = ${REGISTRATION_JOB.name} and j.key = r.id)`.execute(db)
    },
  }
}
