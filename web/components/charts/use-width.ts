import { useEffect, useRef, useState } from 'react'

/** Width before the first measurement, in pixels. */
const FIRST_WIDTH = 640

/** Returns the width of an element in pixels, kept up to date. */
export function useWidth<Box extends HTMLElement>() {
  const box = useRef<Box>(null)
  const [width, setWidth] = useState(FIRST_WIDTH)
  useEffect(() => {
    if (box.current === null) return undefined
    const measured = new ResizeObserver(([entry]) => {
      if (entry !== undefined && entry.contentRect.width > 0) setWidth(Math.round(entry.contentRect.width))
    })
    measured.observe(box.current)
    return () => measured.disconnect()
  }, [])
  return { box, width }
}
