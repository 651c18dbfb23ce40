/** A value of the log in the words of people; what screens draw and comparisons are made of. */

export type Item = {
  /** The same thing on both sides, whatever became of it. */
  readonly id: string
  readonly text: string
  /** Address of a picture of it. */
  readonly picture: string | null
}

export type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  /** Several things, or one that can be looked at. */
  | { readonly kind: 'items'; readonly items: readonly Item[] }

export const NOTHING: Said = { kind: 'nothing' }
export const text = (words: string): Said => (words === '' ? NOTHING : { kind: 'text', text: words })
export const items = (found: readonly Item[]): Said => (found.length === 0 ? NOTHING : { kind: 'items', items: found })

/** One line of it, for where there is no room. */
export const inOneLine = (said: Said): string =>
  said.kind === 'nothing' ? '' : said.kind === 'text' ? said.text : said.items.map((item) => item.text).join(', ')

export type ItemChange = { readonly item: Item; readonly in: 'both' | 'before' | 'after' }

const SAYS_THE_SAME = (a: Item) => (b: Item) => a.id === b.id && a.text === b.text

/** What went, what stayed and what came, each once: elements are the same by what they are, not by where they stand. */
export function itemChanges(before: readonly Item[], after: readonly Item[]): readonly ItemChange[] {
  return [
    ...before.map((item) => ({ item, in: after.some(SAYS_THE_SAME(item)) ? ('both' as const) : ('before' as const) })),
    ...after.filter((item) => !before.some(SAYS_THE_SAME(item))).map((item) => ({ item, in: 'after' as const })),
  ]
}
