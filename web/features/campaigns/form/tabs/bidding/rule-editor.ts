import type { DraftRule } from './draft.ts'
import type { TreePath } from './tree.ts'

export type RuleError = { readonly at: 'field' | 'operator' | 'value'; readonly text: string }

/** What the rule builder can do with one entry. Paths lead from its outermost group. */
export type RuleEditor = {
  readonly readOnly: boolean
  readonly addRule: (path: TreePath) => void
  readonly addGroup: (path: TreePath) => void
  readonly remove: (path: TreePath) => void
  readonly setCondition: (path: TreePath, condition: 'and' | 'or') => void
  readonly setField: (path: TreePath, field: string) => void
  readonly setOperator: (path: TreePath, operator: string) => void
  readonly setValue: (path: TreePath, value: DraftRule['value']) => void
  /** A value was left: now it may be called wrong. */
  readonly check: () => void
  readonly errorAt: (path: TreePath) => RuleError | undefined
  /** The name by which a control is found when the focus is to go there. */
  readonly nameOf: (path: TreePath, control: string) => string
}
