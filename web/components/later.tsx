import { useDeferredValue, useEffect, useState, type ReactNode } from 'react'

type LaterProps = { readonly children: ReactNode; readonly before?: ReactNode }

/**
 * Drawn once what stands around it is on the screen, and in slices between which the browser answers: for what begins below the fold, or
 * what nobody came for. `before` keeps its place where something stands behind it.
 */
export function Later({ children, before = null }: LaterProps) {
  return useDeferredValue(true, false) ? children : before
}

/** Drawn right after what stands around it, at one stretch, in a task of its own: for what somebody came for. */
export function Next({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true))
    return () => clearTimeout(timer)
  }, [])
  return shown ? children : null
}
