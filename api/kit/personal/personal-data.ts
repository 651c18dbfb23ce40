import { createHash } from 'node:crypto'
import { isErasedMark, isPersonalKey, isPersonalPath, readToken } from '../../../domain/kit/personal.ts'
import { refused } from '../refused.ts'
import { erasedMark, hashUnder, openToken, sealText } from './personal-value.ts'

/** Keys of persons, 32 bytes each. Asked anew for every call: a key that was erased a moment ago must not live on in a process. */
export type PersonKeys = {
  /** The keys of those who have one. */
  readonly keysOf: (people: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>
  /** A person's key, made when there is none; null once it was erased. */
  readonly keyFor: (person: string) => Promise<Uint8Array | null>
}

/** Personal values on their way in and out: the only place where text becomes a token, or a token text. */
export function createPersonalData(keys: PersonKeys) {
  /** What people are shown for each token: its text, or the mark of an erased one. */
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
   * Tokens in place of the texts that `author` sent. A text that one of the `present` tokens shows stays that token, whoever
   * entered it. So does the mark of an erased one; a mark that belongs to none of them stands for nothing any more and is left out.
   * Refused with 401 when the author's own key was erased.
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

  /** The answer with its personal fields, and changes of them, in plain text. Text elsewhere stays as it is, whatever it looks like. */
  async function reveal<T>(answer: T): Promise<T> {
    const tokens = new Set<string>()
    collect(answer, false, tokens)
    if (tokens.size === 0) return answer
    return replaced(answer, false, await shownFor([...tokens])) as T
  }

  /**
   * SHA-256 of a body in hex, for telling repeats. It stays in the log, where a plain hash would confirm any guess of what is
   * personal in the body: such a body is hashed under the key of its `author`, and nobody can guess once that is gone.
   */
  async function hashOf(author: string, body: unknown, url: string): Promise<string> {
    const text = `${JSON.stringify(body)}\0${url}`
    if (!holdsPersonal(body)) return createHash('sha256').update(text).digest('hex')
    const key = await keys.keyFor(author)
    if (key === null) throw refused(401)
    return hashUnder(key, text)
  }

  return { seal, reveal, hashOf }
}
export type PersonalData = ReturnType<typeof createPersonalData>

/** True for a change (`path`, `from`, `to`) of a personal field. */
const isPersonalChange = (node: object): boolean => 'path' in node && typeof node.path === 'string' && isPersonalPath(node.path)

/** Adds the tokens of personal fields. Every answer is walked through here, so this must not cost more than printing it. */
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

/** True when some text stands in a personal field. */
function holdsPersonal(node: unknown, personal = false): boolean {
  if (typeof node === 'string') return personal
  if (typeof node !== 'object' || node === null) return false
  return Object.entries(node).some(([key, inner]) => holdsPersonal(inner, personal || isPersonalKey(key)))
}

/** The node with its tokens shown; what holds none is the same object: most of an answer is not copied. */
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
