/** Maximum number of list items shown. */
export const BEST = 50

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()

/**
 * Returns the best matches of a text: names that begin with it, then names with a word that does, then the others, each in list
 * order.
 */
export function bestMatches<T>(all: readonly T[], nameOf: (item: T) => string, query: string, most = BEST): readonly T[] {
  const wanted = plain(query.trim())
  if (wanted === '') return all.slice(0, most)
  const rank = (name: string) => {
    const at = name.indexOf(wanted)
    if (at <= 0) return at === 0 ? 0 : 3
    return /[\s-]/.test(name[at - 1] ?? '') ? 1 : 2
  }
  const ranked: readonly T[][] = [[], [], []]
  for (const item of all) ranked[rank(plain(nameOf(item)))]?.push(item)
  return ranked.flat().slice(0, most)
}
