import type { PersonRecord } from '#commands/identity/person'
import type { MailData, SecurityMail } from '#commands/mail/mail-queue'
import { Refused, refused } from '#commands/refused'
import { reject, type Fault } from '#domain/kit/errors'
import { keepsPassword } from '#domain/single-sign-on/admission'
import type { Needs, Served } from '#api/areas/services'
import { personOf } from '#api/http/person'
import type { Call } from '#api/http/call'

/** Wrong passwords and codes per user: someone at an unlocked screen must not guess them. */
const CHECKS = { limit: 10, seconds: 900 }

export const fault = (path: string, message: string, key?: string, params?: Fault['params']) =>
  refused(2, [{ path, code: 2, message, ...(key === undefined ? {} : { key }), ...(params === undefined ? {} : { params }) }])

type PasswordKit = Needs<'people' | 'whiteLabels'>

/**
 * Whether a person may have a password: not those whom a directory made, but owners whose role needs no second person, or has one (fine print
 * 85), so that a provider that is away locks no white-label out.
 */
export async function mayHavePassword({ people, whiteLabels }: PasswordKit, person: PersonRecord): Promise<boolean> {
  const made = await people.ofDirectory(person.id)
  if (made === null) return true
  if (!person.roles.includes('WL_OWNER')) return false
  return made.confirmed || !(await whiteLabels.settingsOf(person.whitelabel_id)).second_person_for_roles
}

/**
 * Refuses with 164 a person whose domain has passwords switched off, unless they keep theirs (fine print 84), and with 3 those who may have
 * none.
 */
export const refuseWithoutPassword =
  (kit: PasswordKit) =>
  async (person: PersonRecord): Promise<void> => {
    const instead = keepsPassword(person) ? null : await kit.people.insteadOfPassword(person.whitelabel_id, person.email)
    if (instead !== null) throw new Refused(reject(164), { sign_on: instead })
    if (!(await mayHavePassword(kit, person))) throw refused(3)
  }

/** The version of the credentials that the caller's session began with. */
export const versionOf = ({ identity }: Pick<Call, 'identity'>): number =>
  identity.kind === 'person' ? identity.session.version : Number.NaN

/** Secrets in a body; the code may be one of the app or a recovery code. */
export type GivenSecrets = { readonly password?: string | undefined; readonly code?: string | undefined }

type Kit = Served<'db' | 'limits' | 'people' | 'queueMail' | 'secondFactor'>

/** Checks of the signed-in user's own password and codes, which changes of credentials need, and mails about those. */
export function createOwnSecrets({ db, limits, newId, now, people, queueMail, secondFactor }: Kit) {
  /** Runs a check of a password or code; failed ones are limited per user. */
  async function limited<T>(person: PersonRecord, path: string, check: () => Promise<T | null>): Promise<T> {
    const reserved = await limits.reserve([{ key: `own secrets ${person.id}`, ...CHECKS }])
    const passed = await check()
    if (passed === null)
      throw path === 'code'
        ? fault(path, 'The code is not right', 'password.code')
        : fault(path, 'The password is not right', 'password.wrong')
    await reserved.release()
    return passed
  }

  function notify(
    person: PersonRecord,
    template: SecurityMail | 'api-key-created',
    data: Partial<Omit<MailData['api-key-created'], 'at'>> = {},
    on: typeof db = db,
  ): Promise<void> {
    const to = { personId: person.id }
    return queueMail(on, { id: newId(), whitelabelId: person.whitelabel_id, to, template, data: { at: now(), ...data } })
  }

  const checkPassword = (person: PersonRecord, password: string, path: string) =>
    limited(person, path, () => people.authenticate(person.whitelabel_id, person.email, password, true))

  async function checkCode(person: PersonRecord, code: string): Promise<void> {
    const right = await limited(person, 'code', () => secondFactor.verify(person.id, code))
    if (right === 'recovery') await notify(person, 'recovery-code-used')
  }

  return {
    limited,
    notify,
    checkPassword,
    checkCode,

    /** Checks the password of a body, and its code while the second factor is on. Without one the proof of the session counts. */
    checkGiven: async (person: PersonRecord, { password, code = '' }: GivenSecrets): Promise<void> => {
      if (password === undefined) return
      await checkPassword(person, password, 'password')
      if ((await secondFactor.state(person.id)).on) await checkCode(person, code)
    },

    ownRecord: async (call: Pick<Call, 'identity'>): Promise<PersonRecord> => {
      const person = await people.find(personOf(call).userId)
      if (person === null) throw refused(6)
      return person
    },
  }
}
