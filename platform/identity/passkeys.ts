import { isIP } from 'node:net'
import type { Kysely } from 'kysely'
import type { PersonRecord } from '#commands/identity/person'
import type { Db } from '#migrations/db'
import { createPasskeyChallenges, type ChallengeDeps } from './passkey-challenges.ts'
import { createPasskeyStore, type Credential, type StoredPasskey } from './passkey-store.ts'

/** Passkeys (WebAuthn level 3): a device proves that it holds a private key, after it has verified its user. */

/** EdDSA, ES256 and RS256, by their numbers in COSE. */
const ALGORITHMS = [-8, -7, -257]
/** Longest wait of a browser for its user, milliseconds: as long as a challenge lives. */
const TIMEOUT_MS = 300_000
const TYPE = 'public-key' as const

export type PasskeysDeps = ChallengeDeps & {
  readonly newId: () => string
  /** Origin of the application for users of a white-label. */
  readonly originOf: (whitelabelId: string) => string
}

/** Answer of a browser to a request for a new passkey. */
export type NewCredential = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}
/** Answer of a browser to a request to sign in. */
export type Assertion = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | undefined
  }
}

/** The person and the version of their credentials, of the session that adds a passkey. */
type Adding = { readonly person: Pick<PersonRecord, 'id' | 'whitelabel_id'>; readonly version: number }
/** A session whose user proves that they are still themself (fine print 83), with the version of its credentials. */
type Proving = { readonly personId: string; readonly session: string; readonly version: number }
/** Use of a passkey: to sign in, to answer the second step of a sign-in, or to prove its user within a session. */
type Use =
  | { readonly whitelabelId: string; readonly secondStep: string | null }
  | { readonly whitelabelId: string; readonly proving: Proving }

export function createPasskeys(deps: PasskeysDeps) {
  const { db, now, newId, originOf } = deps
  const challenges = createPasskeyChallenges(deps)
  const store = createPasskeyStore(db, now)

  /**
   * The relying party of a white-label: its host, never that of a request. A passkey belongs to one host, and no address of a machine
   * can have one: there the name is localhost.
   */
  function partyOf(whitelabelId: string): { readonly rpId: string; readonly origin: string } {
    const url = new URL(originOf(whitelabelId))
    if (isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0) url.hostname = 'localhost'
    return { rpId: url.hostname, origin: url.origin }
  }

  const toAdd = ({ person, version }: Adding) => ['add', partyOf(person.whitelabel_id).rpId, person.id, String(version)]
  function purposeOf(use: Use): readonly string[] {
    const { rpId } = partyOf(use.whitelabelId)
    if ('secondStep' in use) return ['sign in', rpId, use.whitelabelId, use.secondStep ?? '']
    const { personId, session, version } = use.proving
    return ['prove', rpId, use.whitelabelId, personId, session, String(version)]
  }

  /** Options for `navigator.credentials.get`; `personId` is null where any passkey of the host will do. */
  async function requestFor(use: Use, personId: string | null) {
    const { rpId } = partyOf(use.whitelabelId)
    const known = personId === null ? [] : await store.descriptorsOf(personId, rpId)
    return {
      rpId,
      challenge: challenges.make(purposeOf(use)),
      timeout: TIMEOUT_MS,
      allowCredentials: known.map((descriptor) => ({ ...descriptor, type: TYPE })),
      userVerification: 'required' as const,
    }
  }

  return {
    list: store.list,
    rename: (personId: string, id: string, name: string) => store.rename(personId, id, name),
    remove: (personId: string, id: string) => store.remove(personId, id),

    /** The passkey of an assertion; null where the white-label has none with its id. */
    find: (whitelabelId: string, credentialId: string) => store.find(credentialId, partyOf(whitelabelId).rpId, whitelabelId),

    /** Whether the person has a passkey on the host of their white-label. */
    has: async ({ id, whitelabel_id }: Pick<PersonRecord, 'id' | 'whitelabel_id'>): Promise<boolean> =>
      (await store.descriptorsOf(id, partyOf(whitelabel_id).rpId)).length > 0,

    /** Options for `navigator.credentials.create`. */
    async beginAdding({ person, version }: { readonly person: PersonRecord; readonly version: number }, whiteLabelName: string) {
      const { rpId } = partyOf(person.whitelabel_id)
      const known = await store.descriptorsOf(person.id, rpId)
      return {
        rp: { id: rpId, name: whiteLabelName },
        user: {
          id: handleOf(person.id),
          name: person.email,
          displayName: `${person.first_name} ${person.last_name}`.trim(),
        },
        challenge: challenges.make(toAdd({ person, version })),
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: TYPE, alg })),
        timeout: TIMEOUT_MS,
        // A device makes one passkey for a person.
        excludeCredentials: known.map((descriptor) => ({ ...descriptor, type: TYPE })),
        authenticatorSelection: {
          residentKey: 'required' as const,
          requireResidentKey: true,
          userVerification: 'required' as const,
        },
        attestation: 'none' as const,
      }
    },

    /**
     * Adds a passkey: 'over' for a challenge that expired or was answered before, 'wrong' for an answer that proves nothing, 'full'
     * when the person has too many, 'taken' when the passkey is stored. 401 after a change of credentials since the beginning.
     */
    async add(
      adding: Adding,
      name: string,
      answer: NewCredential,
    ): Promise<{ readonly id: string } | 'over' | 'wrong' | 'full' | 'taken'> {
      const party = partyOf(adding.person.whitelabel_id)
      const challenge = challengeIn(answer.response.clientDataJSON)
      if (!challenges.isValid(challenge, toAdd(adding))) return 'over'
      const credential = await verifyNew(answer, { ...party, challenge })
      if (credential === null) return 'wrong'
      return db.transaction().execute(async (tx) => {
        if (!(await challenges.use(challenge, tx))) return 'over'
        const id = newId()
        const wanted = { id, personId: adding.person.id, rpId: party.rpId, name }
        const added = await store.add(wanted, adding.version, credential, tx)
        return added === 'added' ? { id } : added
      })
    },

    /** Asks for any passkey of the host, or for a second step for one of its person. */
    beginSignIn: (whitelabelId: string, secondStep: { readonly challenge: string; readonly personId: string } | null = null) =>
      requestFor({ whitelabelId, secondStep: secondStep?.challenge ?? null }, secondStep?.personId ?? null),

    /** Asks the user of a session for one of their passkeys. */
    beginProof: (whitelabelId: string, proving: Proving) => requestFor({ whitelabelId, proving }, proving.personId),

    /**
     * Checks an assertion of a passkey and uses its challenge up: 'over' for a challenge that expired or was answered before, 'wrong'
     * for an assertion that proves nothing, 'copied' when the counter of signatures did not grow.
     */
    async verify(passkey: StoredPasskey, use: Use, answer: Assertion): Promise<'right' | 'over' | 'wrong' | 'copied'> {
      const challenge = challengeIn(answer.response.clientDataJSON)
      if (!challenges.isValid(challenge, purposeOf(use))) return 'over'
      const { userHandle } = answer.response
      if (userHandle !== undefined && userHandle !== handleOf(passkey.personId)) return 'wrong'
      const proved = await verifyAssertion(answer, passkey, { ...partyOf(use.whitelabelId), challenge })
      if (proved === null) return 'wrong'
      return db.transaction().execute(async (tx: Kysely<Db>) => {
        if (!(await challenges.use(challenge, tx))) return 'over'
        return (await store.use(passkey.id, proved, tx)) ? 'right' : 'copied'
      })
    },

    purge: () => challenges.purge(),
  }
}
export type Passkeys = ReturnType<typeof createPasskeys>

