import { useEffect, useRef, type FocusEvent, type RefCallback } from 'react'

/**
 * Keeps the focus within a container when the focused element disappears, such as a button that removes its own row: the
 * container receives the focus. For an element with `tabIndex={-1}`. The optional ref receives the element as well.
 */
export function useKeptFocus<Container extends HTMLElement>(outerRef?: RefCallback<Container>) {
  const container = useRef<Container>(null)
  const within = useRef(false)
  useEffect(() => {
    if (within.current && document.activeElement === document.body) container.current?.focus()
  })
  return {
    ref: (element: Container | null) => {
      container.current = element
      outerRef?.(element)
    },
    onFocus: () => {
      within.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      within.current = relatedTarget instanceof Node && container.current?.contains(relatedTarget) === true
    },
  }
}
