/** A log value in display form, for screens and comparisons. */

export type Item = {
  /** Identifies the item on both sides. */
  readonly id: string
  readonly text: string
  /** URL of its picture. */
  readonly picture: string | null
}

export type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  /** Several items, or one with a picture. */
  | { readonly kind: 'items'; readonly items: readonly Item[] }

export const NOTHING: Said = { kind: 'nothing' }
export const text = (words: string): Said => (words === '' ? NOTHING : { kind: 'text', text: words })
export const items = (found: readonly Item[]): Said => (found.length === 0 ? NOTHING : { kind: 'items', items: found })

/** Returns the value on one line, for compact views. */
export const inOneLine = (said: Said): string =>
  said.kind === 'nothing' ? '' : said.kind === 'text' ? said.text : said.items.map((item) => item.text).join(', ')

export type ItemChange = { readonly item: Item; readonly in: 'both' | 'before' | 'after' }

const SAYS_THE_SAME = (a: Item) => (b: Item) => a.id === b.id && a.text === b.text

/** Returns removed, kept and added items, each once. Items are matched by id, not by position. */
export function itemChanges(before: readonly Item[], after: readonly Item[]): readonly ItemChange[] {
  return [
    ...before.map((item) => ({ item, in: after.some(SAYS_THE_SAME(item)) ? ('both' as const) : ('before' as const) })),
    ...after.filter((item) => !before.some(SAYS_THE_SAME(item))).map((item) => ({ item, in: 'after' as const })),
  ]
}
