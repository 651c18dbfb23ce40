import type { Change } from './field-changes.ts'
import { fieldAt } from './log-lookup.ts'
import { holdsErased } from './log-labels.ts'
import { itemChanges, type ItemChange, type Said } from './said.ts'
import { plain, type Names } from './values.ts'
import { wordDifference, type Stretch } from './word-difference.ts'

/** Both sides of a change as text, and the exact differences between them. */
export type SaidChange = {
  readonly before: Said
  readonly after: Said
  /** For two long texts. */
  readonly words: readonly Stretch[] | null
  /** For values with identifiable items. */
  readonly items: readonly ItemChange[] | null
  readonly erased: { readonly before: boolean; readonly after: boolean }
}

export function sayChange({ path, from, to }: Change, names: Names): SaidChange {
  const say = fieldAt(path)?.say ?? plain
  const [before, after] = [say(from, names), say(to, names)]
  const several = before.kind === 'items' || after.kind === 'items'
  const itemsOf = (said: Said) => (said.kind === 'items' ? said.items : [])
  return {
    before,
    after,
    words: before.kind === 'text' && after.kind === 'text' ? wordDifference(before.text, after.text) : null,
    items: several && before.kind !== 'text' && after.kind !== 'text' ? itemChanges(itemsOf(before), itemsOf(after)) : null,
    erased: { before: holdsErased(from), after: holdsErased(to) },
  }
}
