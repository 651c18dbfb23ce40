/** Words that a white-label bans (fine print 104), compared without regard to case, width and the form of characters. */

/** A text as words are compared: NFKC, without case, and with single spaces. Hidden characters cannot split a word. */
export const foldedWord = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Z}]+/gu, ' ')
    .trim()

const INSIDE = /[\p{L}\p{M}\p{N}_]/u
const isInside = (character: string | undefined): boolean => character !== undefined && INSIDE.test(character)

/** The banned words, as they were written, that a text holds as whole words; `words` in the order of the list. */
export function bannedIn(text: string, words: readonly string[]): readonly string[] {
  const folded = foldedWord(text)
  return words.filter((word) => holdsWord(folded, foldedWord(word)))
}

function holdsWord(text: string, word: string): boolean {
  if (word === '') return false
  const characters = [...word]
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1)
    const after = Array.from(text.slice(at + word.length, at + word.length + 2)).at(0)
    // A word that begins or ends with a sign, such as "100%", has no edge there.
    const starts = !isInside(characters.at(0)) || !isInside(before)
    const ends = !isInside(characters.at(-1)) || !isInside(after)
    if (starts && ends) return true
  }
  return false
}
