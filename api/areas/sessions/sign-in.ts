import { refused } from '../../kit/refused.ts'
import type { HttpKit } from '../../kit/kit.ts'
import type { Signed } from '../../kit/sessions/sessions.ts'

/** Failed or unfinished sign-ins that a window may hold, by what they have in common. */
const PAIR = { limit: 20, seconds: 900 }
const ADDRESS = { limit: 100, seconds: 900 }
const NETWORK = { limit: 100, seconds: 900 }
const TOTAL = { limit: 600, seconds: 60 }

type SignInKit = Pick<HttpKit, 'people' | 'sessions' | 'limits' | 'security' | 'fingerprint'>

/**
 * Signs in by address and password, 401 when they are wrong, 429 when there were too many tries.
 *
 * Each try reserves its units before the password is checked; a try that succeeds gives them back. So only tries that failed or are under
 * way count, and tries at once check no more passwords than the limit.
 * - A network (/24 or /64) from which this person has signed in within the last 180 days is limited by its own tries on this address
 *   alone, 20 in 15 minutes. Nothing that happens elsewhere refuses it: neither an attack on the address, nor one from the same
 *   network on other addresses, nor a flood of sign-ins.
 * - Any other network is limited by its own tries on the address (20), all unknown networks' tries on the address (100), its tries on
 *   all addresses (100), each in 15 minutes, and by all unknown networks' tries (600 a minute). While an address is under a distributed
 *   attack, its owner can sign in from known networks only; open sessions go on.
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
