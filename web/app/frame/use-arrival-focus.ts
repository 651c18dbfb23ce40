import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Moves the focus to the content after a navigation that removed the focused element, such as the button that led there. The
 * last element with `data-arrival` takes precedence: the heading of a page, or a panel below it. The next Tab continues from
 * there, and screen readers announce the new page.
 */
export function useArrivalFocus() {
  const router = useRouter()
  const content = useRef<HTMLElement>(null)
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation }) => {
        // Do nothing on the first page of a visit.
        if (fromLocation === undefined || document.activeElement !== document.body) return
        const arrivals = [...(content.current?.querySelectorAll<HTMLElement>('[data-arrival]') ?? [])]
        ;(arrivals.at(-1) ?? content.current)?.focus({ preventScroll: true })
      }),
    [router],
  )
  return content
}
