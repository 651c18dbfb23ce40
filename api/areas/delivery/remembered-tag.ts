import type { Tagged } from '#api/http/cached'

type Answer = Extract<Tagged, { readonly data: unknown }>

/** Most callers with answers of their own that a process remembers: white-labels. */
const MOST_KEYS = 1000

/**
 * Answers that are large to make, with tags that are cheap to compare. `versionOf` states what an answer depends on, and is read first: what
 * changes while an answer is made is then newer than its version, and the next caller has it made again. Returns the tag alone while the
 * version is the remembered one and the caller knows its tag. The tag is of the content: a version that changes nothing is 304 still.
 */
export function createRememberedTags(versionOf: (key: string) => Promise<string>, make: (key: string) => Promise<Answer>) {
  const remembered = new Map<string, { readonly version: string; readonly etag: string }>()
  return async (key: string, isKnown: (etag: string) => boolean): Promise<Answer | { readonly etag: string }> => {
    const version = await versionOf(key)
    const known = remembered.get(key)
    if (known?.version === version && isKnown(known.etag)) return { etag: known.etag }
    const answer = await make(key)
    if (remembered.size >= MOST_KEYS) remembered.clear()
    remembered.set(key, { version, etag: answer.etag })
    return answer
  }
}
