import { Check, LoaderCircle, Search } from 'lucide-react'
import type { Ref } from 'react'
import { cn } from '@/lib/utils'
import { useCombobox } from '@/lib/use-combobox'

export type PickOption = {
  readonly id: string
  readonly label: string
  /** Shown at the end of the line: a figure, or the parent's name. */
  readonly note?: string
  /** Indented under the item before it. */
  readonly nested?: boolean
}

type SearchPickerProps = {
  readonly label: string
  readonly placeholder: string
  readonly query: string
  readonly onQuery: (query: string) => void
  readonly options: readonly PickOption[]
  readonly chosen: ReadonlySet<string>
  readonly onPick: (id: string) => void
  /** Shown instead of the list when nothing matches. */
  readonly nothing: string
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A search box with a list: arrows move, Enter selects or deselects, Escape closes. */
export function SearchPicker(props: SearchPickerProps) {
  const { label, placeholder, query, onQuery, options, chosen, onPick, nothing, busy = false, disabled = false, ref } = props
  const ids = options.map((option) => option.id)
  const { side, at, rootProps, boxProps, popupProps, listProps, optionProps } = useCombobox({
    label,
    ids,
    chosen,
    onQuery,
    onPick,
  })
  return (
    <div className="relative min-w-0 grow" {...rootProps}>
      <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
      <input
        ref={ref}
        type="text"
        placeholder={placeholder}
        disabled={disabled}
        value={query}
        {...boxProps}
        className="control truncate px-9"
      />
      {busy && <LoaderCircle aria-hidden className="text-muted-foreground absolute top-2.5 right-3 size-4 animate-spin" />}
      <div
        hidden={side === null}
        className={cn(
          'bg-popover shadow-lg absolute inset-x-0 z-40 rounded-[10px] p-1',
          side === 'above' ? 'bottom-full mb-1' : 'top-full mt-1',
        )}
        {...popupProps}
      >
        <ul {...listProps} className="max-h-72 overflow-y-auto">
          {options.map((option, index) => (
            <li
              key={option.id}
              {...optionProps(index)}
              className={cn(
                'rounded-md text-[0.8125rem]/4.5 flex min-h-8 cursor-pointer items-center gap-2 px-2.5 py-1',
                option.nested === true && 'pl-6',
                index === at && 'bg-accent',
              )}
            >
              <span className="grow">{option.label}</span>
              {option.note !== undefined && (
                <span className="text-muted-foreground text-xs shrink-0 tabular-nums">{option.note}</span>
              )}
              <Check aria-hidden className={cn('text-primary-ink size-4 shrink-0', !chosen.has(option.id) && 'invisible')} />
            </li>
          ))}
        </ul>
        {options.length === 0 && <p className="text-muted-foreground text-[0.8125rem]/4.5 px-2.5 py-2">{nothing}</p>}
      </div>
      <output className="sr-only">{side !== null && options.length === 0 && !busy ? nothing : ''}</output>
    </div>
  )
}
