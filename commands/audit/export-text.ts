import { createHash, hash, type Hash } from 'node:crypto'
import { endText, type ExportEnd, type SignedEnd } from '#proof/offline/export-format'
import { signedNote } from '#proof/log/signed-note'
import type { NoteSigner } from './log-port.ts'

/** Bytes of a block of the file that is hashed for itself. */
const BLOCK_BYTES = 1024 * 1024

/** Prints lines, and signs them at the end: what was printed is hashed on the way. */
export function createExportText() {
  let block: Hash = createHash('sha256')
  let filled = 0
  let lines = 0
  const blocks: Buffer[] = []

  function add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - filled)
      block.update(part)
      filled += part.length
      at += part.length
      if (filled === BLOCK_BYTES) endBlock()
    }
  }
  function endBlock(): void {
    if (filled === 0) return
    blocks.push(block.digest())
    block = createHash('sha256')
    filled = 0
  }

  return {
    /** The bytes of these lines. */
    print(values: readonly object[]): Buffer {
      const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
      lines += values.length
      add(bytes)
      return bytes
    },

    /** The last line, with its signatures. */
    end(known: Omit<SignedEnd, 'lines' | 'sha256'>, signers: readonly NoteSigner[]): Buffer {
      endBlock()
      const sha256 = hash('sha256', Buffer.concat(blocks), 'base64')
      const text = endText({ ...known, lines, sha256 })
      const note = signedNote(
        text,
        signers.map((signer) => signer.sign(text)),
      )
      const { events, next } = known
      const end: ExportEnd = { end: { lines, events, next, blocks: blocks.map((one) => one.toString('base64')), note } }
      return Buffer.from(`${JSON.stringify(end)}\n`)
    },
  }
}
