import { useId, type Ref } from 'react'
import { cn } from '@/lib/utils'
import { Switch } from '../ui/switch.tsx'

type ToggleRowProps = {
  readonly label: string
  readonly help?: string
  /** Highlights an important help text. */
  readonly attention?: boolean
  readonly checked: boolean
  readonly disabled?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
  readonly onChange: (checked: boolean) => void
}

/** A switch with its label and help text beside it. */
export function ToggleRow(props: ToggleRowProps) {
  const { label, help, attention = false, checked, disabled = false, className, ref, onChange } = props
  const id = useId()
  return (
    <div className={cn('flex items-start justify-between gap-6', className)}>
      <div className="min-w-0">
        <label htmlFor={id} className="text-[0.8125rem]/4.5 font-medium">
          {label}
        </label>
        {help !== undefined && (
          <p id={`${id}-help`} className={cn('text-xs mt-0.5', attention ? 'text-warning' : 'text-muted-foreground')}>
            {help}
          </p>
        )}
      </div>
      {/* Around the hidden input that the switch has in a form, which would else lie at the start of the row. */}
      <span className="relative mt-0.5 flex shrink-0">
        <Switch
          id={id}
          ref={ref}
          checked={checked}
          disabled={disabled}
          aria-describedby={help === undefined ? undefined : `${id}-help`}
          onCheckedChange={onChange}
        />
      </span>
    </div>
  )
}
