/**
 * Personal values that an event must hold are held as tokens: opaque text that only the key of the person who entered it turns back
 * into what was written. Rules compare tokens and never look inside; without the key nobody can.
 */

/** Fields of a campaign whose texts are personal: the devices that people test with are their own. */
export const PERSONAL_KEYS = ['test_devices'] as const

/** Fields of other answers: the network that a person came from. */
const personalKeys: ReadonlySet<string> = new Set([...PERSONAL_KEYS, 'client_network'])

/** True for the name of a field whose texts are personal. */
export const isPersonalKey = (key: string): boolean => personalKeys.has(key)

/** True for a path into a field whose texts are personal. */
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
 * What an answer shows in place of a value whose key is gone: `erased:` and 16 hex digits, the same ones for the same value, so that
 * a form which is sent back says which of them it still means.
 */
export const isErasedMark = (text: string): boolean => /^erased:[0-9a-f]{16}$/.test(text)
