import { useCallback, useRef } from 'react'

/**
 * For going on by a key or a button that may be gone afterwards: after `follow` the focus goes to whatever next takes the place of
 * `target`, so it is never lost and what is new is read out.
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
