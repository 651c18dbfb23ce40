import { useCallback, useRef } from 'react'

/**
 * For a key or button that may disappear afterwards: after `follow`, the next element mounted as `target` receives the focus, so
 * that the focus is not lost and screen readers announce the new content.
 */
export function useFollowingFocus() {
  const follows = useRef(false)
  const target = useCallback((node: HTMLElement | null) => {
    if (node === null || !follows.current) return
    follows.current = false
    node.focus({ preventScroll: true })
    node.scrollIntoView({ block: 'nearest' })
  }, [])
  const follow = useCallback(() => {
    follows.current = true
  }, [])
  return { target, follow }
}
