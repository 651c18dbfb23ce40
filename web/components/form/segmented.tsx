import { useId, type Ref } from 'react'
import { cn } from '@/lib/utils'

export type Segment<Value> = { readonly value: Value; readonly label: string }

type SegmentedProps<Value> = {
  readonly label: string
  /** Hides the label visually. */
  readonly quiet?: boolean
  readonly help?: string
  readonly segments: readonly Segment<Value>[]
  readonly value: Value
  readonly disabled?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLInputElement>
  readonly onChange: (value: Value) => void
}

/** Segments for a table of codes and their names, in the order of the codes. */
export const segmentsOf = <Name extends string>(
  names: Readonly<Record<number, Name>>,
  label: (name: Name) => string,
): readonly Segment<number>[] => Object.entries(names).map(([code, name]) => ({ value: Number(code), label: label(name) }))

/** A single choice from a few options: native radio buttons in one row. */
export function Segmented<Value extends string | number>(props: SegmentedProps<Value>) {
  const { label, quiet = false, help, segments, value, disabled = false, className, ref, onChange } = props
  const id = useId()
  const known = segments.some((segment) => segment.value === value)
  return (
    <fieldset
      disabled={disabled}
      className={cn('flex min-w-0 flex-col gap-1.5', className)}
      aria-describedby={help ? `${id}-help` : undefined}
    >
      <legend className={cn('text-[0.8125rem]/4.5 mb-1.5 font-medium', quiet && 'sr-only')}>{label}</legend>
      <div className="border-input rounded-md bg-card flex w-fit max-w-full overflow-hidden border">
        {segments.map((segment, index) => (
          <label
            key={segment.value}
            className={cn(
              'border-border text-[0.8125rem]/4.5 has-focus-visible:outline-primary-ink relative flex min-h-8.5 items-center px-3 py-1 text-center select-none not-first:border-l has-focus-visible:outline-2 has-focus-visible:-outline-offset-2',
              disabled ? 'text-muted-foreground' : 'hover:bg-muted cursor-pointer',
              segment.value === value && 'bg-primary-tint text-primary-ink hover:bg-primary-tint font-medium',
            )}
          >
            <input
              type="radio"
              name={id}
              // The selected option receives the focus when an error links here.
              {...(ref !== undefined && (segment.value === value || (!known && index === 0)) ? { ref } : {})}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
              className="absolute inset-0 cursor-[inherit] opacity-0"
            />
            {segment.label}
          </label>
        ))}
      </div>
      {help !== undefined && (
        <p id={`${id}-help`} className="text-muted-foreground text-xs">
          {help}
        </p>
      )}
    </fieldset>
  )
}
