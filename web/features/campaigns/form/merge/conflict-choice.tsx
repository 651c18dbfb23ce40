import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { cn } from '@/lib/utils'
import { pathLabel } from '@/features/campaigns/change-log/log-labels'
import { inOneLine } from '@/features/campaigns/change-log/said'
import { sayChange } from '@/features/campaigns/change-log/said-change'
import { SaidValue } from '@/features/campaigns/change-log/said-value'
import type { Names } from '@/features/campaigns/change-log/values'
import { fieldLabel } from '../field-label.ts'
import type { Line } from './said-merge.ts'
import type { FieldMerge, Side } from './three-way.ts'

type ConflictChoiceProps = {
  readonly merge: FieldMerge
  readonly lines: readonly Line[]
  readonly names: Names
  readonly picked: Side | null
  readonly onPick: (side: Side) => void
}

/** A field that both users changed: the previous value, and a choice between the two new ones. */
export function ConflictChoice({ merge, lines, names, picked, onPick }: ConflictChoiceProps) {
  const { t } = useTranslation(['form', 'log'])
  const id = useId()
  const label = fieldLabel(merge.field)
  const was = lines.map(({ mine }) => inOneLine(sayChange(mine, names).before) || t('log:nothing')).join('; ')
  return (
    <fieldset
      aria-describedby={`${id}-was`}
      data-testid={`merge-${merge.field}`}
      className="border-border rounded-lg border px-4 pb-4"
    >
      <legend className="text-[0.8125rem]/4.5 -ml-1 px-1 font-medium">{label}</legend>
      <p id={`${id}-was`} className="text-muted-foreground text-xs pt-1 pb-3 break-words">
        {t('form:merge.was', { value: was })}
      </p>
      <div className="grid grid-cols-2 gap-3">
        {(['mine', 'theirs'] as const).map((side) => (
          <label
            key={side}
            className={cn(
              'border-input rounded-md has-focus-visible:outline-primary-ink text-[0.8125rem]/4.5 relative flex min-w-0 cursor-pointer gap-2.5 border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
              picked === side ? 'border-primary-ink bg-primary-tint' : 'hover:bg-muted',
            )}
          >
            <input
              type="radio"
              name={id}
              checked={picked === side}
              onChange={() => onPick(side)}
              className="accent-primary mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0 grow">
              <span className="text-muted-foreground text-xs block">{t(`form:merge.${side}`)}</span>
              {lines.map((line) => (
                <span key={line.path} className="block">
                  {lines.length > 1 && <span className="text-muted-foreground text-xs block pt-1">{pathLabel(line.path)}</span>}
                  <SaidValue said={sayChange(line[side], names)} side="after" quiet />
                </span>
              ))}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
