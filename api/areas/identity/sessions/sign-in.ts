import { actorOf, type PersonRecord } from '#commands/identity/person'
import { UAParser } from 'ua-parser-js'
import { reject } from '#domain/kit/errors'
import type { IdentitySessionsServed } from './uses.ts'
import { isOutside } from '#api/areas/white-label/white-labels'
import { outsideNetworks, Refused, refused } from '#commands/refused'
import type { Assertion } from '#platform/identity/passkeys'
import type { Challenged } from '#platform/identity/second-factor'
import type { Client, Signed } from '#platform/identity/sessions'
import type { SignInLimits } from './sign-in-limits.ts'

type SignInDetails = { readonly by?: 'passkey' }
type ByPasskey = { readonly credential: Assertion; readonly challenge: string | null }

type SignInKit = Pick<
  IdentitySessionsServed,
  | 'people'
  | 'sessions'
  | 'secondFactor'
  | 'passkeys'
  | 'security'
  | 'fingerprint'
  | 'db'
  | 'newId'
  | 'now'
  | 'queueMail'
  | 'whiteLabels'
>

/**
 * Signs in by address and password, and where a second factor is on by a code as well (fine print 58), or by a passkey in place of
 * all of them (fine print 78); 401 when they are wrong, 429 after too many attempts, 3 where staff may not work (fine print 81). A passkey is limited as an address is.
 *
 * Each attempt reserves its units before the password is checked; a successful one releases them. So only failed and unfinished
 * attempts count, and concurrent attempts check no more passwords than the limit.
 * - A network (/24 or /64) from which this user signed in within the last 180 days is limited only by its own attempts on this
 *   address, 20 in 15 minutes. Nothing else blocks it: no attack on the address, none from the same network on other addresses,
 *   and no flood of sign-ins.
 * - Any other network is limited by its own attempts on the address (20), all unknown networks' attempts on the address (100),
 *   its attempts on all addresses (100), each in 15 minutes, and by all unknown networks' attempts (600 a minute). During a
 *   distributed attack on an address, its owner can sign in from known networks only; open sessions continue.
 */
export function createSignIn(kit: SignInKit, limits: SignInLimits) {
  const { people, sessions, secondFactor, passkeys, security, fingerprint } = kit

  /** A session for a person whose credentials were right. */
  async function enter(person: PersonRecord, client: Client, details: SignInDetails = {}): Promise<Signed> {
    const { address, network, userAgent } = client
    if (isOutside(kit.whiteLabels, actorOf(person, person.home_space_id), address)) {
      security.signInFailed(person.whitelabel_id, person.email, network)
      throw outsideNetworks()
    }
    await people.rememberNetwork(person.id, limits.networkKey(network))
    const signed = await sessions.signIn(person, client)
    await security.signedIn(person, network, details)
    if (await people.isNewDevice(person.id, fingerprint(`device ${deviceOf(userAgent)}`))) await mailNewDevice(person, client)
    return signed
  }

  /** A notice to the user's address: of a sign-in from a device that was not seen before. */
  function mailNewDevice(person: PersonRecord, { userAgent }: Client): Promise<void> {
    const id = kit.newId()
    const data = { at: kit.now(), device: deviceOf(userAgent) }
    return kit.queueMail(kit.db, {
      id,
      whitelabelId: person.whitelabel_id,
      to: { personId: person.id },
      template: 'new-sign-in',
      data,
    })
  }

  return {
    async byPassword(whitelabelId: string, username: string, password: string, client: Client): Promise<Signed> {
      const { network } = client
      const reserved = await limits.ofPassword(whitelabelId, username, network)
      let failed = false
      try {
        const person = await people.authenticate(whitelabelId, username, password, client.isLocal)
        failed = person === null
        if (person === null) {
          security.signInFailed(whitelabelId, username, network)
          throw refused(401)
        }
        if (!(await secondFactor.state(person.id)).on) return await enter(person, client)
        const challenge = await secondFactor.challenge({ personId: person.id, tokenVersion: person.token_version })
        throw new Refused(reject(401), { second_factor: true, challenge, passkey: await passkeys.has(person) })
      } finally {
        if (!failed) await reserved.release()
      }
    },

    /** The second step: a code of the app, or a recovery code. 5 when the challenge is over, 401 for a wrong code. */
    async byCode(challenge: string, code: string, client: Client): Promise<Signed> {
      const challenged = await secondFactor.attempt(challenge)
      if (challenged === null) throw refused(5)
      const { personId } = challenged
      const person = await people.entering(personId, client.isLocal)
      if (person === null) throw refused(401)
      const reserved = await limits.ofCode(person, client.network)
      const right = await secondFactor.verify(personId, code)
      if (right === null || !isPersonOf(challenged, person)) {
        security.signInFailed(person.whitelabel_id, person.email, client.network)
        if (right === null) await limits.noticeWrongCode(person)
        throw refused(401)
      }
      await reserved.release()
      if (right === 'recovery') await limits.mailNotice(person, 'recovery-code-used')
      await secondFactor.endChallenge(challenge)
      return enter(person, client)
    },

    /**
     * By a passkey, whose device has verified its user: it stands for the password and the second factor. With `challenge` it answers
     * the second step of its person. 5 when either challenge is over, 401 for what proves nothing.
     */
    async byPasskey(whitelabelId: string, { credential, challenge }: ByPasskey, client: Client): Promise<Signed> {
      const { network } = client
      const challenged = challenge === null ? null : await secondFactor.attempt(challenge)
      if (challenge !== null && challenged === null) throw refused(5)
      const passkey = await passkeys.find(whitelabelId, credential.id)
      const person = passkey === null ? null : await people.entering(passkey.personId, client.isLocal)
      const reserved = await limits.ofPasskey(whitelabelId, credential.id, person, network)
      const isOther = person !== null && challenged !== null && !isPersonOf(challenged, person)
      const proof =
        passkey === null || person === null || isOther
          ? 'wrong'
          : await passkeys.verify(passkey, { whitelabelId, secondStep: challenge }, credential)
      if (proof === 'over') throw refused(5)
      if (proof !== 'right' || passkey === null || person === null) {
        if (proof === 'copied' && passkey !== null && person !== null) await security.passkeyCopied(person, network, passkey.id)
        else security.signInFailed(whitelabelId, person?.email ?? null, network)
        throw refused(401)
      }
      await reserved.release()
      if (challenge !== null) await secondFactor.endChallenge(challenge)
      return enter(person, client, { by: 'passkey' })
    },
  }
}

const isPersonOf = ({ personId, tokenVersion }: Challenged, person: PersonRecord): boolean =>
  personId === person.id && tokenVersion === person.token_version

/** The browser and system of a User-Agent, without versions: an update is no new device. */
function deviceOf(userAgent: string): string {
  const { browser, os } = new UAParser(userAgent).getResult()
  return [browser.name ?? 'Unknown browser', os.name].filter(Boolean).join(', ')
}
