import { useLayoutEffect, useRef, useState } from 'react'

/** Width where nothing can be measured, in pixels. */
const FIRST_WIDTH = 640

/** Returns the width of an element in pixels, kept up to date. */
export function useWidth<Box extends HTMLElement>() {
  const box = useRef<Box>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useLayoutEffect(() => {
    if (box.current === null) return undefined
    // Before the first paint: the observer reports after it, and what depends on the width would jump.
    if (box.current.clientWidth > 0) setWidth(box.current.clientWidth)
    const measured = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width))
    })
    measured.observe(box.current)
    return () => measured.disconnect()
  }, [])
  return { box, width }
}
