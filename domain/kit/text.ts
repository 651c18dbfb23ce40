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

/**
 * Two names of one key are the same to a reader: case, the width and number of spaces, how accents are composed, and characters that do not
 * show count for nothing (fine print 19).
 */
export const nameKey = (name: string): string =>
  name
    .replaceAll(/[\p{Cf}\p{DI}]/gu, '')
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase()

/** Blocks of the scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A text that stands within a sentence of another language: where it is written from right to left it is isolated (FSI … PDI), so that it
 * moves none of the words and figures around it.
 */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

/** The same text with the decimal digits of every script as 0 to 9. */
export const asciiDigits = (text: string): string => text.replaceAll(/(?![0-9])\p{Nd}/gu, asciiDigit)

/** Unicode has the digits of a script in a row, from 0 on. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((code - zero) % 10)
}
