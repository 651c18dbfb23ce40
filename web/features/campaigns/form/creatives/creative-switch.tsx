import type { ReactNode } from 'react'
import { useId } from 'react'
import { useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Switch } from '@/components/ui/switch'
import { cn } from '@/lib/utils'
import { useCampaignForm, useFormBase, useFormValue } from '../campaign-form-context.ts'
import { isSame } from './wire-values.ts'

type ToggleProps = {
  readonly checked: boolean
  readonly disabled: boolean
  readonly label: string
  readonly help: string
  /** Whether the help says something that should not be missed. */
  readonly attention?: boolean
  readonly onChange: (checked: boolean) => void
}

/** A switch with its label and what it means beside it. */
export function Toggle({ checked, disabled, label, help, attention = false, onChange }: ToggleProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-3">
      <Switch id={id} checked={checked} disabled={disabled} onCheckedChange={onChange} aria-describedby={`${id}-help`} />
      <div className="min-w-0">
        <label htmlFor={id} className="text-[0.8125rem]/4.5 font-medium">
          {label}
        </label>
        <p id={`${id}-help`} className={cn('text-xs', attention ? 'text-warning' : 'text-muted-foreground')}>
          {help}
        </p>
      </div>
    </div>
  )
}

type CreativeHeadProps = {
  readonly slice: 'responsive' | 'native' | 'video'
  /** What the tab holds while nothing was entered. */
  readonly untouched: object
  readonly title: string
  readonly lead: string
  readonly decision: ReactNode
}

/** The head of a tab: what these ads are, what was decided about them, and whether they are shown at all. */
export function CreativeHead({ slice, untouched, title, lead, decision }: CreativeHeadProps) {
  const { t } = useTranslation('creatives')
  const { control } = useCampaignForm()
  const { readOnly } = useFormBase()
  const { field } = useController({ control, name: `${slice}.enabled` })
  const entered = useFormValue(slice)
  // Easily forgotten by those who have just filled everything in.
  const forgotten = !readOnly && !field.value && !isSame(entered, untouched)
  return (
    <section className="border-border bg-card rounded-lg flex flex-col gap-3 border px-6 py-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <div>
          <h2 className="text-[15px] leading-5 font-semibold">{title}</h2>
          <p className="text-muted-foreground text-[0.8125rem]/4.5 mt-0.5">{lead}</p>
        </div>
        {decision}
      </header>
      <Toggle
        checked={field.value}
        disabled={readOnly}
        label={t('toggle')}
        help={forgotten ? t('toggleForgotten') : t('toggleOff')}
        attention={forgotten}
        onChange={(checked) => field.onChange(checked)}
      />
    </section>
  )
}
