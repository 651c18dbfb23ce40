import { useSyncExternalStore } from 'react'

/** Tailwind's `lg`. */
const WIDE = '(min-width: 64rem)'

function subscribe(listener: () => void) {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** True where the navigation has its own place beside the page. */
export const useIsWide = () => useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches)
