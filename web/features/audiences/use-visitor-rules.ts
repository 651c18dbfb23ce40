import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { VISITOR_FILTERS, isVisitorField, visitorFilterOf, type VisitorField } from '#domain/audience/visitor-rules'
import type { RuleGroup } from '#domain/campaign/content/content'
import { counts, isGroup, ruleFault, toGroup, type DraftGroup } from '@/components/rules/draft'
import type { RuleEditor, RuleVocabulary } from '@/components/rules/rule-editor'
import {
  addGroup,
  addRule,
  nodeAt,
  removeAt,
  setCondition,
  setField,
  setOperator,
  setValue,
  type TreePath,
} from '@/components/rules/tree'
import { ruleText } from '@/i18n/look-up'
import { useFocusNext } from '@/lib/use-focus-next'

const FIELDS = Object.keys(VISITOR_FILTERS).filter(isVisitorField)
const SECTIONS = ['events', 'value', 'time', 'context'] as const

function sectionOf(field: VisitorField): (typeof SECTIONS)[number] {
  if (/^events?_/.test(field)) return 'events'
  if (/^(conversions|value)_/.test(field)) return 'value'
  return field.startsWith('days_since_') ? 'time' : 'context'
}

/** The filters of dynamic audiences, with their names. */
export function useVisitorVocabulary(): RuleVocabulary & { readonly filterName: (field: string) => string } {
  const { t } = useTranslation('audiences')
  return {
    filterOf: visitorFilterOf,
    filterName: (field) => (isVisitorField(field) ? t(`filter.${field}`) : field),
    sections: SECTIONS.map((section) => ({
      label: t(`sections.${section}`),
      fields: FIELDS.filter((field) => sectionOf(field) === section),
    })),
    emptyRoot: t('form.emptyRoot'),
    emptyGroup: t('form.emptyGroup'),
  }
}

export const NO_RULES: DraftGroup = { condition: 'and', rules: [] }

/** The editor of a form's rules. `onChange` gets what makes the next rules of the newest ones. */
export function useVisitorRules(rules: DraftGroup, onChange: (next: (before: DraftGroup) => DraftGroup) => void) {
  const vocabulary = useVisitorVocabulary()
  const [checked, setChecked] = useState(false)
  const { container, focusNext } = useFocusNext<HTMLDivElement>()
  const nameOf = (path: TreePath, control: string) => `${path.join('.')}:${control}`
  const lengthOf = (path: TreePath) => {
    const node = nodeAt(rules, path)
    return node !== null && isGroup(node) ? node.rules.length : 0
  }
  const editor: RuleEditor = {
    readOnly: false,
    vocabulary,
    addRule: (path) => {
      onChange((before) => addRule(before, path))
      focusNext(nameOf([...path, lengthOf(path)], 'field'))
    },
    addGroup: (path) => {
      onChange((before) => addGroup(before, path))
      focusNext(nameOf([...path, lengthOf(path)], 'condition'))
    },
    remove: (path) => {
      onChange((before) => removeAt(before, path))
      focusNext(nameOf(path.slice(0, -1), 'addRule'))
    },
    setCondition: (path, condition) => onChange((before) => setCondition(before, path, condition)),
    setField: (path, field) => onChange((before) => setField(before, path, field, visitorFilterOf)),
    setOperator: (path, operator) => onChange((before) => setOperator(before, path, operator)),
    setValue: (path, value) => onChange((before) => setValue(before, path, value)),
    check: () => undefined,
    nameOf,
    errorAt: (path) => {
      const node = nodeAt(rules, path)
      if (!checked || node === null || isGroup(node)) return undefined
      const fault = ruleFault(node, visitorFilterOf)
      if (fault === null) return undefined
      return { at: fault.at, text: ruleText(fault.message) }
    },
  }
  return {
    rules,
    editor,
    container,
    group: groupOf(rules),
    isComplete: isComplete(rules),
    /** Shows faults from now on. */
    check: () => setChecked(true),
  }
}

/** The rules as they are saved. */
export const groupOf = (rules: DraftGroup): RuleGroup => toGroup(rules, visitorFilterOf)

export const isComplete = (rules: DraftGroup): boolean => isValid(rules) && rules.rules.some(counts)

const isValid = (group: DraftGroup): boolean =>
  group.rules.every((node) => (isGroup(node) ? isValid(node) : ruleFault(node, visitorFilterOf) === null))
