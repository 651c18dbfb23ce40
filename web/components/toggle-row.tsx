import { Switch } from 'radix-ui'
import { useId, type Ref } from 'react'
import { cn } from '../lib/cn.ts'

type ToggleRowProps = {
  readonly label: string
  readonly help?: string
  readonly checked: boolean
  readonly disabled?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
  readonly onChange: (checked: boolean) => void
}

/** Something that is on or off, with what it means under its name. */
export function ToggleRow({ label, help, checked, disabled = false, className, ref, onChange }: ToggleRowProps) {
  const id = useId()
  return (
    <div className={cn('flex items-start justify-between gap-6', className)}>
      <div className="min-w-0">
        <label htmlFor={id} className="text-table font-medium">
          {label}
        </label>
        {help !== undefined && (
          <p id={`${id}-help`} className="text-ink-soft text-meta mt-0.5">
            {help}
          </p>
        )}
      </div>
      <Switch.Root
        id={id}
        ref={ref}
        checked={checked}
        disabled={disabled}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onCheckedChange={onChange}
        className="bg-edge data-[state=checked]:bg-accent mt-0.5 h-6 w-10 shrink-0 rounded-full p-0.5 transition-colors disabled:opacity-55"
      >
        <Switch.Thumb className="block size-5 rounded-full bg-white shadow-xs transition-transform data-[state=checked]:translate-x-4" />
      </Switch.Root>
    </div>
  )
}
