import { PERSON_STATUS } from '#domain/registration/person-status'
import type { PersonRecord } from '../identity/person.ts'
import type { QueuedMail } from '../mail/mail-queue.ts'
import type { DerivedId } from '#domain/kit/derived-id'
import { DONE, jobKind, type JobPolicy, type JobRunner } from '../jobs/job.ts'
import type { AccountCommands } from '../account/account-commands.ts'
import type { RegistrationCommands } from './registration-commands.ts'
import { systemContext } from '#domain/kit/event-metadata'
import { createHash } from 'node:crypto'
import type { AccountSettings } from '#domain/account/settings'
import type { CommandContext } from '#domain/kit/event-metadata'
import type { RegistrationForm } from '#domain/registration/form'
import type { RegistrationState } from '#domain/registration/registration'

type RegistrationKit = {
  readonly store: RegistrationStore
  readonly derivedId: DerivedId
  readonly now: () => string
  readonly commands: { readonly accounts: AccountCommands; readonly registrations: RegistrationCommands }
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
  /** Settings that staff note about an account that they add. */
  readonly settings?: Partial<AccountSettings>
}

export type RegisteredIds = { readonly personId: string; readonly spaceId: string }

/** The ids of the person and of the account that a request creates. */
export const idsOf = (derivedId: DerivedId, requestId: string) => ({
  personId: derivedId('registered person', requestId),
  spaceId: derivedId('registered space', requestId),
})

/** Stored forms, and the records of the people who registered. Each write may be repeated. */
export type RegistrationStore = {
  /** Stores a form, and the job that carries it out. A repeat of the command changes nothing. */
  readonly storeRequest: (request: RegistrationRequest) => Promise<void>
  /** Null for one that was carried out, or was removed. */
  readonly findRequest: (id: string) => Promise<RegistrationRequest | null>
  readonly removeRequest: (id: string) => Promise<void>
  /** Adds the record of a person who registered; false when another person has the address. */
  readonly addRegistrant: (ids: RegisteredIds, whitelabelId: string, form: StoredForm) => Promise<boolean>
  /** Adds the record and stores the form, or neither. */
  readonly addWithRequest: (ids: RegisteredIds, request: RegistrationRequest) => Promise<boolean>
  readonly personOfAddress: (whitelabelId: string, address: string) => Promise<PersonRecord | null>
  /** Brings a rejected record up to date; it waits again. Its request is removed. */
  readonly submitAgain: (personId: string, request: RegistrationRequest) => Promise<void>
  /** Removes a request whose address is known, and queues a notice to its user, if any. */
  readonly refuseKnown: (requestId: string, notice: QueuedMail<'address-registered'> | null) => Promise<void>
  readonly companyOf: (personId: string) => Promise<string>
  /** Marks the record as approved, and queues the mail of the confirmation. */
  readonly approve: (personId: string, mail: QueuedMail<'setup-account' | 'confirm-registration'>) => Promise<void>
  /** Marks the record as rejected, once, and queues a mail with the moderator's comment. */
  readonly reject: (personId: string, mail: Omit<QueuedMail<'registration-rejected'>, 'data'>) => Promise<void>
  /** Keeps the comment of a decision before it is recorded: the only place where the text is plain. */
  readonly keepComment: (personId: string, comment: string | null) => Promise<void>
  /** Removes forms whose job was given up and is gone. */
  readonly purge: () => Promise<void>
}

/** Carries out the request of this id. */
export const REGISTRATION_JOB = jobKind('registration', 1, [])
export const REGISTRATION_POLICY: JobPolicy = {
  atOnce: 32,
  tries: 200,
  backoff: { firstMs: 1000, longestMs: 600_000 },
  leaseSeconds: 60,
}

/**
 * Carries out registrations. Each step may be repeated, also by another process: ids are derived from the command, and a request is
 * removed once everything that it causes is stored.
 */
