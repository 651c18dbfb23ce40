/** Digests of the files that a form has sent, and what each was stored as; null while it is being sent. */
export type Contents = Map<string, string | null>

const ofForms = new WeakMap<object, Contents>()

/** The contents that this form has sent, by the form's uploads. */
export function contentsOf(uploads: object): Contents {
  const known = ofForms.get(uploads) ?? new Map<string, string | null>()
  ofForms.set(uploads, known)
  return known
}

/** The digest of a file. Null where the browser computes no digests: on pages without https. */
export async function digestOf(file: File): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return btoa(String.fromCodePoint(...new Uint8Array(digest)))
}
