import { useEffect, useRef, useState } from 'react'

/**
 * Where the focus goes once the screen shows the change: what was pressed may have moved, or be gone. Controls carry `data-focus`;
 * of several names the first that is there and enabled is taken.
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
