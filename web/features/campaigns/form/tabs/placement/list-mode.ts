/** Lists that either allow or block their items (campaigns.md §2). The first pick decides which. */

export type ListMode = 'unselected' | 'whitelist' | 'blacklist'
export type ListAction = 'allow' | 'block'
export type ModeList = { readonly included: readonly string[]; readonly excluded: readonly string[] }

export function modeOf({ included, excluded }: ModeList): ListMode {
  if (included.length > 0) return 'whitelist'
  return excluded.length > 0 ? 'blacklist' : 'unselected'
}

const OFFERED: Readonly<Record<ListMode, readonly ListAction[]>> = {
  unselected: ['allow', 'block'],
  whitelist: ['allow'],
  blacklist: ['block'],
}
export const offeredIn = (mode: ListMode): readonly ListAction[] => OFFERED[mode]

/** Adds an item; actions not available in the current mode are ignored. */
export function pick(list: ModeList, action: ListAction, id: string): ModeList {
  if (!offeredIn(modeOf(list)).includes(action)) return list
  const key = action === 'allow' ? 'included' : 'excluded'
  return list[key].includes(id) ? list : { ...list, [key]: [...list[key], id] }
}

/** Removes an item from either list. An empty list has no mode. */
export const drop = ({ included, excluded }: ModeList, id: string): ModeList => ({
  included: included.filter((known) => known !== id),
  excluded: excluded.filter((known) => known !== id),
})
