import { ListTree, Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { NativeSelect } from '@/components/ui/native-select'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/utils'
import { isGroup, type DraftGroup } from './draft.ts'
import type { RuleEditor } from './rule-editor.ts'
import { RuleRow } from './rule-row.tsx'
import type { TreePath } from './tree.ts'

type RuleGroupProps = {
  readonly group: DraftGroup
  readonly path: TreePath
  /** 1, 1.2, 1.2.1: nested group numbers. */
  readonly name: string
  readonly editor: RuleEditor
}

const GROUPS_WITHIN_GROUPS = 10

export function RuleGroup({ group, path, name, editor }: RuleGroupProps) {
  const { t } = useTranslation('bidding')
  const nested = path.length > 0
  const { rules } = group
  const numberOf = (index: number) => rules.slice(0, index + 1).filter((node) => !isGroup(node)).length
  const groupOf = (index: number) => rules.slice(0, index + 1).filter(isGroup).length
  const count = numberOf(rules.length)
  return (
    <fieldset
      data-rule={nested ? path.join('.') : undefined}
      className={cn('flex min-w-0 flex-col gap-2', nested && 'border-input/50 border-l-2 py-1 pl-3')}
    >
      <legend className="sr-only">{t('group', { group: name })}</legend>
      <div className="flex items-center gap-2">
        <span aria-hidden className="text-muted-foreground text-xs mr-1 shrink-0 whitespace-nowrap tabular-nums">
          {t('group', { group: name })}
        </span>
        <NativeSelect
          data-focus={editor.nameOf(path, 'condition')}
          aria-label={t('condition', { group: name })}
          disabled={editor.readOnly}
          className="text-[0.8125rem]/4.5 h-8"
          value={group.condition}
          onChange={(event) => editor.setCondition(path, event.target.value === 'or' ? 'or' : 'and')}
        >
          <option value="and">{t('all')}</option>
          <option value="or">{t('any')}</option>
        </NativeSelect>
        {nested && !editor.readOnly && (
          <Button
            variant="ghost"
            size="icon"
            className="ml-auto"
            data-focus={editor.nameOf(path, 'remove')}
            aria-label={t('removeGroup', { group: name })}
            onClick={() => editor.remove(path)}
          >
            <Trash2 aria-hidden />
          </Button>
        )}
      </div>
      {rules.length === 0 && (
        <p className="text-muted-foreground text-[0.8125rem]/4.5">
          {!nested ? editor.vocabulary.emptyRoot : group.added === true ? t('emptyAdded') : editor.vocabulary.emptyGroup}
        </p>
      )}
      {rules.map((node, index) =>
        isGroup(node) ? (
          <RuleGroup key={index} group={node} path={[...path, index]} name={`${name}.${groupOf(index)}`} editor={editor} />
        ) : (
          <RuleRow
            key={index}
            rule={node}
            path={[...path, index]}
            number={numberOf(index)}
            count={count}
            group={name}
            editor={editor}
          />
        ),
      )}
      {!editor.readOnly && (
        <div className="-ml-2.5 flex gap-1">
          <Button
            variant="ghost"
            size="sm"
            data-focus={editor.nameOf(path, 'addRule')}
            aria-label={t('addRuleTo', { group: name })}
            onClick={() => editor.addRule(path)}
          >
            <Plus aria-hidden />
            {t('addRule')}
          </Button>
          {path.length + 1 < GROUPS_WITHIN_GROUPS && (
            <Button
              variant="ghost"
              size="sm"
              data-focus={editor.nameOf(path, 'addGroup')}
              aria-label={t('addGroupTo', { group: name })}
              onClick={() => editor.addGroup(path)}
            >
              <ListTree aria-hidden />
              {t('addGroup')}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}
