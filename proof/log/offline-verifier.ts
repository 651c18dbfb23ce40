import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * Verifies checkpoints and proofs with public keys alone. It shares no code with what builds the tree, so that a fault there cannot hide
 * here too: it imports nothing of the product, and its proofs are checked by the iterative algorithms of RFC 9162 (sections 2.1.3.2 and
 * 2.1.4.2), not by the recursion of RFC 6962.
 */

/** A key that may sign notes: of a log, or of a witness. */
export type Verifier = {
  readonly name: string
  readonly id: string
  readonly kind: 'log' | 'witness'
  readonly isSigned: (text: string, signature: Buffer) => boolean
}

export type Checkpoint = {
  readonly origin: string
  readonly size: bigint
  readonly root: Buffer
  /** Names and ids of the given keys that signed it. */
  readonly signers: readonly { readonly name: string; readonly id: string; readonly kind: 'log' | 'witness' }[]
}

/** Why something is not proven. */
export class NotProven extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'NotProven'
  }
}

const KINDS = { 1: 'log', 4: 'witness' } as const

/** Reads a verifier key, `name+id+key` (C2SP signed-note). Throws NotProven for any other text. */
export function readVerifierKey(text: string): Verifier {
  const [, name, id, base64] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? []
  const key = Buffer.from(base64 ?? '', 'base64')
  const kind = key[0] === 1 || key[0] === 4 ? KINDS[key[0]] : undefined
  if (name === undefined || id === undefined || key.length !== 33 || kind === undefined)
    throw new NotProven('a key is not of the form name+id+key')
  const computed = createHash('sha256').update(`${name}\n`).update(key).digest('hex').slice(0, 8)
  if (computed !== id) throw new NotProven(`the id of the key of ${name} does not belong to it`)
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: key.subarray(1).toString('base64url') },
    format: 'jwk',
  })
  return {
    name,
    id,
    kind,
    isSigned(message, signature) {
      if (kind === 'log') return signature.length === 64 && verify(null, Buffer.from(message), publicKey, signature)
      if (signature.length !== 72) return false
      const signed = `cosignature/v1\ntime ${signature.readBigUInt64BE()}\n${message}`
      return verify(null, Buffer.from(signed), publicKey, signature.subarray(8))
    },
  }
}

/**
 * Reads a checkpoint that the log's key signed. Signatures of other keys are ignored; a signature that names a given key and is not its own
 * is an error. Throws NotProven.
 */
export function readCheckpoint(note: string, verifiers: readonly Verifier[]): Checkpoint {
  const end = note.lastIndexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) throw new NotProven('this is not a signed note')
  const text = note.slice(0, end + 1)
  const signers: Verifier[] = []
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, base64] = /^— ([^+\s]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? []
    const signature = Buffer.from(base64 ?? '', 'base64')
    if (name === undefined || signature.length < 5) throw new NotProven('a line is not a signature')
    const id = signature.subarray(0, 4).toString('hex')
    for (const verifier of verifiers.filter((one) => one.name === name && one.id === id)) {
      if (!verifier.isSigned(text, signature.subarray(4))) throw new NotProven(`the signature of ${name} is wrong`)
      signers.push(verifier)
    }
  }
  const [origin = '', size = '', root = ''] = text.split('\n')
  if (!signers.some((signer) => signer.kind === 'log' && signer.name === origin))
    throw new NotProven('no given key of this log signed the checkpoint')
  if (!/^(0|[1-9]\d*)$/.test(size)) throw new NotProven('the size of the tree is not a number')
  const hash = readHash(root)
  return { origin, size: BigInt(size), root: hash, signers: signers.map(({ name, id, kind }) => ({ name, id, kind })) }
}

export type Inclusion = {
  readonly index: bigint
  readonly size: bigint
  readonly root: Buffer
  /** The hash of the leaf itself, not the entry. */
  readonly leaf: Buffer
  readonly path: readonly Buffer[]
}

/** Whether a path proves that the tree has this leaf. */
export function isIncluded({ index, size, root, leaf, path }: Inclusion): boolean {
  if (index < 0n || index >= size) return false
  let [node, last, hash] = [index, size - 1n, leaf]
  for (const sibling of path) {
    if (last === 0n) return false
    if (isOdd(node) || node === last) {
      hash = join(sibling, hash)
      while (!isOdd(node) && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    } else hash = join(hash, sibling)
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n && hash.equals(root)
}

export type Consistency = {
  readonly first: { readonly size: bigint; readonly root: Buffer }
  readonly second: { readonly size: bigint; readonly root: Buffer }
  readonly path: readonly Buffer[]
}

/** Whether a path proves that the second tree is the first one with leaves appended. */
export function isConsistent({ first, second, path }: Consistency): boolean {
  if (first.size < 0n || first.size > second.size) return false
  // Everything extends the tree without leaves, whose root is a constant.
  if (first.size === 0n) return path.length === 0 && first.root.equals(createHash('sha256').digest())
  if (first.size === second.size) return path.length === 0 && first.root.equals(second.root)
  const isComplete = (first.size & (first.size - 1n)) === 0n
  const [start, ...rest] = isComplete ? [first.root, ...path] : path
  if (start === undefined) return false
  let [node, last] = [first.size - 1n, second.size - 1n]
  while (isOdd(node)) [node, last] = [node >> 1n, last >> 1n]
  let [before, after] = [start, start]
  for (const hash of rest) {
    if (last === 0n) return false
    if (isOdd(node) || node === last) {
      ;[before, after] = [join(hash, before), join(hash, after)]
      while (!isOdd(node) && node !== 0n) [node, last] = [node >> 1n, last >> 1n]
    } else after = join(after, hash)
    ;[node, last] = [node >> 1n, last >> 1n]
  }
  return last === 0n && before.equals(first.root) && after.equals(second.root)
}

/**
 * Checks a proof file (C2SP tlog-proof) of an event against keys of the log and of witnesses. `eventHash`: the hash of the event, 64
 * hexadecimal digits. Returns the checkpoint that has it. Throws NotProven.
 */
export function checkProofFile(file: string, eventHash: string, verifiers: readonly Verifier[]): Checkpoint {
  const end = file.indexOf('\n\n')
  const [form, indexLine = '', ...path] = (end === -1 ? '' : file.slice(0, end)).split('\n')
  const [, index] = /^index (0|[1-9]\d*)$/.exec(indexLine) ?? []
  if (form !== 'c2sp.org/tlog-proof@v1' || index === undefined) throw new NotProven('this is not a proof file')
  if (!/^[0-9a-f]{64}$/.test(eventHash)) throw new NotProven('the hash of an event has 64 hexadecimal digits')
  const checkpoint = readCheckpoint(file.slice(end + 2), verifiers)
  const leaf = createHash('sha256')
    .update(Buffer.concat([Buffer.of(0), Buffer.from(eventHash, 'hex')]))
    .digest()
  const inclusion = { index: BigInt(index), size: checkpoint.size, root: checkpoint.root, leaf, path: path.map(readHash) }
  if (!isIncluded(inclusion)) throw new NotProven('the log of this checkpoint does not have this event there')
  return checkpoint
}

function readHash(base64: string): Buffer {
  const hash = Buffer.from(base64, 'base64')
  // Another encoding of the same bytes would be another text under the same signature.
  if (hash.length !== 32 || hash.toString('base64') !== base64) throw new NotProven('a hash is not 32 bytes in base64')
  return hash
}

const isOdd = (number: bigint): boolean => (number & 1n) === 1n
const join = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), left, right]))
    .digest()
