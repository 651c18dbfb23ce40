import { useId, type Ref } from 'react'
import { cn } from '@/lib/utils'

type CheckGroupProps = {
  readonly label: string
  readonly help?: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: readonly string[]
  readonly disabled?: boolean
  /** Aligned in columns, for long lists. */
  readonly columns?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: string[]) => void
}

/** Multiple choice from a few options. Stored values that are no longer offered stay and can be removed. */
export function CheckGroup({
  label,
  help,
  options,
  value,
  disabled = false,
  columns = false,
  className,
  ref,
  onChange,
}: CheckGroupProps) {
  const id = useId()
  const strange = value.filter((entry) => !options.some((option) => option.value === entry))
  const all = [...options, ...strange.map((entry) => ({ value: entry, label: entry }))]
  const toggle = (entry: string) => onChange(value.includes(entry) ? value.filter((known) => known !== entry) : [...value, entry])
  return (
    <fieldset
      disabled={disabled}
      className={cn('flex min-w-0 flex-col', className)}
      aria-describedby={help ? `${id}-help` : undefined}
    >
      <legend className="text-[0.8125rem]/4.5 mb-1 font-medium">{label}</legend>
      <div
        className={cn('gap-x-5 gap-y-0.5', columns ? 'grid grid-cols-[repeat(auto-fill,minmax(16rem,1fr))]' : 'flex flex-wrap')}
      >
        {all.map((option, index) => (
          <label
            key={option.value}
            className={cn('flex min-h-7 items-center gap-2', disabled ? 'text-muted-foreground' : 'cursor-pointer')}
          >
            <input
              type="checkbox"
              ref={index === 0 ? ref : undefined}
              checked={value.includes(option.value)}
              onChange={() => toggle(option.value)}
              className="accent-primary size-4 shrink-0"
            />
            {option.label}
          </label>
        ))}
      </div>
      {help !== undefined && (
        <p id={`${id}-help`} className="text-muted-foreground text-xs mt-0.5">
          {help}
        </p>
      )}
    </fieldset>
  )
}
