import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AccountSettings } from '#domain/account/settings'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { RegistrationForm } from '#domain/registration/form'
import type { RegistrationState } from '#domain/registration/registration'
import { NOW } from '#eventstore/postgres/expressions'
import type { Db } from '#migrations/db'
import type { Kit } from './kit.ts'
import { queueMail } from './mail/mail-queue.ts'
import { personOfAddress } from './mail/mail-policy.ts'

type RegistrationKit = Pick<Kit, 'db' | 'derivedId' | 'now'> & {
  readonly commands: Pick<Kit['commands'], 'accounts' | 'registrations'>
}

/** A form that is to be carried out. Its id is that of the command. */
export type RegistrationRequest = {
  readonly id: string
  readonly whitelabel_id: string
  /** The person of an account that staff add, whose record exists; null for a sign-up. */
  readonly person_id: string | null
  readonly context: CommandContext
  readonly form: StoredForm
}
export type StoredForm = RegistrationForm & {
  /** 1 English, 2 Russian. */
  readonly language_key: number
  /** What staff note about an account that they add. */
  readonly settings?: Partial<AccountSettings>
}

/** The ids of the person and of the account that a request creates. */
export const idsOf = (derivedId: Kit['derivedId'], requestId: string) => ({
  personId: derivedId('registered person', requestId),
  spaceId: derivedId('registered space', requestId),
})

