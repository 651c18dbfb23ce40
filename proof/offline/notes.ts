import { concat, fromBase64, sha256, toHex, utf8, type Bytes } from './bytes.ts'

/** Signed notes (C2SP signed-note) and checkpoints (C2SP tlog-checkpoint), checked with public keys alone. */

export type Signer = {
  readonly name: string
  readonly id: string
  /** Kind of signer: a log, or a witness, which cosigns. */
  readonly kind: 'log' | 'witness'
}

export type NoteKey = Signer & { readonly key: CryptoKey }

export type Checkpoint = {
  readonly origin: string
  readonly size: number
  readonly root: Bytes
  /** The given keys that signed it. */
  readonly signers: readonly Signer[]
}

/** Why a key or a note is not accepted. */
export class NotSigned extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotSigned'
  }
}

const ED25519 = 'Ed25519'
const KINDS: Readonly<Record<number, Signer['kind']>> = { 1: 'log', 4: 'witness' }

/** Reads a verifier key, `name+id+key`. Throws NotSigned for any other text, and where the platform has no Ed25519. */
export async function readKey(text: string): Promise<NoteKey> {
  const [, name, id, base64 = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? []
  const typed = fromBase64(base64)
  const kind = KINDS[typed?.[0] ?? 0]
  if (name === undefined || id === undefined || typed?.length !== 33 || kind === undefined)
    throw new NotSigned('a key is not of the form name+id+key')
  const computed = await sha256(concat(utf8(`${name}\n`), typed))
  if (toHex(computed.subarray(0, 4)) !== id) throw new NotSigned(`the id of the key of ${name} does not belong to it`)
  const key = await crypto.subtle.importKey('raw', typed.slice(1), ED25519, false, ['verify']).catch((error: unknown) => {
    throw new NotSigned(`this browser or runtime cannot check Ed25519 signatures: ${String(error)}`)
  })
  return { name, id, kind, key }
}

/**
 * The text of a note, and the given keys that signed it. Signatures of other keys are ignored; one that names a given key and is not its
 * own is an error. Throws NotSigned.
 */
export async function readNote(
  note: string,
  keys: readonly NoteKey[],
): Promise<{ readonly text: string; readonly signers: readonly Signer[] }> {
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) throw new NotSigned('this is not a signed note')
  const text = note.slice(0, end + 1)
  const signers: Signer[] = []
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, base64 = ''] = /^— ([^+\s]+) (\S+)$/.exec(line) ?? []
    const signature = fromBase64(base64)
    if (name === undefined || signature === null || signature.length < 5) throw new NotSigned('a line is not a signature')
    const id = toHex(signature.subarray(0, 4))
    for (const one of keys.filter((known) => known.name === name && known.id === id)) {
      if (!(await isSignature(one, text, signature.slice(4)))) throw new NotSigned(`the signature of ${name} is wrong`)
      signers.push({ name, id, kind: one.kind })
    }
  }
  return { text, signers }
}

async function isSignature({ key, kind }: NoteKey, text: string, signature: Bytes): Promise<boolean> {
  if (kind === 'log') return signature.length === 64 && crypto.subtle.verify(ED25519, key, signature, utf8(text))
  if (signature.length !== 72) return false
  const time = new DataView(signature.buffer).getBigUint64(0)
  return crypto.subtle.verify(ED25519, key, signature.slice(8), utf8(`cosignature/v1\ntime ${time}\n${text}`))
}

/** A checkpoint that a given key of its log signed. Throws NotSigned. */
export async function readCheckpoint(note: string, keys: readonly NoteKey[]): Promise<Checkpoint> {
  const { text, signers } = await readNote(note, keys)
  const [origin = '', size = '', base64 = ''] = text.split('\n')
  if (!signers.some(({ kind, name }) => kind === 'log' && name === origin))
    throw new NotSigned('no given key of this log signed the checkpoint')
  const root = fromBase64(base64)
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size)))
    throw new NotSigned('the size of the tree is not a number')
  if (root?.length !== 32) throw new NotSigned('the root is not 32 bytes in base64')
  return { origin, size: Number(size), root, signers }
}
