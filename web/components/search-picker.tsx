/* eslint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- a list box whose keys are those of its box */
import { Check, LoaderCircle, Search } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { cn } from '../lib/cn.ts'

export type PickOption = {
  readonly id: string
  readonly label: string
  /** At the end of the line: a figure, or what it belongs to. */
  readonly note?: string
  /** Under the one before it. */
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
  /** Instead of a list, when nothing was found. */
  readonly nothing: string
  readonly busy?: boolean
  readonly disabled?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A search box over a list: arrows move, Enter picks or takes back, Escape closes; the focus stays in the box. */
export function SearchPicker(props: SearchPickerProps) {
  const { label, placeholder, query, onQuery, options, chosen, onPick, nothing, busy = false, disabled = false, ref } = props
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const active = open ? options[at] : undefined

  const move = (to: number) => {
    const next = Math.max(0, Math.min(options.length - 1, to))
    setOpen(true)
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(open ? at + 1 : 0),
      ArrowUp: () => move(open ? at - 1 : options.length - 1),
      Enter: () => active && onPick(active.id),
      Escape: () => setOpen(false),
    }
    const made = moves[event.key]
    if (made === undefined || (event.key === 'Escape' && !open)) return
    // Enter would send the form off, Escape would close what is around.
    event.preventDefault()
    event.stopPropagation()
    made()
  }
  return (
    <div className="relative min-w-0 grow" onBlur={() => setOpen(false)}>
      <Search aria-hidden className="text-ink-soft pointer-events-none absolute top-2.5 left-3 size-4" />
      <input
        ref={ref}
        type="text"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-activedescendant={active === undefined ? undefined : `${id}-${at}`}
        autoComplete="off"
        placeholder={placeholder}
        disabled={disabled}
        value={query}
        onChange={(event) => {
          onQuery(event.target.value)
          setOpen(true)
          setAt(0)
          list.current?.scrollTo({ top: 0 })
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        className="control px-9"
      />
      {busy && <LoaderCircle aria-hidden className="text-ink-soft absolute top-2.5 right-3 size-4 animate-spin" />}
      <div
        className={cn('bg-raised shadow-float absolute inset-x-0 top-full z-40 mt-1 rounded-[10px] p-1', !open && 'hidden')}
        // The box keeps the focus while its list is clicked or scrolled.
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        <ul
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label={label}
          aria-multiselectable
          className="max-h-72 overflow-y-auto"
        >
          {options.map((option, index) => (
            <li
              key={option.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={chosen.has(option.id)}
              onClick={() => onPick(option.id)}
              onPointerMove={() => setAt(index)}
              className={cn(
                'rounded-control text-table flex min-h-8 cursor-pointer items-center gap-2 px-2.5 py-1',
                option.nested === true && 'pl-6',
                index === at && 'bg-sunken dark:bg-hairline',
              )}
            >
              <span className="grow">{option.label}</span>
              {option.note !== undefined && <span className="text-ink-soft text-meta shrink-0 tabular-nums">{option.note}</span>}
              <Check aria-hidden className={cn('text-accent-ink size-4 shrink-0', !chosen.has(option.id) && 'invisible')} />
            </li>
          ))}
        </ul>
        {options.length === 0 && <p className="text-ink-soft text-table px-2.5 py-2">{nothing}</p>}
      </div>
      <output className="sr-only">{open && options.length === 0 && !busy ? nothing : ''}</output>
    </div>
  )
}
