import { refused } from '../../kit/refused.ts'
import type { HttpKit } from '../../kit/kit.ts'
import type { Signed } from '../../kit/sessions/sessions.ts'

/** Most failed or unfinished sign-ins per window, by what they share. */
const PAIR = { limit: 20, seconds: 900 }
const ADDRESS = { limit: 100, seconds: 900 }
const NETWORK = { limit: 100, seconds: 900 }
const TOTAL = { limit: 600, seconds: 60 }

type SignInKit = Pick<HttpKit, 'people' | 'sessions' | 'limits' | 'security' | 'fingerprint'>

/**
 * Signs in by address and password; 401 when they are wrong, 429 after too many attempts.
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
export function createSignIn({ people, sessions, limits, security, fingerprint }: SignInKit) {
  return async function signIn(whitelabelId: string, username: string, password: string, network: string): Promise<Signed> {
    const address = `${whitelabelId} ${username.trim().toLowerCase()}`
    const from = fingerprint(`network ${network}`)
    const pair = { key: `sign-in pair ${fingerprint(`${address} ${network}`)}`, ...PAIR }
    const known = await people.knowsNetwork(whitelabelId, username, from)
    const others = [
      { key: `sign-in address ${fingerprint(address)}`, ...ADDRESS },
      { key: `sign-in network ${from}`, ...NETWORK },
      { key: 'sign-in', ...TOTAL },
    ]
    const reserved = await limits.reserve(known ? [pair] : [pair, ...others])
    let failed = false
    try {
      const person = await people.authenticate(whitelabelId, username, password)
      failed = person === null
      if (person === null) {
        security.signInFailed(whitelabelId, username, network)
        throw refused(401)
      }
      await people.rememberNetwork(person.id, from)
      const signed = await sessions.signIn(person)
      await security.signedIn(person, network)
      return signed
    } finally {
      if (!failed) await reserved.release()
    }
  }
}
