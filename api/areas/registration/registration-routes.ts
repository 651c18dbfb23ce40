import { PERSON_STATUS } from '#domain/registration/person-status'
import type { PersonRecord } from '#commands/identity/person'
import type { FastifyInstance } from 'fastify'
import type { Action } from '#domain/kit/access'
import { passwordFault, PASSWORD_TEXTS } from '#domain/account/password'
import { reviewDueAt } from '#domain/campaign/review/review-time'
import { toMicros } from '#domain/kit/money'
import { DEFAULT_REWARDED_RATE } from '#domain/registration/account-details'
import type { z } from '#contract/zod'
import { DEFAULT_SETTINGS, settingFaults, tidied, type AccountSettings } from '#domain/account/settings'
import { CATALOGUE, refusalOf, type Fault } from '#domain/kit/errors'
import { unitsFault } from '#domain/kit/faults'
import { readMetadata } from '#domain/kit/event-metadata'
import { normalized, registrationFaults, type FormContext } from '#domain/registration/form'
import { registrationStream, type RegistrationCommand } from '#domain/registration/registration'
import { findRegistrant } from '#projections/registration/queries'
import {
  addAccount,
  approveRegistration,
  completeRegistration,
  getRegistration,
  register as registerStranger,
  rejectRegistration,
  resendConfirmation,
  verifyToken,
  type RegistrationDetails,
  type RegistrationInput,
} from '#contract/registration'
import type { Call } from '#api/http/call'
import { authorize, contextOf } from '#api/http/caller'
import type { Served } from '#api/areas/services'
import { callerOf, personOf } from '#api/http/person'
import { register } from '#api/http/register'
import { accepted, Refused, refused } from '#commands/refused'
import { refuseWithoutPassword } from '#api/areas/identity/profile/own-secrets'
import { createRegistrations, idsOf, type RegistrationStore, type StoredForm } from '#commands/registration/registrations'

/** Registrations, by what they share. A network is a /24 or /64: an office shares one. */
const PER_NETWORK = { limit: 20, seconds: 3600 }
const PER_ADDRESS = { limit: 5, seconds: 3600 }
const TOTAL = { limit: 300, seconds: 60 }
/** Attempts to guess a token: each has 256 random bits, so this limits load only. */
const TOKENS = { limit: 120, seconds: 60 }

