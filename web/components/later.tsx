import { useDeferredValue, useEffect, useState, type ReactNode } from 'react'

type LaterProps = { readonly children: ReactNode; readonly before?: ReactNode }

/**
 * Drawn once what stands around it is on the screen, and in slices between which the browser answers: for what begins below the fold, or
 * what nobody came for, such as what leads elsewhere. `before` keeps its place where something stands behind it.
 */
export function Later({ children, before = null }: LaterProps) {
  return useIsLater() ? children : before
}

/** The same as a value: false while what is drawn first is drawn. */
export const useIsLater = () => useDeferredValue(true, false)

/** False while the first of two halves is drawn; the second, at one stretch, is a task of its own. */
export function useIsNext(): boolean {
  const [next, setNext] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setNext(true))
    return () => clearTimeout(timer)
  }, [])
  return next
}
