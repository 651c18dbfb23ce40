import { useEffect, useRef, useState } from 'react'

/**
 * Sets the focus after a change has rendered, since the pressed control may have moved or disappeared. Controls carry
 * `data-focus`; of several names the first existing, enabled control is focused.
 */
export function useFocusNext<Element extends HTMLElement>() {
  const container = useRef<Element>(null)
  const [wanted, setWanted] = useState<readonly string[]>([])
  useEffect(() => {
    if (wanted.length === 0) return
    const controls = [...(container.current?.querySelectorAll<HTMLElement>('[data-focus]') ?? [])]
    const found = wanted.flatMap(
      (name) => controls.find((one) => one.dataset['focus'] === name && !one.matches(':disabled')) ?? [],
    )
    found[0]?.focus()
  }, [wanted])
  return { container, focusNext: (...names: readonly string[]) => setWanted(names) }
}
