/** Lower case without accents, for comparing texts that people type. */
export const plain = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()

type Searched = { readonly label: string; readonly keyword?: string }

/**
 * Returns the matches of a text, best first: labels or keywords that begin with it, then labels with a word that does, then the
 * others, each in list order. Case and accents do not matter.
 */
export function bestMatches<T extends Searched>(all: readonly T[], query: string): readonly T[] {
  const wanted = plain(query.trim())
  if (wanted === '') return all
  const rank = ({ label, keyword = '' }: Searched) => {
    const name = plain(label)
    const at = name.indexOf(wanted)
    if (at === 0 || plain(keyword).startsWith(wanted)) return 0
    if (at < 0) return 3
    return /[\s-]/.test(name[at - 1] ?? '') ? 1 : 2
  }
  const ranked: readonly T[][] = [[], [], []]
  for (const item of all) ranked[rank(item)]?.push(item)
  return ranked.flat()
}
