import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { readToken, tokenOf } from '#domain/kit/personal'

const CIPHER = 'aes-256-gcm'
/** Bytes. */
const NONCE = 12
const TAG = 16

/** Derives a separate key for each further use of a person's key. */
const derived = (key: Uint8Array, use: string) => new Uint8Array(hkdfSync('sha256', key, '', `placard ${use}`, 32))

/**
 * The token of a text under a person's key (32 bytes). The nonce is an HMAC of the text under a second key, so the same text of
 * the same person always gives the same token, and two texts share a nonce only with a probability of 2^-96.
 */
export function sealText(key: Uint8Array, person: string, text: string): string {
  const nonce = createHmac('sha256', derived(key, 'personal value nonce')).update(text).digest().subarray(0, NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(person))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return tokenOf({ person, nonce: nonce.toString('base64url'), sealed: sealed.toString('base64url') })
}

/** The text of a token; null when another key made it or any byte is wrong. */
export function openToken(key: Uint8Array, token: string): string | null {
  const parts = readToken(token)
  if (parts === null) return null
  const sealed = Buffer.from(parts.sealed, 'base64url')
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(parts.nonce, 'base64url'), { authTagLength: TAG })
    .setAAD(Buffer.from(parts.person))
    .setAuthTag(sealed.subarray(-TAG))
  try {
    return decipher.update(sealed.subarray(0, -TAG), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

/** HMAC-SHA-256 in hex. */
export const hashUnder = (key: Uint8Array, text: string): string =>
  createHmac('sha256', derived(key, 'body hash')).update(text).digest('hex')

/** The replacement for a token that can no longer be opened (domain/kit/personal.ts). */
export const erasedMark = (token: string): string => `erased:${createHash('sha256').update(token).digest('hex').slice(0, 16)}`
