import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/**
 * An authenticator in software, as WebAuthn level 3 describes one: ES256 keys, attestation "none". It shares no code with the product
 * nor with the library that verifies, so that both are checked against the standard.
 */

type Cbor = number | string | Uint8Array | ReadonlyMap<Cbor, Cbor>

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const MAY_BE_BACKED_UP = 0x08
const BACKED_UP = 0x10
const HAS_CREDENTIAL = 0x40

export type CreationOptions = {
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly challenge: string
}
export type RequestOptions = { readonly rpId: string; readonly challenge: string }

/** Differences from an honest device. */
export type Deviations = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly verifiesUser?: boolean
  readonly signCount?: number
  readonly userHandle?: string
  readonly key?: KeyObject
  readonly attestation?: ReadonlyMap<Cbor, Cbor>
  readonly format?: string
}

export type Held = {
  readonly id: string
  readonly userHandle: string
  readonly key: KeyObject
  count: number
}

/** A device of a user. `counts` is false for one whose passkeys are copied by their provider: their counter stays zero. */
export function createAuthenticator(origin: string, { counts = true }: { readonly counts?: boolean } = {}) {
  const clientData = (type: string, challenge: string, over: Deviations): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: over.type ?? type,
        challenge: over.challenge ?? challenge,
        origin: over.origin ?? origin,
        crossOrigin: false,
      }),
    )

  function flagsOf(over: Deviations, more = 0): number {
    const verified = over.verifiesUser === false ? 0 : USER_VERIFIED
    return USER_PRESENT | verified | more | (counts ? 0 : MAY_BE_BACKED_UP | BACKED_UP)
  }

  return {
    /** The answer to `navigator.credentials.create`, and the passkey that the device keeps. */
    create(options: CreationOptions, over: Deviations = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const id = randomBytes(32)
      const cose: Cbor = new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const authData = Buffer.concat([
        head(over.rpId ?? options.rp.id, flagsOf(over, HAS_CREDENTIAL), 0),
        Buffer.alloc(16),
        length,
        id,
        encode(cose),
      ])
      const attestationObject = encode(
        new Map<Cbor, Cbor>([
          ['fmt', over.format ?? 'none'],
          ['attStmt', over.attestation ?? new Map()],
          ['authData', authData],
        ]),
      )
      const held: Held = { id: base64url(id), userHandle: options.user.id, key: privateKey, count: 0 }
      const response = {
        clientDataJSON: base64url(clientData('webauthn.create', options.challenge, over)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      }
      return { held, credential: { id: held.id, rawId: held.id, type: 'public-key', response, clientExtensionResults: {} } }
    },

    /** The answer to `navigator.credentials.get`. */
    get(held: Held, options: RequestOptions, over: Deviations = {}) {
      if (counts) held.count += 1
      const client = clientData('webauthn.get', options.challenge, over)
      const authData = head(over.rpId ?? options.rpId, flagsOf(over), over.signCount ?? held.count)
      const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()])
      const response = {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', signed, over.key ?? held.key)),
        userHandle: over.userHandle ?? held.userHandle,
      }
      return { id: held.id, rawId: held.id, type: 'public-key', response, clientExtensionResults: {} }
    },
  }
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** The hash of the relying party, flags and counter. */
function head(rpId: string, flags: number, count: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags, 0)
  rest.writeUInt32BE(count, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
}

/** CBOR (RFC 8949), as much of it as authenticators write. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? start(0, value) : start(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([start(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([start(2, value.length), value])
  return Buffer.concat([start(5, value.size), ...[...value].flatMap(([key, held]) => [encode(key), encode(held)])])
}

/** The first bytes of an item: its major type, and its value or length. */
function start(type: number, length: number): Buffer {
  const kind = type << 5
  if (length < 24) return Buffer.from([kind | length])
  if (length < 256) return Buffer.from([kind | 24, length])
  return Buffer.from([kind | 25, length >> 8, length & 0xff])
}
