import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProofFile, readCheckpoint, readVerifierKey } from './offline-verifier.ts'
import { checkpointText, noteSigner, signedNote } from './signed-note.ts'

const ORIGIN = 'ads.example/log'
const log = noteSigner(ORIGIN, Buffer.alloc(32, 7))
const root = createHash('sha256').update('root').digest()
const text = checkpointText(ORIGIN, 1234, root)
const note = signedNote(text, [log.sign(text)])
const known = [readVerifierKey(log.verifierKey)]

/** A witness, and its line under a text (C2SP tlog-cosignature). */
function witness(name: string, seconds: bigint) {
  const seed = createHash('sha256').update(name).digest()
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const material = Buffer.from(noteSigner(name, seed).verifierKey.slice(name.length + 10), 'base64')
  material[0] = 4
  const id = createHash('sha256').update(`${name}\n`).update(material).digest().subarray(0, 4)
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(seconds)
  const line = (said: string): string => {
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${said}`), key)
    return `— ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`
  }
  return { line, key: `${name}+${id.toString('hex')}+${material.toString('base64')}` }
}

describe('a checkpoint', () => {
  it('a checkpoint has the form of the standard', () => {
    const [origin, size, hash, blank, line, end, ...more] = note.split('\n')
    expect([origin, size, blank, end, more]).toEqual([ORIGIN, '1234', '', '', []])
    expect(hash).toBe(root.toString('base64'))
    expect(line).toMatch(/^— ads\.example\/log [A-Za-z0-9+/]{91}=$/)
    expect(log.verifierKey).toBe(`${ORIGIN}+${log.keyId}+${log.verifierKey.split('+').slice(2).join('+')}`)
  })

  it('a checkpoint is read with the key of its log, with other signatures beside it', () => {
    const [first, second] = [witness('witness.example/w1', 1_790_000_000n), witness('witness.example/w2', 1_790_000_001n)]
    const signed = `${note}${first.line(text)}${second.line(text)}`
    const read = readCheckpoint(signed, [...known, readVerifierKey(first.key)])
    expect(read).toMatchObject({ origin: ORIGIN, size: 1234n, root })
    expect(read.signers.map(({ name, kind }) => [name, kind])).toEqual([
      [ORIGIN, 'log'],
      ['witness.example/w1', 'witness'],
    ])
  })

  it('a checkpoint is rejected without a signature of its log, also when a known witness signed it', () => {
    const one = witness('witness.example/w1', 1_790_000_000n)
    const other = noteSigner(ORIGIN, Buffer.alloc(32, 8))
    const signed = signedNote(text, [other.sign(text), one.line(text)])
    expect(() => readCheckpoint(signed, [...known, readVerifierKey(one.key)])).toThrow('no given key of this log')
    expect(() => readCheckpoint(signedNote(text, []), known)).toThrow('not a signature')
  })

  it('a checkpoint is rejected when the line of a known witness is not its own', () => {
    const one = witness('witness.example/w1', 1_790_000_000n)
    const moved = `${note}${one.line(checkpointText(ORIGIN, 1235, root))}`
    expect(() => readCheckpoint(moved, [...known, readVerifierKey(one.key)])).toThrow(
      'the signature of witness.example/w1 is wrong',
    )
  })

  it('a checkpoint is rejected after any change of a character, of 2,000', () => {
    fc.assert(
      fc.property(fc.nat({ max: note.length - 1 }), fc.constantFrom(...'0123456789ABCabc+/=\n —'), (at, character) => {
        const forged = note.slice(0, at) + character + note.slice(at + 1)
        if (forged === note) return true
        try {
          const { size, root: hash } = readCheckpoint(forged, known)
          // Bits of base64 that stand for nothing.
          return size === 1234n && hash.equals(root)
        } catch {
          return true
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('a checkpoint is signed by a key whose id belongs to it', () => {
    const [name, , key] = [ORIGIN, '', log.verifierKey.slice(ORIGIN.length + 10)]
    expect(() => readVerifierKey(`${name}+00000000+${key}`)).toThrow('does not belong to it')
    expect(() => readVerifierKey('ads.example/log')).toThrow('not of the form')
    expect(() => noteSigner('two words', randomBytes(32))).toThrow('no space')
    expect(() => noteSigner('short', randomBytes(31))).toThrow('32 bytes')
  })
})

describe('a proof file', () => {
  const hash = createHash('sha256').update('event').digest('hex')
  const leaf = createHash('sha256')
    .update(Buffer.concat([Buffer.of(0), Buffer.from(hash, 'hex')]))
    .digest()
  const one = checkpointText(ORIGIN, 1, leaf)
  const file = `c2sp.org/tlog-proof@v1\nindex 0\n\n${signedNote(one, [log.sign(one)])}`

  it('proves its event and no other', () => {
    expect(checkProofFile(file, hash, known)).toMatchObject({ origin: ORIGIN, size: 1n })
    expect(() => checkProofFile(file, '0'.repeat(64), known)).toThrow('does not have this event')
    expect(() => checkProofFile(file.replace('index 0', 'index 1'), hash, known)).toThrow('does not have this event')
    expect(() => checkProofFile(note, hash, known)).toThrow('not a proof file')
    expect(() => checkProofFile(file, 'f', known)).toThrow('64 hexadecimal digits')
  })
})
