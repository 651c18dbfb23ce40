import { useEffect, useRef, type FocusEvent, type RefCallback } from 'react'

/**
 * Keeps the focus within a container when what had it goes away, such as a button that removes its own row: the container takes it.
 * For an element with `tabIndex={-1}`, which may be told to another as well.
 */
export function useKeptFocus<Container extends HTMLElement>(tell?: RefCallback<Container>) {
  const container = useRef<Container>(null)
  const within = useRef(false)
  useEffect(() => {
    if (within.current && document.activeElement === document.body) container.current?.focus()
  })
  return {
    ref: (element: Container | null) => {
      container.current = element
      tell?.(element)
    },
    onFocus: () => {
      within.current = true
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      within.current = relatedTarget instanceof Node && container.current?.contains(relatedTarget) === true
    },
  }
}
