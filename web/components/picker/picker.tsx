import { Command as CommandPrimitive } from 'cmdk'
import { Check, LoaderCircle, Search } from 'lucide-react'
import { useId, useMemo, useRef, useState, type ComponentProps, type KeyboardEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '@/i18n/format'
import { cn } from '@/lib/utils'
import { Command, CommandItem, CommandList } from '../ui/command.tsx'
import { Input } from '../ui/input.tsx'
import { Popover, PopoverAnchor, PopoverContent } from '../ui/popover.tsx'
import { bestMatches } from './best-matches.ts'
import '@/i18n/texts/controls'

export type PickOption = {
  readonly id: string
  readonly label: string
  /** Shown at the end of the line, for example a figure. */
  readonly note?: string
  /** Another text that finds the option by its beginning. */
  readonly keyword?: string
  /** Label of the parent option: indents the option under it, and is shown beside the option in search results. */
  readonly parent?: string | undefined
}

export type PickerProps = {
  readonly label: string
  readonly options: readonly PickOption[]
  readonly chosen: ReadonlySet<string>
  readonly onPick: (id: string) => void
  /** Shown instead of the list when nothing matches. */
  readonly nothing: string
  /**
   * Label of the chosen option, for a single choice: the closed box shows it, and choosing closes the list. Without it, any number
   * of options can be chosen.
   */
  readonly chosenLabel?: string
  /** The typed text, where the caller filters the options. Without it, the picker filters them. */
  readonly query?: string
  readonly onQuery?: (query: string) => void
  readonly busy?: boolean
  readonly disabled?: boolean
  /** Further properties of the search box, such as the ids that tie it to a visible label and an error. */
  readonly control?: ComponentProps<'input'>
  readonly ref?: Ref<HTMLInputElement>
}

/** Maximum number of options drawn, which keeps typing fast in lists of thousands. */
export const DRAWN = 150

/** A search box with a list: arrows move, Enter selects or deselects, Escape closes the list. The focus stays in the box. */
export function Picker(props: PickerProps) {
  const {
    label,
    options,
    chosen,
    onPick,
    nothing,
    chosenLabel,
    query,
    onQuery,
    busy = false,
    disabled = false,
    control,
    ref,
  } = props
  const { t } = useTranslation('controls')
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState('')
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const single = chosenLabel !== undefined
  const text = query ?? typed
  const searched = text.trim() !== ''
  const found = useMemo(() => (query === undefined ? bestMatches(options, typed) : options), [options, query, typed])
  const drawn = found.slice(0, DRAWN)
  const more = found.length - drawn.length
  const place = Math.max(
    0,
    drawn.findIndex((option) => option.id === active),
  )
  // The ids of the library lag behind its selection.
  const optionId = (index: number) => `${id}-${index}`
  const moreText = more > 0 ? t('picker.more', { number: formatCount(more) }) : ''

  const search = (next: string) => {
    setTyped(next)
    setActive('')
    onQuery?.(next)
  }
  const show = (next: boolean) => {
    setOpen(next)
    if (!next && single && text !== '') search('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // These keys move within the typed text, not in the list.
    if (event.key === 'Home' || event.key === 'End') event.stopPropagation()
    if (open) return
    const types = event.key.length === 1 || event.key === 'Backspace'
    // Typing begins a search instead of changing the label of the chosen option.
    if (single && types && !event.ctrlKey && !event.metaKey) show(true)
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setActive((event.key === 'ArrowUp' ? drawn.at(-1)?.id : undefined) ?? '')
    show(true)
  }
  const pick = (id: string) => {
    onPick(id)
    if (single) show(false)
  }
  return (
    <Popover open={open} onOpenChange={show}>
      <Command
        label={label}
        shouldFilter={false}
        vimBindings={false}
        value={drawn[place]?.id ?? ''}
        onValueChange={setActive}
        className="h-auto min-w-0 overflow-visible bg-transparent"
      >
        <PopoverAnchor asChild>
          <div ref={box} className="relative">
            <Search aria-hidden className="text-muted-foreground pointer-events-none absolute top-2.5 left-3 size-4" />
            <CommandPrimitive.Input
              asChild
              ref={ref}
              disabled={disabled}
              placeholder={chosenLabel || label}
              value={single && !open ? chosenLabel : text}
              onValueChange={(next) => {
                search(next)
                show(true)
              }}
              onClick={() => show(true)}
              onKeyDown={onKeyDown}
            >
              <Input
                aria-expanded={open}
                aria-activedescendant={open && drawn.length > 0 ? optionId(place) : undefined}
                className="truncate px-9"
                {...control}
                {...(open ? {} : { 'aria-controls': undefined })}
              />
            </CommandPrimitive.Input>
            {busy && <LoaderCircle aria-hidden className="text-muted-foreground absolute top-2.5 right-3 size-4 animate-spin" />}
          </div>
        </PopoverAnchor>
        <PopoverContent
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the library draws the element
          role="region"
          aria-label={label}
          align="start"
          sideOffset={4}
          // Taller than the space left below at the edge of the window, so that the list opens above the box there.
          className="max-h-none w-(--radix-popover-trigger-width) p-1"
          // The box keeps the focus while the list opens, closes, and is clicked or scrolled.
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            document.getElementById(optionId(place))?.scrollIntoView({ block: 'nearest' })
          }}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          // A dialog around the picker blocks scrolling outside itself, and the list is outside it.
          onWheel={(event) => event.stopPropagation()}
          onTouchMove={(event) => event.stopPropagation()}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && box.current?.contains(event.target)) event.preventDefault()
          }}
        >
          <CommandList
            label={label}
            aria-multiselectable={!single}
            className="max-h-[max(9rem,min(18rem,calc(var(--radix-popover-content-available-height,100vh)-4rem)))]"
          >
            {drawn.map(({ id, label: name, note, parent }, index) => (
              <CommandItem
                key={id}
                asChild
                value={id}
                onSelect={() => pick(id)}
                className={cn(parent !== undefined && !searched && 'pl-6')}
              >
                <div id={optionId(index)} aria-checked={chosen.has(id)}>
                  <span className="grow">{name}</span>
                  <span className="text-muted-foreground text-xs shrink-0 tabular-nums empty:hidden">
                    {[searched ? parent : undefined, note].filter((part) => part !== undefined).join(' · ')}
                  </span>
                  <Check aria-hidden className={cn('text-primary-ink size-4', !chosen.has(id) && 'invisible')} />
                </div>
              </CommandItem>
            ))}
          </CommandList>
          {found.length === 0 && <p className="text-muted-foreground text-[0.8125rem]/4.5 px-2.5 py-2">{nothing}</p>}
          {more > 0 && <p className="text-muted-foreground text-xs border-t px-2.5 pt-2 pb-1">{moreText}</p>}
        </PopoverContent>
        <output className="sr-only">{open && !busy ? (found.length === 0 ? nothing : moreText) : ''}</output>
      </Command>
    </Popover>
  )
}
