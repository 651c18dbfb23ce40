/** Lists that are either of what is allowed or of what is blocked (campaign.md §2): the first pick decides which. */

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

/** Puts one on the list; an action that the mode does not offer changes nothing. */
export function pick(list: ModeList, action: ListAction, id: string): ModeList {
  if (!offeredIn(modeOf(list)).includes(action)) return list
  const key = action === 'allow' ? 'included' : 'excluded'
  return list[key].includes(id) ? list : { ...list, [key]: [...list[key], id] }
}

/** Takes one off, wherever it stands; without any the list is unselected again. */
export const drop = ({ included, excluded }: ModeList, id: string): ModeList => ({
  included: included.filter((known) => known !== id),
  excluded: excluded.filter((known) => known !== id),
})
