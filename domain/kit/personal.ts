/**
 * Events store personal values as tokens: opaque text that only the key of the person who entered it decrypts. Rules compare
 * tokens and never look inside; without the key they cannot be read.
 */

/** Fields of a campaign with personal texts: test devices belong to people. */
export const PERSONAL_KEYS = ['test_devices'] as const

/** Fields of other answers: the network that a person used. */
const personalKeys: ReadonlySet<string> = new Set([...PERSONAL_KEYS, 'client_network'])

/** True for the name of a field with personal texts. */
export const isPersonalKey = (key: string): boolean => personalKeys.has(key)

/** True for a path into a field with personal texts. */
export const isPersonalPath = (path: string): boolean => isPersonalKey(path.split(/[.[]/, 1)[0] ?? '')

/** The parts of `personal:v1:<person>:<nonce>:<ciphertext and tag>`; the last two are base64url. */
export type Token = { readonly person: string; readonly nonce: string; readonly sealed: string }

const TOKEN = /^personal:v1:([^:]+):([\w-]{16}):([\w-]{22,})$/

export const tokenOf = ({ person, nonce, sealed }: Token): string => `personal:v1:${person}:${nonce}:${sealed}`

/** The parts of a token; null for any other text. */
export function readToken(text: string): Token | null {
  const [, person, nonce, sealed] = TOKEN.exec(text) ?? []
  return person === undefined || nonce === undefined || sealed === undefined ? null : { person, nonce, sealed }
}

/**
 * The displayed replacement for a value whose key was erased: `erased:` and 16 hex digits, the same for the same value, so that
 * a form sent back identifies the values that it keeps.
 */
export const isErasedMark = (text: string): boolean => /^erased:[0-9a-f]{16}$/.test(text)