type Expected = { readonly rpId: string; readonly origin: string; readonly challenge: string }

/** Handle that devices store beside a passkey: the id of its person, which is no name. */
const handleOf = (personId: string): string => Buffer.from(personId).toString('base64url')

/** The challenge that an answer names; empty for an answer without one. */
function challengeIn(clientDataJSON: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return typeof data === 'object' && data !== null && 'challenge' in data && typeof data.challenge === 'string'
      ? data.challenge
      : ''
  } catch {
    return ''
  }
}

/** The public part of a new passkey; null when the answer does not prove one. */
async function verifyNew({ id, response }: NewCredential, { rpId, origin, challenge }: Expected): Promise<Credential | null> {
  // Loaded when it is needed: most processes verify no passkey.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'))
    // None was asked for, and a certificate may name an address that its check would fetch.
    if (attestation.get('fmt') !== 'none' && attestation.get('attStmt').get('x5c') !== undefined) return null
    if (!['none', 'packed'].includes(attestation.get('fmt'))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: TYPE,
        response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: credential.publicKey,
      signCount: credential.counter,
      backedUp: credentialBackedUp,
      transports: response.transports ?? [],
    }
  } catch {
    // The library throws for whatever is wrong with an answer.
    return null
  }
}

/** Report of a right assertion; null for a wrong one. */
async function verifyAssertion(
  { id, response: { clientDataJSON, authenticatorData, signature } }: Assertion,
  { credentialId, publicKey }: StoredPasskey,
  { rpId, origin, challenge }: Expected,
): Promise<Pick<Credential, 'signCount' | 'backedUp'> | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: TYPE,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      // The counter is compared by the statement that stores the next one, after the signature was found right.
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: 0 },
    })
    if (!verified || id !== credentialId) return null
    return { signCount: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  } catch {
    return null
  }
}