export function createRegistrations(kit: RegistrationKit) {
  const { commands, derivedId, now, store } = kit

  /** A sign-up, or an account that staff add. */
  async function carryOut(request: RegistrationRequest): Promise<void> {
    const { id, whitelabel_id, person_id, form } = request
    if (person_id !== null) return carryOutAdded(request, person_id)
    const ids = idsOf(derivedId, id)
    if (await store.addRegistrant(ids, whitelabel_id, form)) {
      await submit(request, ids)
      return store.removeRequest(id)
    }
    const known = await store.personOfAddress(whitelabel_id, form.email)
    if (known?.status_key === PERSON_STATUS.rejected)
      return submitAgain(request, { personId: known.id, spaceId: known.home_space_id })
    // Nothing goes to someone who waits for a decision: a stranger may have entered their address.
    const notice: QueuedMail<'address-registered'> | null =
      known?.status_key === PERSON_STATUS.active
        ? {
            // One a day: strangers must not fill a mailbox.
            id: derivedId('address registered', known.id, now().slice(0, 10)),
            whitelabelId: whitelabel_id,
            to: { personId: known.id },
            template: 'address-registered',
            data: {},
          }
        : null
    await store.refuseKnown(id, notice)
  }

  const submissionOf = ({ whitelabel_id, person_id, form }: RegistrationRequest, spaceId: string) => ({
    whitelabel_id,
    space_id: spaceId,
    country: form.country,
    currency: form.currency,
    by: person_id === null ? ('registrant' as const) : ('staff' as const),
  })

  async function submit(request: RegistrationRequest, { personId, spaceId }: RegisteredIds): Promise<void> {
    const context = { ...request.context, actor: personId }
    await executed(personId, context, { type: 'Submit', submission: submissionOf(request, spaceId) })
  }

  /** After a rejection the record is brought up to date, and waits again. */
  async function submitAgain(request: RegistrationRequest, ids: RegisteredIds): Promise<void> {
    await submit(request, ids)
    await store.submitAgain(ids.personId, request)
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
    await store.removeRequest(request.id)
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
    // A person's name is personal data, which no event holds.
    const name = (await store.companyOf(personId)) || `Account ${shortIdOf(space_id)}`
    await commands.accounts.execute(space_id, systemContext('registration', derivedId('registered account', space_id)), {
      type: 'OpenAccount',
      spaceId: space_id,
      whitelabelId: whitelabel_id,
      name,
      currency,
      house: false,
    })
    await store.approve(personId, {
      id: derivedId('confirmation', personId, String(confirmations)),
      whitelabelId: whitelabel_id,
      to: { personId },
      template: by === 'staff' ? 'setup-account' : 'confirm-registration',
      data: {},
    })
  }

  async function settleRejected(personId: string, { whitelabel_id, submissions }: RegistrationState): Promise<void> {
    await store.reject(personId, {
      id: derivedId('rejection', personId, String(submissions)),
      whitelabelId: whitelabel_id,
      to: { personId },
      template: 'registration-rejected',
    })
  }

  /** After a crash: what the record says, and what the log says. */
  async function settleAgain(personId: string, isActive: boolean): Promise<void> {
    const context = systemContext('registration', derivedId('registration completed', personId))
    // `Complete` records a completion that was not recorded, and otherwise only reads the state.
    const { state } = isActive ? await executed(personId, context, { type: 'Complete' }) : { state: await stateOf(personId) }
    if (!isActive) await settle(personId, state)
  }

  /**
   * Records that an invited person accepted. Without it, as after a crash, the next command about the people of the account
   * records it; of an account whose people were never recorded, it says nothing.
   */
  async function joined({ id, home_space_id: spaceId }: PersonRecord, context: CommandContext): Promise<void> {
    const command = { type: 'JoinTeam', personId: id, by: id, byAdministrator: false, known: [] } as const
    await commands.accounts.execute(spaceId, { ...context, command_id: derivedId('joined', context.command_id) }, command)
  }

  /** The present state; nothing is recorded. */
  async function stateOf(personId: string): Promise<RegistrationState> {
    const { state } = await executed(personId, systemContext('registration', derivedId('registration read', personId)), {
      type: 'Read',
    })
    return state
  }

  const runner: JobRunner = {
    run: async ({ key }) => {
      const request = await store.findRequest(key)
      if (request !== null) await carryOut(request)
      return DONE
    },
  }

  return { carryOut, joined, runner, settle, settleAgain, stateOf }
}
export type Registrations = ReturnType<typeof createRegistrations>

/** Ids of one millisecond begin alike: a hash tells accounts apart. */
const shortIdOf = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 6).toUpperCase()
