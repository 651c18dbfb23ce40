import { useId, useRef, useState, type ChangeEvent, type KeyboardEvent, type MouseEvent, type SyntheticEvent } from 'react'

type ComboboxInput = {
  readonly label: string
  /** In list order. */
  readonly ids: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly onQuery: (query: string) => void
  readonly onPick: (id: string) => void
}

/** Maximum height of the list with its distance to the box. */
const ROOM = 310

const keepFocus = (event: SyntheticEvent) => event.preventDefault()

/** Keyboard, pointer and roles of a text box with a multiple-choice list. The focus stays in the box. */
export function useCombobox({ label, ids, chosen, onQuery, onPick }: ComboboxInput) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [side, setSide] = useState<'above' | 'below' | null>(null)
  const open = side !== null
  const [at, setAt] = useState(-1)
  const active = open ? ids[at] : undefined

  /** Opens below the box, or above it at the end of the page when there is more room. */
  const unfold = (box: HTMLElement) => {
    if (open) return
    const { top, bottom } = box.getBoundingClientRect()
    const under = window.innerHeight - bottom
    setSide(under < ROOM && top > under ? 'above' : 'below')
  }
  const fold = () => setSide(null)
  const move = (to: number) => {
    const next = Math.max(0, Math.min(ids.length - 1, to))
    setAt(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(open ? at + 1 : 0),
      ArrowUp: () => move(open ? at - 1 : ids.length - 1),
      Enter: () => active !== undefined && onPick(active),
      Escape: fold,
    }
    const made = moves[event.key]
    if (made === undefined || (event.key === 'Escape' && !open)) return
    // Otherwise Enter would submit the form and Escape would close the surrounding dialog.
    event.preventDefault()
    event.stopPropagation()
    if (event.key.startsWith('Arrow')) unfold(event.currentTarget)
    made()
  }
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    onQuery(event.target.value)
    unfold(event.currentTarget)
    setAt(0)
    list.current?.scrollTo({ top: 0 })
  }
  return {
    side,
    at,
    rootProps: { onBlur: fold },
    boxProps: {
      role: 'combobox',
      'aria-label': label,
      'aria-autocomplete': 'list',
      'aria-expanded': open,
      'aria-controls': id,
      'aria-activedescendant': active === undefined ? undefined : `${id}-${at}`,
      autoComplete: 'off',
      onChange,
      onClick: (event: MouseEvent<HTMLInputElement>) => unfold(event.currentTarget),
      onKeyDown,
    },
    /** For the list's container: the box keeps the focus while the list is clicked or scrolled. */
    popupProps: { onPointerDown: keepFocus, onMouseDown: keepFocus },
    listProps: { ref: list, id, role: 'listbox', 'aria-label': label, 'aria-multiselectable': true },
    optionProps: (index: number) => {
      const own = ids[index]
      return {
        id: `${id}-${index}`,
        role: 'option',
        'aria-selected': own !== undefined && chosen.has(own),
        onClick: () => own !== undefined && onPick(own),
        onPointerMove: () => setAt(index),
      }
    },
  } as const
}
