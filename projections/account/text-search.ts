import { sql, type RawBuilder } from 'kysely'
import { holdsText, literal } from '../name-search.ts'

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

/** True when the text holds the word. `text` is an indexed expression of `app.folded`. */
function holds(text: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  const pattern = sql`app.folded(${literal(word)})`
  return word.length < TRIGRAM
    ? sql`(${text} like ${pattern} || '%' or ${text} like '% ' || ${pattern} || '%')`
    : holdsText(text, word)
}

/** The word with two neighbouring letters swapped, at each place. */
const swapped = (word: string): readonly string[] => {
  const letters = [...word]
  return letters.slice(1).flatMap((letter, i) => {
    const before = letters[i] ?? ''
    return letter === before ? [] : [[...letters.slice(0, i), letter, before, ...letters.slice(i + 2)].join('')]
  })
}

/** Words that are compared in spite of a typing error: of letters, because another digit is another number. */
const TOLERATED = /^\p{L}{3,}$/u
export const toleratesErrors = (query: string): boolean => wordsOf(query).some((word) => TOLERATED.test(word))

/** From this length on, both halves of a word have a trigram. */
const HALVED = 6

/** True for the texts that may hold a word with one wrong letter: one half of it is right. By an index. */
function candidates(text: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  if (word.length < HALVED) return sql`${text} %> app.folded(${word})`
  const middle = Math.floor(word.length / 2)
  return sql`(${holds(text, word.slice(0, middle))} or ${holds(text, word.slice(middle))})`
}

/** True when the text holds the word, or may hold one that is a typing error away. By an index alone. */
function mayHold(text: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  if (!TOLERATED.test(word)) return holds(text, word)
  const near = [holds(text, word), ...swaps(text, word), candidates(text, word)]
  return sql`(${sql.join(near, sql` or `)})`
}

/** True when the text holds the word, or one that is a typing error away: a letter missing, added, replaced or swapped. */
function nearlyHolds(text: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  if (!TOLERATED.test(word)) return holds(text, word)
  const near = [holds(text, word), ...swaps(text, word), sql`app.is_close(${text}, app.folded(${word}))`]
  return sql`(${sql.join(near, sql` or `)})`
}

const swaps = (text: RawBuilder<unknown>, word: string) =>
  word.length > TRIGRAM ? swapped(word).map((other) => holds(text, other)) : []

/**
 * The share of trigrams by which short words find candidates: of the n + 1 trigrams of n letters, three hold a wrong one, and the
 * right word has three others. A margin for rounding to single precision.
 */
export const candidateSimilarity = (query: string): number =>
  Math.min(0.6, ...wordsOf(query).flatMap(({ length: n }) => (n < HALVED ? [Math.max(0.25, (n - 2) / (n + 4)) - 0.01] : [])))

/** `candidate` is what an index finds, of which `near` holds for some. */
export type Matching = 'exact' | 'candidate' | 'near'
const HOLDS = { exact: holds, candidate: mayHold, near: nearlyHolds } as const

/** True when the text holds every word of the query; true for a query without words. */
export const matches = (
  text: RawBuilder<unknown>,
  query: string,
  how: Matching = 'exact',
  /** Words that are known to be right: they need no tolerance. */
  right: ReadonlySet<string> = new Set(),
): RawBuilder<unknown> => {
  const words = wordsOf(query)
  return words.length === 0
    ? sql`true`
    : sql`(${sql.join(
        words.map((word) => (right.has(word) ? holds(text, word) : HOLDS[how](text, word))),
        sql` and `,
      )})`
}

/**
 * How well a text holds the query, for sorting: 0 is the query, 1 begins with it, 2 has its words at the beginning of words, 3 inside
 * of words or not at all.
 */
export function rankOf(text: RawBuilder<unknown>, query: string): RawBuilder<number> {
  const words = wordsOf(query)
  const whole = sql`app.folded(${words.join(' ')})`
  const begin = words.map((word) => sql`' ' || ${text} like '% ' || app.folded(${literal(word)}) || '%'`)
  return sql<number>`case when ${text} = ${whole} then 0 when ${startsWith(text, query)} then 1
    when ${begin.length === 0 ? sql`true` : sql.join(begin, sql` and `)} then 2 else 3 end`
}

/** The beginning of a text that is the query. */
export const startsWith = (text: RawBuilder<unknown>, query: string): RawBuilder<unknown> =>
  sql`${text} like app.folded(${literal(wordsOf(query).join(' '))}) || '%'`
