/** One entry of a dictionary with its names in both languages. */
export type Titled = readonly [key: string, en: string, ru: string]

/** A first-level entry and the entries under it. */
export type TitledBranch = readonly [key: string, en: string, ru: string, children: readonly Titled[]]

/** Names alone, for entries whose key is their place in the list. */
export type Titles = readonly [en: string, ru: string]
