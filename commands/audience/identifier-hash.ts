import { hash } from 'node:crypto'

const BLOCK = 64
/** Longest text, bytes: a visitor's id has at most 300 characters. */
const LONGEST = 4096

/**
 * HMAC-SHA-256 of texts under one key of at most 64 bytes, as 32 characters of latin1. Written out, because an Hmac object for each
 * text takes four times as long, and a file has millions.
 */
export function createIdentifierHash(key: Buffer): (text: string) => string {
  const inner = Buffer.alloc(BLOCK + LONGEST, 0x36)
  const outer = Buffer.alloc(BLOCK + 32, 0x5c)
  for (const [n, byte] of key.entries()) {
    inner[n] = byte ^ 0x36
    outer[n] = byte ^ 0x5c
  }
  return (text) => {
    const length = inner.write(text, BLOCK)
    outer.write(hash('sha256', inner.subarray(0, BLOCK + length), 'binary'), BLOCK, 'latin1')
    return hash('sha256', outer, 'binary')
  }
}
