import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Who goes on to another page may leave behind what had the focus, such as the button that led there. Then the content takes it, or
 * within it what a page marks as such by `data-arrival`, so that the next Tab goes on from there and readers hear where they are.
 */
export function useArrivalFocus() {
  const router = useRouter()
  const content = useRef<HTMLElement>(null)
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation }) => {
        // A page that was just opened begins at its beginning.
        if (fromLocation === undefined || document.activeElement !== document.body) return
        const arrival = content.current?.querySelector<HTMLElement>('[data-arrival]') ?? content.current
        arrival?.focus({ preventScroll: true })
      }),
    [router],
  )
  return content
}
