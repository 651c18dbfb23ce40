import { useTranslation } from 'react-i18next'
import type { Undoable } from '@/app/shortcuts/use-undo'
import type { DraftGroup } from '@/components/rules/draft'
import { insertAt, moveAt, nodeAt, removeAt, type TreePath } from '@/components/rules/tree'
import type { DraftEntry } from './draft.ts'
import { changeEntry } from './entries.ts'
import { useEntries } from './use-entries.ts'
import { focusName } from './use-rule-editor.ts'

type Around = {
  readonly focusNext: (...names: readonly string[]) => void
  readonly reportUndoable: (what: Undoable) => void
}

/** Duplicates, moves and removes a rule or a group within its entry. The focus goes along. */
export function useRuleMoves({ focusNext, reportUndoable }: Around) {
  const { t } = useTranslation('bidding')
  const { change } = useEntries()
  const edit = (id: number, how: (rules: DraftGroup) => DraftGroup) =>
    change((entries) => entries.flatMap((one) => (one.id === id ? changeEntry([one], id, { rules: how(one.rules) }) : [one])))
  const focusAt = (id: number, path: TreePath, ...controls: readonly string[]) =>
    focusNext(...[...controls, 'field', 'condition'].map((control) => focusName(id, path, control)))
  const beside = (path: TreePath, by: -1 | 1): TreePath => [...path.slice(0, -1), (path.at(-1) ?? 0) + by]

  return {
    duplicate: ({ id, rules }: DraftEntry, path: TreePath) => {
      const node = nodeAt(rules, path)
      if (node === null) return
      edit(id, (now) => insertAt(now, beside(path, 1), node))
      focusAt(id, beside(path, 1))
    },
    move: ({ id, rules }: DraftEntry, path: TreePath, by: -1 | 1) => {
      if (nodeAt(rules, beside(path, by)) === null) return
      const control = document.activeElement?.getAttribute('data-focus')?.split(':').at(-1) ?? 'field'
      edit(id, (now) => moveAt(now, path, by))
      focusAt(id, beside(path, by), control)
    },
    remove: ({ id, rules }: DraftEntry, path: TreePath) => {
      const node = nodeAt(rules, path)
      if (node === null) return
      edit(id, (now) => removeAt(now, path))
      focusNext(focusName(id, path.slice(0, -1), 'addRule'))
      reportUndoable({
        text: t('ruleRemoved'),
        undo: async () => {
          edit(id, (now) => insertAt(now, path, node))
          focusAt(id, path)
        },
      })
    },
  }
}
