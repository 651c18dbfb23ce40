import { ArrowDown, ArrowUp, ChevronDown, ChevronRight, Copy, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { BidWarning } from '#domain/bidding/lint'
import { Button } from '@/components/ui/button'
import type { DraftEntry } from './draft.ts'
import type { Entries } from './entries.ts'
import { EntryName } from './entry-name.tsx'
import { EntryWarnings } from './entry-warnings.tsx'
import { MultiplierInput } from './multiplier-input.tsx'
import { RuleGroup } from '@/components/rules/rule-group'
import type { TreePath } from '@/components/rules/tree'
import { summaryOf } from './summary.ts'
import { useRuleEditor } from './use-rule-editor.ts'
import { useWords } from './use-words.ts'

type EntryCardProps = {
  readonly entry: DraftEntry
  readonly index: number
  readonly entries: Entries
  readonly warnings: readonly BidWarning[]
  /** Entries with faults are always open, so that the faults are visible. */
  readonly open: boolean
  readonly onToggle: () => void
  readonly onRename: (name: string) => void
  readonly onMultiplier: (multiplier: string) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
  readonly onRemoveRule: (path: TreePath) => void
  readonly focusNext: (...names: readonly string[]) => void
}

export function EntryCard({ entry, index, entries, warnings, open, focusNext, ...on }: EntryCardProps) {
  const { t } = useTranslation('bidding')
  const bodyId = useId()
  const words = useWords()
  const editor = useRuleEditor({ entry, index, focusNext, onRemove: on.onRemoveRule })
  const { readOnly } = editor
  const { id, name } = entry
  return (
    <li data-entry={id} aria-label={t('entry', { number: index + 1, name })} className="border-border bg-card rounded-lg border">
      <div className="flex items-center gap-2 px-3 pt-2">
        <Button
          variant="ghost"
          size="icon"
          data-focus={`${id}:toggle`}
          aria-expanded={open}
          aria-controls={bodyId}
          aria-label={t(open ? 'collapse' : 'expand', { name })}
          onClick={on.onToggle}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        </Button>
        <span aria-hidden className="text-muted-foreground text-[0.8125rem]/4.5 w-5 shrink-0 text-right tabular-nums">
          {index + 1}.
        </span>
        <div className="min-w-0 grow">
          <EntryName id={id} name={name} readOnly={readOnly} onRename={on.onRename} focusNext={focusNext} />
        </div>
        <MultiplierInput
          focusName={`${id}:multiplier`}
          name={name}
          value={entry.multiplier}
          readOnly={readOnly}
          onChange={on.onMultiplier}
        />
        {!readOnly && (
          <div className="flex shrink-0">
            <Button
              variant="ghost"
              size="icon"
              data-focus={`${id}:up`}
              aria-label={t('moveUp', { name })}
              disabled={index === 0}
              onClick={() => on.onMove(-1)}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              data-focus={`${id}:down`}
              aria-label={t('moveDown', { name })}
              disabled={index === entries.length - 1}
              onClick={() => on.onMove(1)}
            >
              <ArrowDown aria-hidden />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              data-focus={`${id}:duplicate`}
              aria-label={t('duplicate', { name })}
              onClick={on.onDuplicate}
            >
              <Copy aria-hidden />
            </Button>
            <Button variant="ghost" size="icon" aria-label={t('remove', { name })} onClick={on.onRemove}>
              <Trash2 aria-hidden />
            </Button>
          </div>
        )}
      </div>
      <p className="text-muted-foreground text-[0.8125rem]/4.5 pt-0.5 pr-5 pb-3 pl-20 wrap-anywhere">{summaryOf(entry, words)}</p>
      <EntryWarnings warnings={warnings} entries={entries} />
      <div id={bodyId} hidden={!open} className="border-border border-t px-5 py-4">
        {open && <RuleGroup group={entry.rules} path={[]} name="1" editor={editor} />}
      </div>
    </li>
  )
}
