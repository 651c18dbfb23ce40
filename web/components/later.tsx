import { useDeferredValue, type ReactNode } from 'react'

type LaterProps = { readonly children: ReactNode; readonly before?: ReactNode }

/**
 * Renders children in a deferred, interruptible pass, for the parts of a large form below the fold. `before` is the placeholder
 * that reserves the space. Measure before using it elsewhere: lists do not paint sooner with it.
 */
export function Later({ children, before = null }: LaterProps) {
  return useDeferredValue(true, false) ? children : before
}
