import { diffWordsWithSpace } from 'diff'

export type Stretch = { readonly text: string; readonly in: 'both' | 'before' | 'after' }

/** Shorter texts are read faster as a whole than with words taken out of them. */
const LONG = 40
/** Of two long texts that have nothing in common, every comparison is wrong and slow. */
const PATIENCE_MS = 60

/** Two texts word by word; null where showing both as they are says more. */
export function wordDifference(before: string, after: string): readonly Stretch[] | null {
  if (Math.min(before.length, after.length) < LONG) return null
  const found = diffWordsWithSpace(before, after, { timeout: PATIENCE_MS })
  if (found === undefined || !found.some((part) => !part.added && !part.removed && part.value.trim() !== '')) return null
  return found.map((part) => ({ text: part.value, in: part.added ? 'after' : part.removed ? 'before' : 'both' }))
}