/** Registration by strangers, its screening, its completion, and accounts that staff add. */
export function registerRegistrationRoutes(
  app: FastifyInstance,
  kit: Served<
    | 'commands.accounts'
    | 'commands.registrations'
    | 'db'
    | 'fingerprint'
    | 'limits'
    | 'mailKeys'
    | 'people'
    | 'personal'
    | 'reference'
    | 'store'
    | 'whiteLabels'
  >,
  requests: RegistrationStore,
): void {
  const { commands, db, derivedId, fingerprint, guards, limits, mailKeys, people, personal, reference, store, whiteLabels } = kit
  const registrations = createRegistrations({ ...kit, store: requests })
  const refuseOff = refuseWithoutPassword(kit)
  const isCountry = (isoCode: string) => reference.countries('en').some(({ iso_code }) => iso_code === isoCode)

  register(app, guards, registerStranger, async (call) => {
    const { body, whiteLabel, network } = call
    const form = formOf(body, { whitelabelId: whiteLabel.id, by: 'registrant', isCountry })
    // From here on, nothing depends on whether the address is known.
    await limits.reserve([
      { key: `registration network ${fingerprint(network)}`, ...PER_NETWORK },
      { key: `registration address ${fingerprint(`${whiteLabel.id} ${form.email}`)}`, ...PER_ADDRESS },
      { key: 'registration', ...TOTAL },
    ])
    await requests.storeRequest({
      id: call.commandId,
      whitelabel_id: whiteLabel.id,
      person_id: null,
      context: {
        actor: '',
        role: 'USER_OWNER',
        on_behalf_of: null,
        source: call.source,
        command_id: call.commandId,
        body_hash: null,
        correlation: call.correlation,
        causation: null,
      },
      form,
    })
    return {}
  })

  /** The person of a confirmation link. Refuses links that do not work: 4, 5, or 162 once the registration is completed. */
  async function confirmed(token: string, network: string): Promise<PersonRecord> {
    await limits.reserve([{ key: `token ${fingerprint(network)}`, ...TOKENS }])
    const found = await mailKeys.find(token, 'confirmation')
    const person = found === null ? null : await people.find(found.personId)
    if (found === null || person === null) throw refused(5)
    if (person.status_key === PERSON_STATUS.active) throw refused(162)
    if (found.state === 'expired') throw refused(4)
    if (found.state === 'used' || person.status_key !== PERSON_STATUS.approved || person.suspended || person.deactivated)
      throw refused(5)
    return person
  }

  register(app, guards, verifyToken, async ({ params, network }) => {
    const { id, company_name, first_name, last_name, email } = await confirmed(params.token, network)
    return { company_name, first_name, last_name, phone: await people.phoneOf(id), email }
  })

  register(app, guards, completeRegistration, async ({ body, network, commandId }) => {
    const person = await confirmed(body.token, network)
    await refuseOff(person)
    const wrong = passwordFault(body.password, person, people.isCommonPassword)
    if (wrong !== null) throw refused(2, [{ path: 'password', code: 2, message: PASSWORD_TEXTS[wrong] }], PASSWORD_TEXTS[wrong])
    await db.transaction().execute(async (tx) => {
      if (!(await mailKeys.use(body.token, 'confirmation', tx))) throw refused(5)
      await people.activate(person.id, body.password, tx)
    })
    // A process that ends here leaves the event to the policy `registrations`. Staff who set up their access have no registration.
    const context = {
      actor: person.id,
      role: person.roles[0] ?? 'USER_OWNER',
      on_behalf_of: null,
      source: 'ui' as const,
      command_id: commandId,
      body_hash: null,
      correlation: '',
      causation: null,
    }
    await commands.registrations.execute(person.id, context, { type: 'Complete' })
    await registrations.joined(person, context)
    return {}
  })

  register(app, guards, getRegistration, async (call): Promise<RegistrationDetails> => {
    const actor = personOf(call)
    const row = await findRegistrant(db, call.params.id)
    authorize(actor, 'registration.decide', row === null ? null : placeOf(row.whitelabel_id, row.space_id), 161)
    if (row === null || row.status === 'none') throw refused(161)
    const stored = await store.readStream(registrationStream(row.id))
    const entries = stored.map(({ type, metadata }) => ({ type, ...readMetadata(metadata) }))
    const names = await people.namesOf(entries.map((entry) => entry.actor))
    const { status, ...data } = row
    return {
      ...data,
      status,
      due_at: reviewDueAt(row.created_at),
      history: entries.map((entry) => ({ type: entry.type, at: entry.at, author: names.get(entry.actor)?.name ?? 'System' })),
    }
  })

  /** Runs a command of staff on a person's registration, and brings the record in line. */
  async function decide(
    call: Call,
    id: string,
    { action, missing }: { readonly action: Action; readonly missing: 7 | 161 },
    commandFor: (person: PersonRecord, actor: string) => Promise<RegistrationCommand>,
  ) {
    const caller = callerOf(call)
    const person = await people.find(id)
    const place = person === null ? null : placeOf(person.whitelabel_id, person.home_space_id)
    authorize(caller.actor, action, place, missing)
    if (person === null) throw refused(missing)
    const command = await commandFor(person, caller.actor.userId)
    const done = accepted(await commands.registrations.execute(id, contextOf(caller, place, action), command))
    await registrations.settle(id, done.state)
    return { position: String(done.position) }
  }

  const DECIDE = { action: 'registration.decide', missing: 161 } as const

  register(app, guards, approveRegistration, (call) =>
    decide(call, call.body.id, DECIDE, async (person, actor) => ({ type: 'Approve', personId: person.id, actor })),
  )

  register(app, guards, rejectRegistration, (call) =>
    decide(call, call.body.id, DECIDE, async (person, actor) => {
      const comment = call.body.comment?.trim() || null
      // Written before the decision: the record is the only place where the text is plain, and the mail reads it.
      await requests.keepComment(person.id, comment)
      const [token = null] = comment === null ? [] : await personal.seal([comment], person.id, [])
      return { type: 'Reject', personId: person.id, actor, comment: token }
    }),
  )

  register(app, guards, resendConfirmation, (call) =>
    decide(call, call.body.id, { action: 'account.add', missing: 7 }, async ({ status_key }) => {
      // Also of users who never registered: invited ones, and those of the demo.
      if (status_key === PERSON_STATUS.active) throw refused(162, [{ path: 'id', code: 162, message: CATALOGUE[162].message }])
      return { type: 'RequestConfirmation' }
    }),
  )

  register(app, guards, addAccount, async (call) => {
    const caller = callerOf(call)
    const { body } = call
    const whitelabelId = body.whitelabel_id || caller.actor.whitelabelId
    const { personId, spaceId } = idsOf(derivedId, call.commandId)
    const place = whiteLabels.find(whitelabelId) === null ? null : placeOf(whitelabelId, spaceId)
    authorize(caller.actor, 'account.add', place, 170)
    const settings = settingsOf(body)
    const form = { ...formOf(body, { whitelabelId, by: 'staff', isCountry }, settingFaults(settings)), settings }
    const context = contextOf(caller, place, 'account.add')
    const request = { id: call.commandId, whitelabel_id: whitelabelId, person_id: personId, context, form }
    if (!(await requests.addWithRequest({ personId, spaceId }, request)))
      throw refused(160, [{ path: 'email', code: 160, message: 'Email already exists' }])
    await registrations.carryOut(request)
    return { id: personId, space_id: spaceId, position: String(await store.head()) }
  })
}

/** The form as it is stored; refuses it with every fault. */
function formOf(body: RegistrationInput, context: FormContext, others: readonly Fault[] = []): StoredForm {
  const form = {
    email: body.email,
    first_name: body.first_name,
    last_name: body.last_name,
    phone: body.phone,
    country: body.country,
    company_name: body.company_name ?? '',
    currency: body.currency ?? '',
    agree_with_tos: body.agree_with_tos,
  }
  const refusal = refusalOf([...registrationFaults(form, context), ...others])
  if (refusal !== null) throw new Refused(refusal)
  return { ...normalized(form, context.whitelabelId), language_key: body.language_key ?? 1 }
}

/** What staff note about the account. */
function settingsOf(body: z.output<typeof addAccount.input>): AccountSettings {
  const rate = body.rewarded_ads_cpm_rate ?? DEFAULT_REWARDED_RATE
  const micros = toMicros(rate)
  if (micros === null) throw refused(2, [unitsFault('rewarded_ads_cpm_rate', rate)])
  return tidied({
    ...DEFAULT_SETTINGS,
    account_type: body.type ?? null,
    source: body.source ?? null,
    niche: body.niche ?? null,
    position: body.position ?? null,
    rewarded_ads_cpm_rate: micros,
  })
}

const placeOf = (whitelabelId: string, spaceId: string) => ({ whitelabelId, spaceId })