/** Stores a form for the policies. A repeat of the command changes nothing. */
export async function storeRequest(db: Kysely<Db>, { id, whitelabel_id, person_id, context, form }: RegistrationRequest) {
  await db
    .insertInto('app.registration_requests')
    .values({ id, whitelabel_id, person_id, context: JSON.stringify(context), form: JSON.stringify(form) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Adds the record of a person who registered; false when another person has the address. */
export async function addRegistrant(
  db: Kysely<Db>,
  { personId, spaceId }: { readonly personId: string; readonly spaceId: string },
  whitelabelId: string,
  form: StoredForm,
): Promise<boolean> {
  const { first_name, last_name, email, phone, company_name, country, language_key } = form
  await db
    .insertInto('identity.people')
    .values({
      id: personId,
      whitelabel_id: whitelabelId,
      home_space_id: spaceId,
      roles: ['USER_OWNER'],
      first_name,
      last_name,
      email,
      phone,
      company_name,
      country,
      language_key,
      status_key: 1,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await personOfAddress(db, whitelabelId, form.email))?.id === personId
}

/**
 * Carries out registrations. Each step may be repeated, also by another process: ids are derived from the command, and a request is
 * removed once everything that it causes is stored.
 */
export function createRegistrations(kit: RegistrationKit) {
  const { commands, db, derivedId, now } = kit

  /** A sign-up, or an account that staff add. */
  async function carryOut(request: RegistrationRequest): Promise<void> {
    const { id, whitelabel_id, person_id, form } = request
    if (person_id !== null) return carryOutAdded(request, person_id)
    const ids = idsOf(derivedId, id)
    if (await addRegistrant(db, ids, whitelabel_id, form)) {
      await submit(request, ids)
      return remove(db, id)
    }
    const known = await personOfAddress(db, whitelabel_id, form.email)
    if (known?.status_key === 3) return submitAgain(request, { personId: known.id, spaceId: known.home_space_id })
    await db.transaction().execute(async (tx) => {
      // Nothing goes to someone who waits for a decision: a stranger may have entered their address.
      if (known?.status_key === 5)
        await queueMail(tx, {
          // One a day: strangers must not fill a mailbox.
          id: derivedId('address registered', known.id, now().slice(0, 10)),
          whitelabelId: whitelabel_id,
          to: { personId: known.id },
          template: 'address-registered',
          data: {},
        })
      await remove(tx, id)
    })
  }

  type Ids = { readonly personId: string; readonly spaceId: string }

  const submissionOf = ({ whitelabel_id, person_id, form }: RegistrationRequest, spaceId: string) => ({
    whitelabel_id,
    space_id: spaceId,
    country: form.country,
    currency: form.currency,
    by: person_id === null ? ('registrant' as const) : ('staff' as const),
  })

  async function submit(request: RegistrationRequest, { personId, spaceId }: Ids): Promise<void> {
    const context = { ...request.context, actor: personId }
    await executed(personId, context, { type: 'Submit', submission: submissionOf(request, spaceId) })
  }

  /** After a rejection the record is brought up to date, and waits again. */
  async function submitAgain(request: RegistrationRequest, ids: Ids): Promise<void> {
    await submit(request, ids)
    const { first_name, last_name, phone, company_name, country, language_key } = request.form
    await db.transaction().execute(async (tx) => {
      const record = { first_name, last_name, phone, company_name, country, language_key }
      await tx
        .updateTable('identity.people')
        .set({ ...record, status_key: 1, moderator_comment: null, updated_at: NOW })
        .where('id', '=', ids.personId)
        .where('status_key', '=', 3)
        .execute()
      await remove(tx, request.id)
    })
  }

  async function carryOutAdded(request: RegistrationRequest, personId: string): Promise<void> {
    const { spaceId } = idsOf(derivedId, request.id)
    const { state } = await executed(personId, request.context, { type: 'Add', submission: submissionOf(request, spaceId) })
    await settle(personId, state)
    const { settings } = request.form
    if (settings !== undefined) {
      const context = { ...request.context, command_id: derivedId('registered settings', request.id), body_hash: null }
      await commands.accounts.execute(spaceId, context, { type: 'ChangeSettings', settings })
    }
    await remove(db, request.id)
  }

  async function executed(
    personId: string,
    context: CommandContext,
    command: Parameters<typeof commands.registrations.execute>[2],
  ) {
    const done = await commands.registrations.execute(personId, context, command)
    if (done.kind === 'rejected') throw new Error(`a registration was refused with ${done.rejection.code}`)
    return done
  }

  /** Brings the account, the person's record and their mails in line with a decision. */
  async function settle(personId: string, state: RegistrationState): Promise<void> {
    if (state.status === 'approved') return settleApproved(personId, state)
    if (state.status === 'rejected') return settleRejected(personId, state)
  }

  async function settleApproved(personId: string, state: RegistrationState): Promise<void> {
    const { whitelabel_id, space_id, currency, by, confirmations } = state
    const people = db.selectFrom('identity.people').select('company_name')
    const person = await people.where('id', '=', personId).executeTakeFirst()
    // A person's name is personal data, which no event holds.
    const name = person?.company_name || `Account ${shortIdOf(space_id)}`
    await commands.accounts.execute(space_id, systemContext(derivedId('registered account', space_id)), {
      type: 'OpenAccount',
      spaceId: space_id,
      whitelabelId: whitelabel_id,
      name,
      currency,
      house: false,
    })
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('identity.people')
        .set({ status_key: 2, updated_at: NOW })
        .where('id', '=', personId)
        .where('status_key', 'in', [1, 3])
        .execute()
      await queueMail(tx, {
        id: derivedId('confirmation', personId, String(confirmations)),
        whitelabelId: whitelabel_id,
        to: { personId },
        template: by === 'staff' ? 'setup-account' : 'confirm-registration',
        data: {},
      })
    })
  }

  async function settleRejected(personId: string, { whitelabel_id, submissions }: RegistrationState): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const rejected = await tx
        .updateTable('identity.people')
        .set({ status_key: 3, updated_at: NOW })
        .where('id', '=', personId)
        .where('status_key', '=', 1)
        .returning('moderator_comment')
        .executeTakeFirst()
      if (rejected === undefined) return
      await queueMail(tx, {
        id: derivedId('rejection', personId, String(submissions)),
        whitelabelId: whitelabel_id,
        to: { personId },
        template: 'registration-rejected',
        data: { comment: rejected.moderator_comment ?? '' },
      })
    })
  }

  /** After a crash: what the record says, and what the log says. */
  async function settleAgain(personId: string, isActive: boolean): Promise<void> {
    const context = systemContext(derivedId('registration completed', personId))
    // `Complete` records a completion that was not recorded, and otherwise only reads the state.
    const { state } = isActive ? await executed(personId, context, { type: 'Complete' }) : { state: await stateOf(personId) }
    if (!isActive) await settle(personId, state)
  }

  /** The present state; nothing is recorded. */
  async function stateOf(personId: string): Promise<RegistrationState> {
    const { state } = await executed(personId, systemContext(derivedId('registration read', personId)), { type: 'Read' })
    return state
  }

  return { carryOut, settle, settleAgain, stateOf }
}

const remove = async (db: Kysely<Db>, id: string): Promise<void> => {
  await db.deleteFrom('app.registration_requests').where('id', '=', id).execute()
}

/** Ids of one millisecond begin alike: a hash tells accounts apart. */
const shortIdOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 6).toUpperCase()

export const systemContext = (commandId: string): CommandContext => ({
  actor: 'system:registration',
  role: 'SYSTEM',
  on_behalf_of: null,
  source: 'policy',
  command_id: commandId,
  body_hash: null,
  correlation: '',
  causation: null,
})
