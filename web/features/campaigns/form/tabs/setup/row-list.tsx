import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/ui/button'
import { useFieldError, useFormBase } from '@/features/campaigns/form/campaign-form-context'
import type { CampaignField } from '@/features/campaigns/form/form-schema'

type RowListProps = {
  readonly name: CampaignField
  readonly title: string
  readonly help: string
  readonly add: string
  readonly most: number
  /** One key per row. */
  readonly rows: readonly string[]
  readonly children: (index: number) => ReactNode
  readonly onAdd: () => void
  readonly onRemove: (index: number) => void
}

/** A list of rows that can be added and removed, up to a maximum. */
export function RowList({ name, title, help, add, most, rows, children, onAdd, onRemove }: RowListProps) {
  const { t } = useTranslation('form')
  const { readOnly } = useFormBase()
  const error = useFieldError(name)
  return (
    <fieldset className="col-span-2 flex min-w-0 flex-col gap-2">
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{title}</legend>
      <p className="text-muted-foreground text-xs">{help}</p>
      {rows.map((key, index) => (
        <div key={key} className="flex items-end gap-2">
          {children(index)}
          {!readOnly && (
            <Button
              variant="ghost"
              size="icon"
              className="mb-0.5"
              aria-label={t('setup.removeRow', { title, number: index + 1 })}
              onClick={() => onRemove(index)}
            >
              <Trash2 aria-hidden />
            </Button>
          )}
        </div>
      ))}
      {error !== undefined && <p className="text-destructive text-xs">{error}</p>}
      {!readOnly && (
        <Button variant="outline" size="sm" className="self-start" disabled={rows.length >= most} onClick={onAdd}>
          <Plus aria-hidden />
          {add}
        </Button>
      )}
    </fieldset>
  )
}
