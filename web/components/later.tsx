import { useDeferredValue, type ReactNode } from 'react'

type LaterProps = { readonly children: ReactNode; readonly before?: ReactNode }

/**
 * Drawn once what stands around it is on the screen, and in slices between which the browser answers: for what begins below the fold, or
 * what nobody came for, such as what leads elsewhere. `before` keeps its place where something stands behind it.
 */
export function Later({ children, before = null }: LaterProps) {
  return useDeferredValue(true, false) ? children : before
}
