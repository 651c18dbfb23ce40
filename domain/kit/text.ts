const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * The beginning of a text, at most `most` UTF-16 units, as every store and every mail takes it (`storable`). It is cut between two
 * characters as readers see them, so half of an emoji or a letter without its accent is never left. A single character that is longer, such
 * as a letter under a hundred accents, is cut within.
 */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return storable(text)
  let end = 0
  // The character that the bound falls into may begin before it and is read whole: the segmenter sees no more than is needed.
  for (const { index, segment } of letters.segment(text.slice(0, most + LONGEST_CHARACTER))) {
    if (index + segment.length > most) break
    end = index + segment.length
  }
  return storable(text.slice(0, end === 0 ? most : end))
}
/** An emoji of a family of four with skin tones is 19 units. */
const LONGEST_CHARACTER = 64

/** Text as PostgreSQL, JSON and mails take it: NUL and halves of a surrogate pair become the replacement character. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

/** JSON of a value whose texts came from elsewhere, as PostgreSQL takes it (`storable`). */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part))
