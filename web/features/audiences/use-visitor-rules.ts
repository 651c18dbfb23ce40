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
import { lookUp } from '@/i18n/look-up'
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

const EMPTY: DraftGroup = { condition: 'and', rules: [] }

/** The rules of a form, and their editor. */
export function useVisitorRules(initial: RuleGroup | null) {
  const vocabulary = useVisitorVocabulary()
  const [rules, setRules] = useState<DraftGroup>(initial ?? EMPTY)
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
      setRules((before) => addRule(before, path))
      focusNext(nameOf([...path, lengthOf(path)], 'field'))
    },
    addGroup: (path) => {
      setRules((before) => addGroup(before, path))
      focusNext(nameOf([...path, lengthOf(path)], 'condition'))
    },
    remove: (path) => {
      setRules((before) => removeAt(before, path))
      focusNext(nameOf(path.slice(0, -1), 'addRule'))
    },
    setCondition: (path, condition) => setRules((before) => setCondition(before, path, condition)),
    setField: (path, field) => setRules((before) => setField(before, path, field, visitorFilterOf)),
    setOperator: (path, operator) => setRules((before) => setOperator(before, path, operator)),
    setValue: (path, value) => setRules((before) => setValue(before, path, value)),
    check: () => undefined,
    nameOf,
    errorAt: (path) => {
      const node = nodeAt(rules, path)
      if (!checked || node === null || isGroup(node)) return undefined
      const fault = ruleFault(node, visitorFilterOf)
      if (fault === null) return undefined
      const [key = '', params = ''] = fault.message.split('?')
      return { at: fault.at, text: lookUp(key, Object.fromEntries(new URLSearchParams(params))) ?? key }
    },
  }
  const group = toGroup(rules, visitorFilterOf)
  return {
    rules,
    editor,
    container,
    group,
    isChanged: JSON.stringify(group) !== JSON.stringify(initial ?? EMPTY),
    isComplete: isValid(rules) && rules.rules.some(counts),
    /** Shows faults from now on. */
    check: () => setChecked(true),
  }
}

const isValid = (group: DraftGroup): boolean =>
  group.rules.every((node) => (isGroup(node) ? isValid(node) : ruleFault(node, visitorFilterOf) === null))
