import { useDeferredValue, useEffect, useState, type ReactNode } from 'react'

type LaterProps = { readonly children: ReactNode; readonly before?: ReactNode }

/**
 * Renders children in a deferred, interruptible pass, for content below the fold or secondary links. `before` is the placeholder
 * that reserves the space.
 */
export function Later({ children, before = null }: LaterProps) {
  return useIsLater() ? children : before
}

/** The same as a value: false during the first render. */
export const useIsLater = () => useDeferredValue(true, false)

/** False during the first of two render passes. The second runs uninterrupted in a task of its own. */
export function useIsNext(): boolean {
  const [next, setNext] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setNext(true))
    return () => clearTimeout(timer)
  }, [])
  return next
}
