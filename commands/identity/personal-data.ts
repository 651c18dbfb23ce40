import { createHash } from 'node:crypto'
import { isErasedMark, isPersonalKey, isPersonalPath, readToken } from '#domain/kit/personal'
import { refused } from '../refused.ts'
import { erasedMark, hashUnder, openToken, sealText } from './personal-value.ts'

/** Keys of persons, 32 bytes each. Read for every call: no process may keep an erased key. */
export type PersonKeys = {
  /** The keys of the persons that have one. */
  readonly keysOf: (people: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>
  /** A person's key, created when missing; null after an erasure. */
  readonly keyFor: (person: string) => Promise<Uint8Array | null>
}

/** Converts personal values: the only place that turns text into tokens, and tokens into text. */
export function createPersonalData(keys: PersonKeys) {
  /** The displayed text of each token: the plain text, or the mark of an erased one. */
  async function shownFor(tokens: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const people = new Set(tokens.flatMap((token) => readToken(token)?.person ?? []))
    const known = people.size === 0 ? new Map<string, Uint8Array>() : await keys.keysOf([...people])
    return new Map(
      tokens.map((token) => {
        const key = known.get(readToken(token)?.person ?? '')
        return [token, (key === undefined ? null : openToken(key, token)) ?? erasedMark(token)]
      }),
    )
  }

  /**
   * Replaces texts that `author` sent with tokens. A text that equals the plain text of a `present` token keeps that token,
   * regardless of the user who entered it. The same holds for the mark of an erased token; a mark that matches no present token is dropped. Refuses
   * with 401 when the author's own key was erased.
   */
  async function seal(texts: readonly string[], author: string, present: readonly string[]): Promise<readonly string[]> {
    const tokens = present.filter((value) => readToken(value) !== null)
    const byText = new Map<string, string>()
    for (const [token, shown] of await shownFor(tokens)) if (!byText.has(shown)) byText.set(shown, token)
    const kept = (text: string) => (present.includes(text) ? text : byText.get(text))
    const wanted = texts.filter((text) => kept(text) !== undefined || !isErasedMark(text))
    if (wanted.every((text) => kept(text) !== undefined)) return wanted.map((text) => kept(text) ?? text)
    const key = await keys.keyFor(author)
    if (key === null) throw refused(401)
    return wanted.map((text) => kept(text) ?? sealText(key, author, text))
  }

  /**
   * The answer with its personal fields, and changes of them, in plain text. Other text stays as it is, even if it looks like a
   * token.
   */
  async function reveal<T>(answer: T): Promise<T> {
    const tokens = new Set<string>()
    collect(answer, false, tokens)
    if (tokens.size === 0) return answer
    return replaced(answer, false, await shownFor([...tokens])) as T
  }

  /**
   * SHA-256 of a body in hex, to recognise repeats. It stays in the log, where a plain hash would confirm any guess of the
   * personal data in the body: such a body is hashed under the key of its `author`, so after an erasure guesses cannot be
   * confirmed.
   */
  async function hashOf(author: string, body: unknown, url: string): Promise<string> {
    const text = `${JSON.stringify(body)}\0${url}`
    if (!holdsPersonal(body)) return createHash('sha256').update(text).digest('hex')
    const key = await keys.keyFor(author)
    if (key === null) throw refused(401)
    return hashUnder(key, text)
  }

  /** The text of one token; null when its person was erased. */
  async function open(token: string): Promise<string | null> {
    const person = readToken(token)?.person
    const key = person === undefined ? undefined : (await keys.keysOf([person])).get(person)
    return key === undefined ? null : openToken(key, token)
  }

  return { seal, reveal, hashOf, open }
}
export type PersonalData = ReturnType<typeof createPersonalData>

/** True for a change (`path`, `from`, `to`) of a personal field. */
const isPersonalChange = (node: object): boolean => 'path' in node && typeof node.path === 'string' && isPersonalPath(node.path)

/** Collects the tokens of personal fields. Every answer is traversed, so this must be as cheap as printing it. */
function collect(node: unknown, personal: boolean, into: Set<string>): void {
  if (typeof node === 'string') {
    if (personal && readToken(node) !== null) into.add(node)
  } else if (Array.isArray(node)) {
    for (const inner of node) collect(inner, personal, into)
  } else if (typeof node === 'object' && node !== null) {
    const here = personal || isPersonalChange(node)
    const fields = node as { readonly [key: string]: unknown }
    for (const key of Object.keys(fields)) {
      const inner = fields[key]
      const within = here || isPersonalKey(key)
      if (within || typeof inner === 'object') collect(inner, within, into)
    }
  }
}

/** True when a personal field contains text. */
function holdsPersonal(node: unknown, personal = false): boolean {
  if (typeof node === 'string') return personal
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(([key, inner]) => holdsPersonal(inner, personal || isPersonalKey(key)))
}

/**
 * The node with its tokens replaced by text; nodes without tokens are returned as they are, so most of an answer is not copied.
 */
function replaced(node: unknown, personal: boolean, shown: ReadonlyMap<string, string>): unknown {
  if (typeof node === 'string') return personal ? (shown.get(node) ?? node) : node
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) {
    let copy: unknown[] | null = null
    for (const [i, inner] of node.entries()) {
      const next = replaced(inner, personal, shown)
      if (next !== inner) (copy ??= [...node])[i] = next
    }
    return copy ?? node
  }
  const fields = node as { readonly [key: string]: unknown }
  const here = personal || isPersonalChange(node)
  let copy: Record<string, unknown> | null = null
  for (const key of Object.keys(fields)) {
    const inner = fields[key]
    const within = here || isPersonalKey(key)
    if (!within && typeof inner !== 'object') continue
    const next = replaced(inner, within, shown)
    if (next !== inner) (copy ??= { ...fields })[key] = next
  }
  return copy ?? node
}
