import { diffWordsWithSpace } from 'diff'

export type Stretch = { readonly text: string; readonly in: 'both' | 'before' | 'after' }

/** Shorter texts are easier to read whole than with highlighted words. */
const LONG = 40
/** Timeout for comparing two long texts with little in common: the comparison is slow and useless. */
const TIMEOUT_MS = 60

/** Compares two texts word by word; null when showing both in full is clearer. */
export function wordDifference(before: string, after: string): readonly Stretch[] | null {
  if (Math.min(before.length, after.length) < LONG) return null
  const found = diffWordsWithSpace(before, after, { timeout: TIMEOUT_MS })
  if (found === undefined || !found.some((part) => !part.added && !part.removed && part.value.trim() !== '')) return null
  return found.map((part) => ({ text: part.value, in: part.added ? 'after' : part.removed ? 'before' : 'both' }))
}
