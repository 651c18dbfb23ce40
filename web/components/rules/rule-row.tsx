import { CircleAlert, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import { operatorOf, type Operator } from '#domain/bidding/filters'
import { Button } from '@/components/ui/button'
import { FilterSelect } from './filter-select.tsx'
import type { DraftRule } from './draft.ts'
import type { RuleEditor } from './rule-editor.ts'
import type { TreePath } from './tree.ts'
import { useOperatorName } from './operator-name.ts'
import { ValueControl } from './value-control.tsx'

type RuleRowProps = {
  readonly rule: DraftRule
  readonly path: TreePath
  readonly number: number
  readonly count: number
  readonly group: string
  readonly editor: RuleEditor
}

export function RuleRow({ rule, path, number, count, group, editor }: RuleRowProps) {
  const { t } = useTranslation('bidding')
  const operatorName = useOperatorName()
  const { filterOf } = editor.vocabulary
  const errorId = useId()
  const error = editor.errorAt(path)
  const operators: readonly Operator[] = filterOf(rule.field)?.operators ?? []
  const current = operators.find((known) => known === operatorOf(rule.operator))
  const described = error === undefined ? undefined : errorId
  return (
    <fieldset data-rule={path.join('.')} aria-label={t('rule', { number, count, group })} className="min-w-0">
      <div className="flex items-center gap-2">
        <FilterSelect
          vocabulary={editor.vocabulary}
          value={rule.field}
          disabled={editor.readOnly}
          focusName={editor.nameOf(path, 'field')}
          invalid={error?.at === 'field'}
          errorId={error?.at === 'field' ? described : undefined}
          onChange={(field) => editor.setField(path, field)}
        />
        <NativeSelect
          data-focus={editor.nameOf(path, 'operator')}
          aria-label={t('operatorLabel')}
          aria-invalid={error?.at === 'operator'}
          disabled={editor.readOnly || rule.field === ''}
          className="w-44"
          value={current ?? rule.operator}
          onChange={(event) => editor.setOperator(path, event.target.value)}
        >
          {current === undefined && <option value={rule.operator}>{rule.operator === '' ? t('unset') : rule.operator}</option>}
          {operators.map((operator) => (
            <option key={operator} value={operator}>
              {operatorName(operator)}
            </option>
          ))}
        </NativeSelect>
        <ValueControl
          filter={filterOf(rule.field)}
          rule={rule}
          disabled={editor.readOnly}
          focusName={editor.nameOf(path, 'value')}
          errorId={error?.at === 'value' ? described : undefined}
          className="min-w-24 flex-1"
          onChange={(value) => editor.setValue(path, value)}
          onLeave={editor.check}
        />
        {!editor.readOnly && (
          <Button
            variant="ghost"
            size="icon"
            data-focus={editor.nameOf(path, 'remove')}
            aria-label={t('removeRule', { number, group })}
            onClick={() => editor.remove(path)}
          >
            <Trash2 aria-hidden />
          </Button>
        )}
      </div>
      {error !== undefined && (
        <p id={errorId} className="text-destructive text-xs mt-1 flex gap-1.5">
          <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
          {error.text}
        </p>
      )}
    </fieldset>
  )
}
