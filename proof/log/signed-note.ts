import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'

/** Signed notes (C2SP signed-note) with Ed25519, and checkpoints in their form (C2SP tlog-checkpoint). */

/** The type of an Ed25519 signature of a log. */
const ED25519 = 0x01

/** DER of a private key in front of its 32 bytes (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
export const SEED_BYTES = 32

export type NoteSigner = {
  readonly name: string
  /** First four bytes of a hash over name and key, in hex: enough to find the key, not to trust it. */
  readonly keyId: string
  /** The public key as verifiers are configured with it: `name+id+key`. */
  readonly verifierKey: string
  /** The signature line of a text. */
  readonly sign: (text: string) => string
}

/** A signer from the 32 bytes of an Ed25519 private key. */
export function noteSigner(name: string, seed: Uint8Array): NoteSigner {
  if (!isKeyName(name)) throw new Error('the name of a key has no space and no plus')
  if (seed.length !== SEED_BYTES) throw new Error('an Ed25519 private key has 32 bytes')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const typed = Buffer.concat([Buffer.of(ED25519), rawPublicKey(key)])
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest().subarray(0, 4)
  return {
    name,
    keyId: id.toString('hex'),
    verifierKey: `${name}+${id.toString('hex')}+${typed.toString('base64')}`,
    sign: (text) => `— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64')}\n`,
  }
}

const isKeyName = (name: string): boolean => /^[^\s+]+$/u.test(name)

/** The text that a checkpoint's signatures are over. */
export const checkpointText = (origin: string, size: number, root: Buffer): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`

/** A text with its signature lines. */
export const signedNote = (text: string, signatures: readonly string[]): string => `${text}\n${signatures.join('')}`

/** The signature lines of a note. */
export const signatureLines = (note: string): readonly string[] =>
  note
    .slice(note.lastIndexOf('\n\n') + 2)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)

function rawPublicKey(key: KeyObject): Buffer {
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x ?? '', 'base64url')
}
