import { useEffect, useMemo, useRef } from 'react'

/** Calls the newest `callback` once `delay` ms have passed without another call. */
export function useDebouncedCallback<Args extends readonly unknown[]>(callback: (...args: Args) => void, delay: number) {
  const latest = useRef(callback)
  useEffect(() => {
    latest.current = callback
  })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useMemo(
    () =>
      (...args: Args) => {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => latest.current(...args), delay)
      },
    [delay],
  )
}
