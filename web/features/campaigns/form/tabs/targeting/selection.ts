import type { SelectionValue } from './targeting-slice.ts'

export type SelectionKey = keyof SelectionValue

/** Adds an id to one list and removes it from the others. Choosing it again removes it. */
export function choose(selection: SelectionValue, key: SelectionKey, id: string): SelectionValue {
  const taken = selection[key].includes(id)
  const rest = remove(selection, id)
  return taken ? rest : { ...rest, [key]: [...rest[key], id] }
}

export const remove = (selection: SelectionValue, id: string): SelectionValue => ({
  includeAny: selection.includeAny.filter((known) => known !== id),
  include: selection.include.filter((known) => known !== id),
  exclude: selection.exclude.filter((known) => known !== id),
})
