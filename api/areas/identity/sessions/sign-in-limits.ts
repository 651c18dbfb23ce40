import type { Needs } from '#api/areas/services'
import type { PersonRecord } from '#commands/identity/person'
import { TooMany } from '#commands/refused'

/** Most failed or unfinished sign-ins per window, by what they share. */
const PAIR = { limit: 20, seconds: 900 }
const ADDRESS = { limit: 100, seconds: 900 }
const NETWORK = { limit: 100, seconds: 900 }
const TOTAL = { limit: 600, seconds: 60 }

/**
 * Wrong codes of the second factor for one person: from one network, and from all networks that the person never signed in from, which
 * share the limit of a network with wrong passwords. A network that is known has its own limit only, so a thief of the password cannot
 * lock the owner out, and wrong codes of one person refuse no neighbour (fine print 58).
 */
const CODES = { limit: 20, seconds: 900 }
const CODES_OF_STRANGERS = { limit: 100, seconds: 900 }
/** Wrong codes before the owner gets a mail, at most one an hour. */
const UNNOTICED = { limit: 2, seconds: 900 }
const HOUR_LENGTH = '2026-01-01T00'.length

type LimitsKit = Needs<'db' | 'derivedId' | 'fingerprint' | 'limits' | 'newId' | 'now' | 'people' | 'queueMail'>

/**
 * The limits of passwords, codes and passkeys that callers try, and the mails about them. An attempt reserves its units before
 * anything is checked, and releases them unless it fails: concurrent attempts check no more secrets than the limit.
 */
export function createSignInLimits(kit: LimitsKit) {
  const { people, limits, fingerprint } = kit
  const networkKey = (network: string) => fingerprint(`network ${network}`)

  /** A notice to the user's address; `id` sends it once for all that share it. */
  function mailNotice(person: PersonRecord, template: 'recovery-code-used' | 'wrong-codes', id = kit.newId()): Promise<void> {
    const to = { personId: person.id }
    return kit.queueMail(kit.db, { id, whitelabelId: person.whitelabel_id, to, template, data: { at: kit.now() } })
  }

  return {
    networkKey,
    mailNotice,

    async ofPassword(whitelabelId: string, username: string, network: string) {
      const address = `${whitelabelId} ${username.trim().toLowerCase()}`
      const from = networkKey(network)
      const pair = { key: `sign-in pair ${fingerprint(`${address} ${network}`)}`, ...PAIR }
      const others = [
        { key: `sign-in address ${fingerprint(address)}`, ...ADDRESS },
        { key: `sign-in network ${from}`, ...NETWORK },
        { key: 'sign-in', ...TOTAL },
      ]
      const known = await people.knowsNetwork(whitelabelId, username, from)
      return limits.reserve(known ? [pair] : [pair, ...others])
    },

    async ofCode(person: PersonRecord, network: string) {
      const from = networkKey(network)
      const known = await people.knowsNetwork(person.whitelabel_id, person.email, from)
      const own = { key: `sign-in code ${fingerprint(`${person.id} ${network}`)}`, ...CODES }
      const others = [
        { key: `sign-in codes ${person.id}`, ...CODES_OF_STRANGERS },
        { key: `sign-in network ${from}`, ...NETWORK },
      ]
      return limits.reserve(known ? [own] : [own, ...others])
    },

    /** Counts wrong client credentials, which are limited as passwords from a network that is not known are. */
    async ofClient(clientId: string, network: string) {
      return limits.reserve([
        { key: `client pair ${fingerprint(`${clientId} ${network}`)}`, ...PAIR },
        { key: `client network ${networkKey(network)}`, ...NETWORK },
        { key: 'client', ...TOTAL },
      ])
    },

    /** `person` is the owner of the passkey; null where there is none. */
    async ofPasskey(whitelabelId: string, credentialId: string, person: PersonRecord | null, network: string) {
      const from = networkKey(network)
      const known = person !== null && (await people.knowsNetwork(whitelabelId, person.email, from))
      const own = { key: `sign-in passkey ${fingerprint(`${credentialId} ${network}`)}`, ...PAIR }
      const others = [
        { key: `sign-in network ${from}`, ...NETWORK },
        { key: 'sign-in', ...TOTAL },
      ]
      return limits.reserve(known ? [own] : [own, ...others])
    },

    /** Mails the user from the third wrong code on, at most once an hour: a caller who tries codes has the password. */
    async noticeWrongCode(person: PersonRecord): Promise<void> {
      try {
        await limits.reserve([{ key: `wrong codes ${person.id}`, ...UNNOTICED }])
      } catch (error) {
        if (!(error instanceof TooMany)) throw error
        await mailNotice(person, 'wrong-codes', kit.derivedId('wrong codes', person.id, kit.now().slice(0, HOUR_LENGTH)))
      }
    },
  }
}
export type SignInLimits = ReturnType<typeof createSignInLimits>
