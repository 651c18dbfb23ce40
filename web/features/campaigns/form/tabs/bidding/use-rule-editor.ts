import { get, useFormState } from 'react-hook-form'
import { useCampaignForm, useErrorText, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import type { DraftGroup } from '@/components/rules/draft'
import type { DraftEntry } from './draft.ts'
import { useBiddingVocabulary } from './bidding-filters.ts'
import { changeEntry } from './entries.ts'
import type { RuleEditor, RuleError } from '@/components/rules/rule-editor'
import { addGroup, addRule, nodeAt, setCondition, setField, setOperator, setValue, type TreePath } from '@/components/rules/tree'
import { isGroup } from '@/components/rules/draft'
import { useEntries } from './use-entries.ts'

/** The name by which a control of an entry's rules can receive the focus. */
export const focusName = (entryId: number, path: TreePath, control: string): string => `${entryId}:${path.join('.')}:${control}`

type EditorInput = {
  readonly entry: DraftEntry
  readonly index: number
  readonly focusNext: (...names: readonly string[]) => void
  readonly onRemove: (path: TreePath) => void
}

/** Returns the rule editor of one entry. Every change creates a new entry object and focuses the next control. */
export function useRuleEditor({ entry, index, focusNext, onRemove }: EditorInput): RuleEditor {
  const { change, check } = useEntries()
  const { readOnly } = useFormBase()
  const { control } = useCampaignForm()
  const { errors } = useFormState({ control, name: 'bidding' })
  const errorText = useErrorText()
  const vocabulary = useBiddingVocabulary()

  const edit = (how: (rules: DraftGroup) => DraftGroup) =>
    change((entries) =>
      entries.flatMap((one) => (one.id === entry.id ? changeEntry([one], one.id, { rules: how(one.rules) }) : [one])),
    )
  const nameOf = (path: TreePath, control: string) => focusName(entry.id, path, control)
  const lengthOf = (path: TreePath) => {
    const node = nodeAt(entry.rules, path)
    return node !== null && isGroup(node) ? node.rules.length : 0
  }
  return {
    readOnly,
    vocabulary,
    addRule: (path) => {
      edit((rules) => addRule(rules, path))
      focusNext(nameOf([...path, lengthOf(path)], 'field'))
    },
    addGroup: (path) => {
      edit((rules) => addGroup(rules, path))
      focusNext(nameOf([...path, lengthOf(path)], 'condition'))
    },
    remove: onRemove,
    setCondition: (path, condition) => edit((rules) => setCondition(rules, path, condition)),
    setField: (path, field) => edit((rules) => setField(rules, path, field, vocabulary.filterOf)),
    setOperator: (path, operator) => edit((rules) => setOperator(rules, path, operator)),
    setValue: (path, value) => edit((rules) => setValue(rules, path, value)),
    check,
    nameOf,
    errorAt: (path) => {
      const found: unknown = get(errors, `bidding.entries.${index}.rules${path.map((place) => `.rules.${place}`).join('')}`)
      return ruleError(found, errorText)
    },
  }
}

function ruleError(found: unknown, textOf: (type: string, message: string) => string): RuleError | undefined {
  if (typeof found !== 'object' || found === null) return undefined
  for (const at of ['field', 'operator', 'value'] as const) {
    const error: unknown = get(found, at)
    if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
      return { at, text: textOf('type' in error ? String(error.type) : '', error.message) }
  }
  return undefined
}
