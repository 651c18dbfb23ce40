import type { DraftRule, FilterOf } from './draft.ts'
import type { TreePath } from './tree.ts'

export type RuleError = { readonly at: 'field' | 'operator' | 'value'; readonly text: string }

/** The filters that rules may use, with their names in the user's language. */
export type RuleVocabulary = {
  readonly filterOf: FilterOf
  readonly filterName: (field: string) => string
  readonly sections: readonly { readonly label: string; readonly fields: readonly string[] }[]
  /** Meaning of a group without rules. */
  readonly emptyRoot: string
  readonly emptyGroup: string
}

/** Operations of the rule builder on one entry. Paths start at its root group. */
export type RuleEditor = {
  readonly readOnly: boolean
  readonly vocabulary: RuleVocabulary
  readonly addRule: (path: TreePath) => void
  readonly addGroup: (path: TreePath) => void
  readonly remove: (path: TreePath) => void
  readonly setCondition: (path: TreePath, condition: 'and' | 'or') => void
  readonly setField: (path: TreePath, field: string) => void
  readonly setOperator: (path: TreePath, operator: string) => void
  readonly setValue: (path: TreePath, value: DraftRule['value']) => void
  /** Validates after a value has lost the focus. */
  readonly check: () => void
  readonly errorAt: (path: TreePath) => RuleError | undefined
  /** Returns the name by which a control can receive the focus. */
  readonly nameOf: (path: TreePath, control: string) => string
}
