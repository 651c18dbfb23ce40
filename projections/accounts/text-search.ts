import { sql, type RawBuilder } from 'kysely'

/** Search by part of a name: every word of a query must be found, without regard to case and accents. */

/** Words of a query that are compared; more would only cost time. */
const MOST_WORDS = 6
const LONGEST_WORD = 60
/** Shorter words match from the beginning of a word only: inside of words they have no trigram, so no index finds them. */
const TRIGRAM = 3

/** Words of a query, folded as the database folds names for search, as far as JavaScript can tell. */
export const wordsOf = (query: string): readonly string[] =>
  query
    .normalize('NFC')
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    .map((word) => word.slice(0, LONGEST_WORD))

/** The word as a literal part of a LIKE pattern. */
const literal = (word: string): string => word.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** True when the text holds the word. `text` is an indexed expression of `app.folded`. */
function holds(text: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  const pattern = sql`app.folded(${literal(word)})`
  return word.length < TRIGRAM
    ? sql`(${text} like ${pattern} || '%' or ${text} like '% ' || ${pattern} || '%')`
    : sql`${text} like '%' || ${pattern} || '%'`
}

/** The word with two neighbouring letters swapped, at each place. */
const swapped = (word: string): readonly string[] => {
  const letters = [...word]
  return letters.slice(1).flatMap((letter, i) => {
    const before = letters[i] ?? ''
    return letter === before ? [] : [[...letters.slice(0, i), letter, before, ...letters.slice(i + 2)].join('')]
  })
}

/** True when the text holds the word, or one that is a typing error away: a letter missing, added, replaced or swapped. */
function nearlyHolds(text: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  if (word.length < TRIGRAM) return holds(text, word)
  const near = [
    holds(text, word),
    ...(word.length > TRIGRAM ? swapped(word).map((other) => holds(text, other)) : []),
    // The trigrams find candidates by the index.
    sql`(${text} %> app.folded(${word}) and app.is_close(${text}, app.folded(${word})))`,
  ]
  return sql`(${sql.join(near, sql` or `)})`
}

/** Share of a word's trigrams that a text must have to be a candidate: enough for one typing error in four letters. */
export const CANDIDATE_SIMILARITY = 0.3

export type Matching = 'exact' | 'near'

/** True when the text holds every word of the query; true for a query without words. */
export const matches = (text: RawBuilder<unknown>, query: string, how: Matching = 'exact'): RawBuilder<unknown> => {
  const words = wordsOf(query)
  return words.length === 0
    ? sql`true`
    : sql`(${sql.join(
        words.map((word) => (how === 'exact' ? holds(text, word) : nearlyHolds(text, word))),
        sql` and `,
      )})`
}

/** The beginning of a text that is the query, for sorting. */
export const startsWith = (text: RawBuilder<unknown>, query: string): RawBuilder<unknown> =>
  sql`${text} like app.folded(${literal(wordsOf(query).join(' '))}) || '%'`
